import { Bytes, bufferLength, fromUtf8, getter, hasOwn, isObject, list, toUtf8, typedArrayBuffer, typedArrayLength, uncurry } from '../primordials'
import type { CryptoMessage } from '../crypto/words'
import { begun, leftover, overrun } from '../internal'
import { fits } from '../text'
import type { Link } from './link'

type Post = (this: MessagePort, message: unknown, transfer?: Iterable<Transferable>) => void
const postMessage = uncurry(MessagePort.prototype.postMessage as Post)
const start = uncurry(MessagePort.prototype.start)
type Listen = (this: EventTarget, type: string, run: (event: Event) => void, options?: object) => void
const addEventListener = uncurry(EventTarget.prototype.addEventListener as Listen)
const removeEventListener = uncurry(EventTarget.prototype.removeEventListener as Listen)
const stopImmediatePropagation = uncurry(Event.prototype.stopImmediatePropagation)
const preventDefault = uncurry(Event.prototype.preventDefault)
const eventData = getter(MessageEvent.prototype, 'data')
const eventPorts = getter(MessageEvent.prototype, 'ports') as (event: unknown) => readonly MessagePort[]
const eventError = getter(ErrorEvent.prototype, 'error')
const eventReason = getter(PromiseRejectionEvent.prototype, 'reason')

/** The runtime's way to the supervisor. A text goes as a string, above the inline limit as UTF-8; an internal ping as a number. */
export class Port implements Link {
  constructor(
    private readonly port: MessagePort,
    private readonly inlineBytes: number,
  ) {}

  send(text: string): void {
    if (fits(text, this.inlineBytes)) return postMessage(this.port, text)
    const bytes = toUtf8(text)
    let buffer = typedArrayBuffer(bytes)
    if (bufferLength(buffer) !== typedArrayLength(bytes)) buffer = typedArrayBuffer(new Bytes(bytes))
    postMessage(this.port, { text: '', blobs: [buffer] }, each(one(buffer)))
  }

  crypto(text: string, blobs: readonly ArrayBuffer[]): void {
    postMessage(this.port, { __proto__: null, crypto: text, blobs }, each(blobs))
  }

  pong(seq: number): void {
    postMessage(this.port, seq)
  }

  /** Says that a call's code is about to run. */
  begun(): void {
    postMessage(this.port, begun)
  }

  overrun(): void {
    postMessage(this.port, overrun)
  }

  leftover(): void {
    postMessage(this.port, leftover)
  }

  /** Receives texts, the numbers of internal pings, and the answers of the frame's cryptography. */
  listen(text: (text: string) => void, ping: (seq: number) => void, crypto: (text: string, blobs: readonly ArrayBuffer[]) => void): void {
    addEventListener(this.port, 'message', (event) => {
      const data = eventData(event)
      if (typeof data === 'string') text(data)
      else if (typeof data === 'number') ping(data)
      else if (!isObject(data)) return
      else if (hasOwn(data, 'crypto')) crypto((data as CryptoMessage).crypto, (data as CryptoMessage).blobs)
      else text(textOf(data as Envelope))
    })
    start(this.port)
  }
}

type Envelope = { readonly text: string; readonly blobs: readonly ArrayBuffer[] }

function textOf({ text, blobs }: Envelope): string {
  return text === '' ? fromUtf8(blobs[0] as ArrayBuffer) : text
}

const { iterator } = Symbol

function one<T>(item: T): T[] {
  const items = list<T>()
  items[0] = item
  return items
}

/** A list for the engine, which reads lists through their iterator: this one is nothing that a tool can replace. */
function each<T>(items: readonly T[]): Iterable<T> {
  return {
    __proto__: null,
    [iterator]: () => {
      let at = 0
      return {
        __proto__: null,
        next: () => ({ __proto__: null, done: at >= items.length, value: at < items.length ? items[at++] : undefined }),
      }
    },
  } as unknown as Iterable<T>
}

/** Calls once with the data and port of the first message to this worker, before and instead of any other listener. */
export function firstMessage(run: (data: unknown, port: MessagePort) => void): void {
  const listener = (event: Event): void => {
    stopImmediatePropagation(event)
    removeEventListener(globalThis, 'message', listener, capture)
    run(eventData(event), eventPorts(event)[0] as MessagePort)
  }
  addEventListener(globalThis, 'message', listener, capture)
}

const capture = { __proto__: null, capture: true }

/** Takes uncaught errors and unhandled rejections, so that none of them ends the worker. */
export function onUncaught(run: (thrown: unknown) => void): void {
  addEventListener(globalThis, 'error', (event) => {
    preventDefault(event)
    run(eventError(event))
  }, capture)
  addEventListener(globalThis, 'unhandledrejection', (event) => {
    preventDefault(event)
    run(eventReason(event))
  }, capture)
}
