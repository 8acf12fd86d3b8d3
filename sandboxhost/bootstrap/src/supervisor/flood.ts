import type { Budget, Flooded } from '../protocol.gen'

export type FloodReason = Flooded['reason']

/** How many malformed messages a tool may send before it is ended. Our runtime sends none. */
export const maxMalformed = 8

/** In how many windows time alone fills the bucket of bodies. */
export const bodyRefill = 10

/**
 * Counts what a tool sends, as three buckets that refill with time: in any window at most one bucket more than the window's budget
 * passes, and a supervisor that was held up does not blame the tool for what has queued. Bodies of asks have a bucket of their
 * own, which the answers fill again, and time slowly.
 */
export class Flood {
  private messages: number
  private bytes: number
  private bodies: number
  private at: number
  private total = 0
  private malformed = 0

  constructor(
    private readonly budget: Budget,
    now: number,
  ) {
    this.messages = budget.messagesPerWindow
    this.bytes = budget.bytesPerWindow
    this.bodies = budget.bodyBytes
    this.at = now
  }

  /** How many messages, or how many malformed ones, there were so far. */
  count(reason: FloodReason): number {
    return reason === 'malformed' ? this.malformed : this.total
  }

  /** Counts one message; says which budget it passes. */
  message(now: number): FloodReason | undefined {
    this.refill(now)
    this.total++
    return this.messages-- < 1 ? 'messages' : undefined
  }

  /** Takes back the count of messages that were asked for or have been answered: the host's own pace bounds how many there are. */
  expected(messages = 1): void {
    this.messages += messages
  }

  /** Counts the bytes of one message that does not end a call. */
  size(bytes: number): FloodReason | undefined {
    this.bytes -= bytes
    return this.bytes < 0 ? 'bytes' : undefined
  }

  /** Counts the bytes of the bodies of one ask. */
  body(bytes: number): FloodReason | undefined {
    this.bodies -= bytes
    return this.bodies < 0 ? 'bytes' : undefined
  }

  /** Takes back the count of the bodies of an ask that the host has answered. */
  answered(bytes: number): void {
    this.bodies = Math.min(this.budget.bodyBytes, this.bodies + bytes)
  }

  /** How many bytes of bodies are counted at present. */
  spent(now: number): number {
    this.refill(now)
    return Math.ceil(this.budget.bodyBytes - this.bodies)
  }

  /** Counts one message that was dropped for its form or its turn. */
  bad(): FloodReason | undefined {
    return ++this.malformed > maxMalformed ? 'malformed' : undefined
  }

  private refill(now: number): void {
    const { messagesPerWindow, bytesPerWindow, bodyBytes, windowMs } = this.budget
    const windows = (now - this.at) / windowMs
    this.at = now
    this.messages = Math.min(messagesPerWindow, this.messages + windows * messagesPerWindow)
    this.bytes = Math.min(bytesPerWindow, this.bytes + windows * bytesPerWindow)
    this.bodies = Math.min(bodyBytes, this.bodies + (windows * bodyBytes) / bodyRefill)
  }
}
