import { Bytes, bufferLength, define, each, fromUtf8, getter, hasOwn, isObject, list, toUtf8, typedArrayBuffer, typedArrayLength, uncurry } from '../primordials'
import type { CryptoMessage } from '../crypto/words'
import { begun, clean, leftover, overrun } from '../internal'
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

  send(text: string, blobs: readonly ArrayBuffer[] = none): void {
    if (!fits(text, this.inlineBytes)) return this.post('', after(bufferOf(toUtf8(text)), blobs))
    if (blobs.length === 0) postMessage(this.port, text)
    else this.post(text, blobs)
  }

  private post(text: string, blobs: readonly ArrayBuffer[]): void {
    postMessage(this.port, { __proto__: null, text, blobs: plain(blobs) }, each(blobs))
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

  clean(): void {
    postMessage(this.port, clean)
  }

  overrun(): void {
    postMessage(this.port, overrun)
  }

  leftover(): void {
    postMessage(this.port, leftover)
  }

  private opened({ text, blobs }: Envelope, run: (text: string, blobs: readonly ArrayBuffer[]) => void): void {
    if (text !== '') return run(text, blobs)
    const rest = list<ArrayBuffer>()
    for (let i = 1; i < blobs.length; i++) rest[i - 1] = blobs[i] as ArrayBuffer
    run(fromUtf8(blobs[0] as ArrayBuffer), rest)
  }

  /** Receives texts with their blobs, the numbers of internal pings, and the answers of the frame's cryptography. */
  listen(text: (text: string, blobs: readonly ArrayBuffer[]) => void, ping: (seq: number) => void, crypto: (text: string, blobs: readonly ArrayBuffer[]) => void): void {
    addEventListener(this.port, 'message', (event) => {
      const data = eventData(event)
      if (typeof data === 'string') text(data, none)
      else if (typeof data === 'number') ping(data)
      else if (!isObject(data)) return
      else if (hasOwn(data, 'crypto')) crypto((data as CryptoMessage).crypto, (data as CryptoMessage).blobs)
      else this.opened(data as Envelope, text)
    })
    start(this.port)
  }
}

type Envelope = { readonly text: string; readonly blobs: readonly ArrayBuffer[] }

const none = list<ArrayBuffer>()

/** The buffer of bytes that nothing else is in. */
function bufferOf(bytes: Uint8Array<ArrayBuffer>): ArrayBuffer {
  const buffer = typedArrayBuffer(bytes)
  return bufferLength(buffer) === typedArrayLength(bytes) ? buffer : typedArrayBuffer(new Bytes(bytes))
}

function after<T>(first: T, rest: readonly T[]): T[] {
  const items = list<T>()
  items[0] = first
  for (let i = 0; i < rest.length; i++) items[i + 1] = rest[i] as T
  return items
}

/** An array of the engine's own kind, which is what a message carries. */
function plain<T>(items: readonly T[]): T[] {
  const array: T[] = []
  for (let i = 0; i < items.length; i++) define(array, i, items[i])
  return array
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
