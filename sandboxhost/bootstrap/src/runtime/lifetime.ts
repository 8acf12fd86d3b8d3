import { apply, construct, define, getter, list, PlainDOMException, PlainProxy, PlainTypeError, replace, uncurry } from '../primordials'
import { abort, PlainController, signalOf } from './abort'
import { startTimer } from './timers'

/** Where the runtime stands: between calls, in the code's top level, or in a call. */
export type Phase = 'idle' | 'top' | 'call'

/** What a lifetime asks of its runtime. */
export interface LifetimeHost {
  phase(): Phase
  /** The id of the running call. */
  call(): number
  /** Starts a timer of the running call. */
  timer(run: () => void, ms: unknown): void
  /** Code of a call that has ended was seen to go on. */
  leftover(): void
  /** The task in which a call ended is over, with all that it did at once. */
  rested(): void
}

interface Listener {
  readonly target: EventTarget
  readonly type: string
  readonly run: EventListener
}

type Listen = (this: EventTarget, type: string, run: EventListener, options?: unknown) => void
export const listen = uncurry(EventTarget.prototype.addEventListener as Listen)
export const unlisten = uncurry(EventTarget.prototype.removeEventListener as Listen)
const { postMessage } = MessagePort.prototype
const closePort = uncurry(MessagePort.prototype.close)
const microtask = queueMicrotask.bind(globalThis)

/**
 * What a tool opens in a call ends with it: its channels are closed, its listeners taken back, its timers and microtasks never
 * run. What its top level opens lives as long as the sandbox. Promises cannot be stopped; that code goes on is seen when it
 * uses one of these, or the console, while no call runs. What still happens in the task in which a call ends is not counted.
 */
export class Lifetime {
  private ports = list<MessagePort>()
  private listeners = list<Listener>()
  private ending = false // the task in which the last call ended is not over, as far as is known
  private told = false

  constructor(private readonly host: LifetimeHost) {}

  /** Puts what ends with calls in the place of the engine's own. */
  install(global: object): void {
    const { EventTarget: Target, MessagePort: Port, MessageChannel: Channel, FinalizationRegistry: Registry, AbortSignal: Signal } =
      global as typeof globalThis
    const life = this
    define(Target.prototype, 'addEventListener', function (this: EventTarget | undefined, type: string, run: EventListener, options: unknown) {
      life.listen(this ?? (global as EventTarget), `${type}`, run, options)
    }, false)
    define(Port.prototype, 'postMessage', function (this: MessagePort, ...args: unknown[]) {
      if (life.open()) apply(postMessage, this, args as never)
    }, false)
    replace(global, 'queueMicrotask', (run: unknown): void => {
      if (typeof run !== 'function') throw new PlainTypeError('a microtask needs a function')
      if (life.open()) microtask(life.guard(run as () => void))
    })
    define(Signal, 'timeout', (ms: unknown): AbortSignal => life.timeout(ms))
    if (Channel) this.wrap(global, Channel, (channel) => {
      life.opened(port1Of!(channel))
      life.opened(port2Of!(channel))
    })
    if (Registry) this.wrap(global, Registry, () => {}, (args) => {
      if (typeof args[0] === 'function') args[0] = life.guard(args[0] as () => void)
    })
  }

  /** Whether code may act now. That it tries while no call runs is the mark of code that was left behind. */
  open(): boolean {
    if (this.host.phase() !== 'idle') return true
    if (!this.ending && !this.told) {
      this.told = true
      this.host.leftover()
    }
    return false
  }

  /** A function that does nothing once the call in which it was handed over has ended. */
  guard<A extends unknown[]>(run: (...args: A) => void): (...args: A) => void {
    if (this.host.phase() === 'top') return run
    const born = this.host.call()
    return (...args: A): void => {
      if (this.host.call() === born && this.host.phase() !== 'idle') apply(run, undefined, args)
    }
  }

  /** The end of a call. */
  end(): void {
    const { ports, listeners } = this
    if (ports.length > 0) {
      this.ports = list()
      for (let i = 0; i < ports.length; i++) closePort(ports[i] as MessagePort)
    }
    if (listeners.length > 0) {
      this.listeners = list()
      for (let i = 0; i < listeners.length; i++) {
        const { target, type, run } = listeners[i] as Listener
        unlisten(target, type, run, false)
        unlisten(target, type, run, true)
      }
    }
    this.ending = true
    startTimer(() => {
      this.ending = false
      this.host.rested()
    }, 0)
  }

  private listen(target: EventTarget, type: string, run: EventListener, options: unknown): void {
    if (!this.open()) return
    listen(target, type, run, options)
    if (this.host.phase() === 'call') this.listeners[this.listeners.length] = { target, type, run }
  }

  private opened(port: MessagePort): void {
    if (!this.open()) closePort(port)
    else if (this.host.phase() === 'call') this.ports[this.ports.length] = port
  }

  private timeout(ms: unknown): AbortSignal {
    const controller = new PlainController()
    this.host.timer(() => abort(controller, new PlainDOMException('signal timed out', 'TimeoutError')), ms)
    return signalOf(controller)
  }

  /** Puts a class in the place of one, of the same name and with the same instances. */
  private wrap(global: object, from: Function, made: (instance: object) => void, prepare: (args: unknown[]) => void = () => {}): void {
    const trap = (target: object, args: unknown[], given: Function): object => {
      prepare(args)
      const instance = construct(target as new () => object, args as [], given) as object
      made(instance)
      return instance
    }
    const wrapped: Function = new PlainProxy(from, { __proto__: null, construct: trap } as unknown as ProxyHandler<Function>)
    replace(global, from.name, wrapped)
    define(from.prototype as object, 'constructor', wrapped, false)
  }
}

const ports = typeof MessageChannel === 'function' ? MessageChannel.prototype : undefined
const port1Of = ports && (getter(ports, 'port1') as (channel: unknown) => MessagePort)
const port2Of = ports && (getter(ports, 'port2') as (channel: unknown) => MessagePort)
