import { define, mapDelete, mapGet, mapSet, mapSize, max, PlainError, PlainMap, PlainPromise } from '../primordials'
import { rows, type Ask, type Fault } from '../protocol.gen'
import { quote, utf8Length } from '../text'
import { encodeValue, type CannotTravel } from '../values/encode'
import type { Link } from './link'

export type Capability = Ask['capability']

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  readonly bytes: number
}

interface Queued extends Waiting {
  readonly capability: Capability
  readonly params: string
}

/** Asks that may wait for their answers at once; more wait here, so that a burst is no flood. */
const maxOpen = 32
/** No honest tool has more waiting than this: it is ended as a flood, which the host never sees. */
const maxQueued = 1024

/**
 * The asks of one call. Only so many are sent before answers come back: that is the pace of the host, whatever a tool asks for.
 */
export class Asks {
  private readonly open = new PlainMap<number, Waiting>()
  private readonly queue = new PlainMap<number, Queued>()
  private firstQueued = 0
  private lastQueued = 0
  private made = 0
  private openBytes = 0
  private ended = false

  constructor(
    private readonly call: number,
    private readonly nesting: number,
    private readonly bytes: number,
    private readonly link: Link,
  ) {}

  /** Requests one use of a capability; the promise settles with the host's answer, an error has the fault's `code`. */
  ask(capability: Capability, params: unknown): Promise<unknown> {
    return new PlainPromise((resolve, reject) => {
      if (this.ended) return reject(coded('aborted', `${capability}: the call has ended`))
      try {
        const text = encodeValue(params, { nesting: this.nesting, bytes: this.largest() })
        this.enqueue({ capability, params: text, bytes: utf8Length(text), resolve, reject })
      } catch (error) {
        const { path, message, tooLarge } = error as CannotTravel
        reject(coded(tooLarge ? 'too_large' : 'invalid_value', `${capability}: ${path}: ${message}`))
      }
    })
  }

  answer(ask: number, value: unknown, error: Fault | undefined): void {
    const waiting = mapGet(this.open, ask) as Waiting | undefined
    if (waiting === undefined) return
    mapDelete(this.open, ask)
    this.openBytes -= waiting.bytes
    if (error) waiting.reject(coded(error.code, error.message))
    else waiting.resolve(value)
    this.pump()
  }

  /** Forgets all: their promises never settle. */
  end(): void {
    this.ended = true
  }

  private largest(): number {
    return max(1, (rows.ask.bytes < this.bytes ? rows.ask.bytes : this.bytes) - 256)
  }

  private enqueue(ask: Queued): void {
    mapSet(this.queue, this.lastQueued++, ask)
    this.pump()
    if (mapSize(this.queue) <= maxQueued) return
    this.end()
    this.link.overrun()
  }

  private pump(): void {
    while (!this.ended && this.firstQueued < this.lastQueued && mapSize(this.open) < maxOpen) {
      const next = mapGet(this.queue, this.firstQueued) as Queued
      if (this.openBytes > 0 && this.openBytes + next.bytes > this.bytes) return
      mapDelete(this.queue, this.firstQueued++)
      const id = ++this.made
      mapSet(this.open, id, next)
      this.openBytes += next.bytes
      this.link.send(`{"kind":"ask","call":${this.call},"ask":${id},"capability":${quote(next.capability)},"params":${next.params}}`)
    }
  }
}

/** An error with a code that a tool can branch on. */
function coded(code: string, message: string): Error {
  const error = new PlainError(message)
  define(error, 'code', code)
  return error
}
