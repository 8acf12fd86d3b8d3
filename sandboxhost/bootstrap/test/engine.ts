type Listener = (event: unknown) => void

/** What a worker's realm has of its engine, made anew for each realm: a tool may patch all of it. */
export interface Engine {
  readonly globals: Record<string, unknown>
  event(fields: Record<string, unknown>): object
  emit(target: object, type: string, event: object): void
  /** A port whose messages go to `sent`. */
  port(sent: (data: unknown) => void): object
}

/** Classes that a realm gets as they are, each with members of its own: a tool may patch those, and this process goes on. */
const copied = [
  'AbortSignal', 'Blob', 'File', 'FormData', 'ReadableStream', 'ReadableStreamDefaultController', 'ReadableStreamDefaultReader', 'URL', 'URLSearchParams',
]

const lengthOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), 'length')!.get as () => number

/** A signal is of this process's own engine. */
const isReal = (target: unknown): boolean => target instanceof globalThis.EventTarget

function copy(name: string): object {
  const given = (globalThis as unknown as Record<string, { prototype: object }>)[name] as { prototype: object }
  const copied = function (...args: unknown[]): object { return Reflect.construct(given as never, args, new.target ?? (given as never)) }
  Object.setPrototypeOf(copied, null)
  copied.prototype = Object.create(given.prototype, Object.getOwnPropertyDescriptors(given.prototype)) as object
  Object.defineProperty(copied, 'name', { value: name })
  for (const key of ['any', 'abort', 'timeout'] as const) {
    if (key in given) Object.defineProperty(copied, key, { value: (given as unknown as Record<string, unknown>)[key], writable: true, configurable: true })
  }
  if ('forEach' in given.prototype) {
    // As an engine does it: by nothing that a tool may have replaced.
    const { entries } = given.prototype as unknown as { entries: (this: unknown) => Iterable<[unknown, unknown]> }
    const forEach = function (this: unknown, run: (value: unknown, name: unknown, of: unknown) => void): void {
      for (const [name, value] of entries.call(this)) Reflect.apply(run, undefined, [value, name, this])
    }
    Object.defineProperty(copied.prototype, 'forEach', { value: forEach, writable: true, configurable: true })
  }
  return copied
}

export function engine(): Engine {
  const listeners = new WeakMap<object, Map<string, Listener[]>>()
  const of = (target: object, type: string): Listener[] => listeners.get(target)?.get(type) ?? []

  class EventTarget {
    addEventListener(type: string, run: Listener): void {
      if (isReal(this)) return globalThis.EventTarget.prototype.addEventListener.call(this, type, run as never)
      const all = listeners.get(this) ?? new Map<string, Listener[]>()
      if (!of(this, type).includes(run)) listeners.set(this, all.set(type, [...of(this, type), run]))
    }
    removeEventListener(type: string, run: Listener): void {
      if (isReal(this)) return globalThis.EventTarget.prototype.removeEventListener.call(this, type, run as never)
      listeners.get(this)?.set(type, of(this, type).filter((other) => other !== run))
    }
  }
  // As an engine does it: not by the method that a runtime may have replaced.
  const { addEventListener } = EventTarget.prototype
  class Event {
    readonly #fields: Record<string, unknown>
    constructor(fields: Record<string, unknown>) {
      this.#fields = fields
    }
    get data(): unknown { return this.#fields.data }
    get ports(): unknown { return this.#fields.ports }
    get error(): unknown { return this.#fields.error }
    get reason(): unknown { return this.#fields.reason }
    preventDefault(): void { this.#fields.prevented = true }
    stopImmediatePropagation(): void {}
  }
  const emit = (target: object, type: string, event: object): void => {
    for (const run of of(target, type)) run(event)
  }
  const sinks = new WeakMap<object, (data: unknown) => void>()
  class MessagePort extends EventTarget {
    set onmessage(run: Listener) { addEventListener.call(this, 'message', run) }
    postMessage(data: unknown, transfer?: Iterable<unknown>): void {
      sinks.get(this)?.(structuredClone(data, { transfer: [...(transfer ?? [])] as ArrayBuffer[] }))
    }
    start(): void {}
    close(): void { sinks.delete(this) }
  }
  const pairs = new WeakMap<object, [MessagePort, MessagePort]>()
  class MessageChannel {
    constructor() {
      const pair = [new MessagePort(), new MessagePort()] as [MessagePort, MessagePort]
      const deliver = (to: MessagePort) => (data: unknown): void => {
        setTimeout(() => { if (sinks.has(to)) emit(to, 'message', new Event({ data })) }, 0)
      }
      sinks.set(pair[0], deliver(pair[1]))
      sinks.set(pair[1], deliver(pair[0]))
      pairs.set(this, pair)
    }
    get port1(): MessagePort { return pairs.get(this)![0] }
    get port2(): MessagePort { return pairs.get(this)![1] }
  }
  class Performance {
    now(): number { return performance.now() }
  }
  class Crypto {
    getRandomValues(view: Uint8Array): Uint8Array {
      // As an engine does it: nothing that a tool may have replaced is asked.
      const random = globalThis.crypto.getRandomValues(new Uint8Array(lengthOf.call(view)))
      for (let i = 0; i < random.length; i++) view[i] = random[i]!
      return view
    }
  }
  // Nothing of the test's own realm may stand behind what the runtime reduces.
  const rootless = <T extends object>(value: T): T => Object.setPrototypeOf(value, null) as T
  rootless(Performance.prototype)
  const globals = {
    ...Object.fromEntries(copied.map((name) => [name, copy(name)])),
    EventTarget, Event, MessageEvent: Event, ErrorEvent: Event, PromiseRejectionEvent: Event, MessagePort, MessageChannel, Performance, Crypto,
    performance: new Performance(), crypto: new Crypto(), AbortController, DOMException,
    TextEncoder, TextDecoder, setTimeout, clearTimeout, setInterval, clearInterval, queueMicrotask, navigator: rootless({}),
  }
  return {
    globals,
    event: (fields) => new Event(fields),
    emit,
    port: (sent) => {
      const port = new MessagePort()
      sinks.set(port, (data) => sent(data))
      return port
    },
  }
}
