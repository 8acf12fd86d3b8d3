import { apply, mapClear, mapDelete, mapEach, mapHas, mapSet, PlainMap, PlainTypeError, replace } from '../primordials'

type Callback = (...args: unknown[]) => void
type Timer = ReturnType<typeof globalThis.setTimeout>

// Some engines check that these are called on their global object, so they are bound to it.
const start = setTimeout.bind(globalThis) as (run: () => void, ms: number) => Timer
const repeat = setInterval.bind(globalThis) as (run: () => void, ms: number) => Timer
const stop = clearTimeout.bind(globalThis) as (timer: Timer) => void
export const startTimer = start
export const stopTimer = stop

/** The timers that tools see. They belong to the call in which they are made and end with it. */
export class Timers {
  private readonly live = new PlainMap<Timer, boolean>()

  /** open says whether code may act now; a timer that is made between calls never fires. */
  constructor(private readonly open: () => boolean) {}

  /** Puts the four functions in place of the engine's. */
  install(target: object): void {
    replace(target, 'setTimeout', (run: unknown, ms?: number, ...args: unknown[]) => this.make(run, ms, args, false))
    replace(target, 'setInterval', (run: unknown, ms?: number, ...args: unknown[]) => this.make(run, ms, args, true))
    const clear = (timer?: unknown): void => this.clear(timer as Timer)
    replace(target, 'clearTimeout', clear)
    replace(target, 'clearInterval', clear)
  }

  /** The end of a call. */
  clearAll(): void {
    mapEach(this.live, (_repeats: unknown, timer: unknown) => stop(timer as Timer))
    mapClear(this.live)
  }

  make(run: unknown, ms: number | undefined, args: unknown[], repeats: boolean): Timer | 0 {
    if (typeof run !== 'function') throw new PlainTypeError('a timer needs a function')
    if (!this.open()) return 0
    const timer: Timer = (repeats ? repeat : start)(() => {
      if (!mapHas(this.live, timer)) return
      if (!repeats) mapDelete(this.live, timer)
      apply(run as Callback, undefined, args)
    }, ms as number)
    mapSet(this.live, timer, repeats)
    return timer
  }

  /** Only a tool's own timers can be cleared by it. */
  private clear(timer: Timer): void {
    if (mapDelete(this.live, timer)) stop(timer)
  }
}
