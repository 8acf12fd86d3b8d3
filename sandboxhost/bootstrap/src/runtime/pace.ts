import { ceil, floor, max, min } from '../primordials'
import type { Budget } from '../protocol.gen'
import { startTimer } from './timers'

/** Asks that may wait for their answers at once, and be withdrawn at once; more wait here, so that a burst is no flood. */
const maxOpen = 32
/** In how many windows the supervisor's bucket of bodies fills by time alone; one more is left to clocks that differ. */
const bodyWindows = 11

/** One ask, as far as it weighs. */
export interface Load {
  readonly textBytes: number
  readonly bodyBytes: number
}

/**
 * The pace of asks, which stays below what the supervisor takes for a flood, whatever an honest tool asks for: only so many wait for
 * answers, their texts take half of the budget of bytes, and bodies that are not answered never weigh more than their budget.
 * What was given up comes back with time alone. The pace belongs to the worker: calls that follow one another share it.
 */
export class Pace {
  private open = 0
  private withdrawn = 0 // asks in this window
  private text = 0
  private bodies = 0
  private owed: number // bodies that were given up, which time alone gives back
  private ticking = false

  /** spent: bodies that the supervisor counts already. next is called when more may be sent. */
  constructor(
    private readonly limits: Budget,
    spent: number,
    private readonly next: () => void,
  ) {
    this.owed = spent
    if (spent > 0) this.tick()
  }

  /** Half of the budget; the rest is left to everything else that a tool says. */
  get textShare(): number {
    return this.limits.bytesPerWindow >> 1
  }

  /** The largest body of one ask. */
  get mostBody(): number {
    return this.limits.bodyBytes
  }

  private get mostOpen(): number {
    return max(1, min(maxOpen, floor(this.limits.messagesPerWindow / 3)))
  }

  /** Whether an ask may be sent now. */
  admits({ textBytes, bodyBytes }: Load): boolean {
    const body = this.bodies + this.owed
    return this.open + this.withdrawn < this.mostOpen
      && (this.text === 0 || this.text + textBytes <= this.textShare)
      && (bodyBytes === 0 || body + bodyBytes <= this.limits.bodyBytes)
  }

  sent({ textBytes, bodyBytes }: Load): void {
    this.open++
    this.text += textBytes
    this.bodies += bodyBytes
    this.tick()
  }

  answered({ bodyBytes }: Load): void {
    this.open--
    this.bodies -= bodyBytes
  }

  /** An ask that was withdrawn is never answered, and took two messages. */
  withdrew(load: Load): void {
    this.withdrawn++
    this.forgot(load)
    this.tick()
  }

  /** The call of an ask has ended before its answer. */
  forgot(load: Load): void {
    this.answered(load)
    this.owed += load.bodyBytes
    this.tick()
  }

  /** Goes on from window to window as long as something comes back. */
  private tick(): void {
    if (this.ticking) return
    this.ticking = true
    startTimer(() => {
      this.ticking = false
      this.withdrawn = 0
      this.text = this.text > this.textShare ? this.text - this.textShare : 0
      const back = ceil(this.limits.bodyBytes / bodyWindows)
      this.owed = this.owed > back ? this.owed - back : 0
      if (this.text > 0 || this.owed > 0) this.tick()
      this.next()
    }, this.limits.windowMs + 1)
  }
}
