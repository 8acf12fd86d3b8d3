/** Powers that the clock needs. Times are milliseconds of a monotonic clock. */
export interface Time {
  now(): number
  start(run: () => void, ms: number): unknown
  stop(timer: unknown): void
}

/** Which clock ran out; silent when the code of the call was never begun. */
export type Expired = 'timeout' | 'wall' | 'silent'

/** How long a worker may take to begin a call, unless the call's own time is shorter. */
const beginMs = 5000

/** A timer that fires later than this was held up, together with whatever else was to be heard. */
export const heldUpMs = 50

/** How long an ask is open before the tool is asked whether it waits: most are answered sooner, and two messages are half of what such an ask costs. */
const firstPingMs = 20
/** How often a tool that waits for an answer is asked whether it really waits. */
const pingMs = 200
/** An answer to a ping that takes longer shows a tool that is busy. */
const slackMs = 50

/**
 * The clock of one call. Running time stands still while an ask is open, but only as far as the tool proves that it waits, by
 * answering pings at once. A tool that keeps its worker busy beside an open ask runs.
 *
 * Time up to `mark` is settled, as running or as waiting. From the mark on it counts as running until the opposite is known:
 * while no ask is open, and while a ping is not answered. Between an answered ping and the next one it counts as waiting, as does
 * the moment before the first one.
 * Total time never stands still.
 */
export class CallClock {
  private ran = 0 // running time up to mark
  private mark: number // up to here it is settled what was running and what was waiting
  private readonly wallAt: number
  private beginAt: number
  private waiting = false
  private pingAt: number | undefined // when the ping that is not answered yet was sent
  private timer: unknown
  private pinger: unknown

  constructor(
    private readonly time: Time,
    private readonly timeoutMs: number,
    wallMs: number,
    private readonly ping: () => void,
    private readonly expire: (reason: Expired) => void,
  ) {
    this.mark = time.now()
    this.wallAt = this.mark + wallMs
    this.beginAt = this.mark + Math.min(beginMs, timeoutMs, wallMs)
    this.arm()
  }

  /** The worker has taken the call up; false when that was known. */
  begin(): boolean {
    const first = this.beginAt !== Infinity
    this.beginAt = Infinity
    return first
  }

  /** The first ask was opened. */
  wait(): void {
    if (this.waiting) return
    this.settle(true)
    this.waiting = true
    this.pinger = this.time.start(() => this.probe(), firstPingMs)
    this.arm()
  }

  /** The last open ask is settled. */
  resume(): void {
    if (!this.waiting) return
    this.settle(this.late())
    this.waiting = false
    this.pingAt = undefined
    this.time.stop(this.pinger)
    this.arm()
  }

  /** The latest ping was answered. */
  pong(): void {
    if (this.pingAt === undefined) return
    this.settle(this.late())
    this.pingAt = undefined
    this.pinger = this.time.start(() => this.probe(), pingMs)
    this.arm()
  }

  stop(): void {
    this.time.stop(this.timer)
    this.time.stop(this.pinger)
  }

  private late(): boolean {
    return this.pingAt !== undefined && this.time.now() - this.pingAt > slackMs
  }

  private settle(running: boolean): void {
    const now = this.time.now()
    if (running) this.ran += now - this.mark
    this.mark = now
  }

  private probe(): void {
    this.settle(false)
    this.pingAt = this.mark
    this.arm()
    this.ping()
  }

  private isWaiting(): boolean {
    return this.waiting && this.pingAt === undefined
  }

  private arm(): void {
    this.time.stop(this.timer)
    const runAt = this.isWaiting() ? Infinity : this.mark + this.timeoutMs - this.ran
    this.timer = this.time.start(() => this.due(), Math.max(0, Math.ceil(Math.min(runAt, this.wallAt, this.beginAt) - this.time.now())))
  }

  private due(): void {
    const now = this.time.now()
    if (now - this.beginAt > heldUpMs) {
      // That the call has begun may have been said meanwhile, and not been heard.
      this.beginAt = now + heldUpMs
      this.arm()
    } else if (now >= this.beginAt) this.expire('silent')
    else if (now >= this.wallAt) this.expire('wall')
    else if (!this.isWaiting() && this.ran + now - this.mark >= this.timeoutMs) this.expire('timeout')
    else this.arm()
  }
}
