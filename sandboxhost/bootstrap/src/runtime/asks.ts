import { bufferLength, define, list, mapClear, mapDelete, mapEach, mapGet, mapSet, mapSize, max, min, PlainError, PlainMap, PlainPromise } from '../primordials'
import { sizes, type Ask, type Chunk, type Fault } from '../protocol.gen'
import { quote, utf8Length } from '../text'
import { encodeValue, type CannotTravel } from '../values/encode'
import type { Link } from './link'
import type { Load, Pace } from './pace'

export type Capability = Ask['capability']

/** What becomes of an ask: an answer or a fault, once, and after an answer with a body the pieces of that. */
export interface Reply {
  answer(value: unknown, blobs: readonly ArrayBuffer[], body: boolean): void
  fault(fault: Fault): void
  chunk?(bytes: ArrayBuffer | undefined, last: boolean, fault: Fault | undefined): void
  /** The call has ended before all this. */
  ended?(): void
}

/** An ask with its place: in the queue, or under its id. */
export interface Entry extends Load {
  readonly capability: Capability
  readonly params: string
  readonly body: ArrayBuffer | undefined
  readonly reply: Reply
  readonly turn: number
  id: number // 0: it waits here
}

/** What an ask's message has around its params, at most. */
const frame = 160
/** No honest tool has more waiting than this: it is ended as a flood, which the host never sees. */
const maxQueued = 1024

/** The asks of one call, at the pace of the worker. */
export class Asks {
  private readonly open = new PlainMap<number, Entry>()
  private readonly flows = new PlainMap<number, Entry>() // answered, with a body that goes on
  private readonly queue = new PlainMap<number, Entry>()
  private firstQueued = 0
  private lastQueued = 0
  private made = 0
  private ended = false

  constructor(
    private readonly call: number,
    private readonly nesting: number,
    readonly pace: Pace,
    private readonly link: Link,
  ) {}

  /** Requests one use of a capability; the promise settles with the host's answer, an error has the fault's `code`. */
  ask(capability: Capability, params: unknown): Promise<unknown> {
    return new PlainPromise((resolve, reject) => {
      const fault = ({ code, message }: Fault): void => reject(coded(code, message))
      let text: string
      try {
        text = encodeValue(params, { nesting: this.nesting, bytes: this.largest })
      } catch (error) {
        const { path, message, tooLarge } = error as CannotTravel
        return fault({ code: tooLarge ? 'too_large' : 'invalid_value', message: `${capability}: ${path}: ${message}` })
      }
      this.send(capability, text, undefined, { answer: resolve, fault })
    })
  }

  /** Sends an ask in its turn, params as JSON text; the body goes with it. Nothing comes back of what the call's end has overtaken. */
  send(capability: Capability, params: string, body: ArrayBuffer | undefined, reply: Reply): Entry | undefined {
    const refuse = (code: string, message: string): undefined => void reply.fault({ code, message: `${capability}: ${message}` })
    if (this.ended) return refuse('aborted', 'the call has ended')
    const textBytes = utf8Length(params) + frame
    if (textBytes > this.largest + frame) return refuse('too_large', `it takes more than ${this.largest} bytes`)
    const bodyBytes = body === undefined ? 0 : bufferLength(body)
    if (bodyBytes > this.pace.mostBody) return refuse('too_large', `its body has more than ${this.pace.mostBody} bytes`)
    const entry: Entry = { capability, params, textBytes, body, bodyBytes, reply, turn: this.lastQueued++, id: 0 }
    mapSet(this.queue, entry.turn, entry)
    this.pump()
    if (mapSize(this.queue) > maxQueued) {
      this.end()
      this.link.overrun()
    }
    return entry
  }

  /** Gives up an ask, or the rest of its body. Its reply is not used again. */
  cancel(entry: Entry): void {
    if (this.ended) return
    const { id } = entry
    if (id === 0) return void mapDelete(this.queue, entry.turn)
    if (mapDelete(this.open, id)) this.pace.withdrew(entry)
    else if (!mapDelete(this.flows, id)) return
    this.link.send(`{"kind":"ask_cancel","call":${this.call},"ask":${id}}`)
    this.pump()
  }

  /** Lets more of a body come. */
  credit({ id }: Entry, bytes: number): void {
    if (!this.ended && mapGet(this.flows, id) !== undefined) {
      this.link.send(`{"kind":"credit","call":${this.call},"ask":${id},"bytes":${bytes}}`)
    }
  }

  answer(ask: number, value: unknown, blobs: readonly ArrayBuffer[], body: boolean, fault: Fault | undefined): void {
    const entry = mapGet(this.open, ask) as Entry | undefined
    if (entry === undefined) return
    mapDelete(this.open, ask)
    this.pace.answered(entry)
    if (body && !fault) mapSet(this.flows, ask, entry)
    if (fault) entry.reply.fault(fault)
    else entry.reply.answer(value, blobs, body)
    this.pump()
  }

  chunk({ ask, last }: Chunk, bytes: ArrayBuffer | undefined, fault: Fault | undefined): void {
    const entry = mapGet(this.flows, ask) as Entry | undefined
    if (entry === undefined) return
    if (last) mapDelete(this.flows, ask)
    entry.reply.chunk?.(bytes, last, fault)
  }

  /** The call has ended. */
  get over(): boolean {
    return this.ended
  }

  /** Forgets all: what was promised never settles. */
  end(): void {
    if (this.ended) return
    this.ended = true
    const forget = (entry: Entry): void => entry.reply.ended?.()
    mapEach(this.open, (entry: unknown) => {
      this.pace.forgot(entry as Entry)
      forget(entry as Entry)
    })
    mapEach(this.flows, forget as (entry: unknown) => void)
    mapEach(this.queue, forget as (entry: unknown) => void)
    mapClear(this.open)
    mapClear(this.flows)
    mapClear(this.queue)
  }

  /** Sends what the pace admits, in order; those that were given up left gaps. */
  pump(): void {
    while (!this.ended && this.firstQueued < this.lastQueued) {
      const next = mapGet(this.queue, this.firstQueued) as Entry | undefined
      if (next !== undefined && !this.pace.admits(next)) return
      mapDelete(this.queue, this.firstQueued++)
      if (next === undefined) continue
      const id = (next.id = ++this.made)
      mapSet(this.open, id, next)
      this.pace.sent(next)
      const blobs = list<ArrayBuffer>()
      if (next.body !== undefined) blobs[0] = next.body
      this.link.send(`{"kind":"ask","call":${this.call},"ask":${id},"capability":${quote(next.capability)},"params":${next.params}}`, blobs)
    }
  }

  private get largest(): number {
    return max(1, min(sizes.ask, this.pace.textShare) - 256)
  }
}

/** An error with a code that a tool can branch on. */
export function coded(code: string, message: string, Class: new (message: string) => Error = PlainError): Error {
  const error = new Class(message)
  define(error, 'code', code)
  return error
}
