import { define, mapDelete, mapGet, mapSet, mapSize, max, PlainError, PlainMap, PlainPromise } from '../primordials'
import { rows, type Ask, type Fault } from '../protocol.gen'
import { quote, utf8Length } from '../text'
import { CannotTravel, encodeValue } from '../values/encode'

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
/** No honest tool has more waiting than this. Above it nothing is held back, and the supervisor finds the flood that it is. */
const maxQueued = 1024

/** The asks of one call. */
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
    private readonly send: (text: string) => void,
  ) {}

  /** Requests one use of a capability; the promise settles with the host's answer, an error has the fault's `code`. */
  ask(capability: Capability, params: unknown): Promise<unknown> {
    return new PlainPromise((resolve, reject) => {
      if (this.ended) return reject(coded('aborted', `${capability}: the call has ended`))
      try {
        const text = encodeValue(params, { nesting: this.nesting, bytes: this.largest() })
        this.enqueue({ capability, params: text, bytes: utf8Length(text), resolve, reject })
      } catch (error) {
        reject(error instanceof CannotTravel ? coded(error.tooLarge ? 'too_large' : 'invalid_value', `${capability}: ${error.path}: ${error.message}`) : coded('internal', capability))
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
  }

  private overrun(): boolean {
    return mapSize(this.queue) > maxQueued
  }

  private pump(): void {
    while (!this.ended && this.firstQueued < this.lastQueued && (mapSize(this.open) < maxOpen || this.overrun())) {
      const next = mapGet(this.queue, this.firstQueued) as Queued
      if (this.openBytes > 0 && this.openBytes + next.bytes > this.bytes && !this.overrun()) return
      mapDelete(this.queue, this.firstQueued++)
      const id = ++this.made
      mapSet(this.open, id, next)
      this.openBytes += next.bytes
      this.send(`{"kind":"ask","call":${this.call},"ask":${id},"capability":${quote(next.capability)},"params":${next.params}}`)
    }
  }
}

/** An error with a code that a tool can branch on. */
function coded(code: string, message: string): Error {
  const error = new PlainError(message)
  define(error, 'code', code)
  return error
}
