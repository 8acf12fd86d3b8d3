import { forget, maxBytes, maxOpen, maxOpenBytes, maxText, maxWorking, type CryptoMessage, type Numbered } from '../crypto/words'
import type { Budget } from '../protocol.gen'
import type { Time } from './clock'
import type { FloodReason } from './flood'
import type { PortLike } from './supervisor'

/** The answer to an ask that was let through. */
export type Answered = (message: CryptoMessage) => void

interface Ask {
  readonly message: CryptoMessage
  readonly bytes: number
}

/**
 * The way from a tool to its frame's cryptography, at a pace that keeps the frame's thread free whatever the tool asks: only so
 * many asks are open, fewer are worked on, and each window lets through as many as the tool may send messages. It is closed
 * between calls, and with each end of one the frame forgets its keys.
 */
export class CryptoGate {
  private queue: Ask[] = []
  private readonly working = new Map<number, Ask | undefined>() // what the frame has, without those whose call has ended
  private open = 0
  private openBytes = 0
  private asked = 0
  private used = false
  private permits: number
  private at: number
  private timer: unknown

  constructor(
    private readonly port: PortLike,
    private readonly time: Time,
    private readonly budget: Budget,
    private readonly answered: Answered,
  ) {
    this.permits = budget.messagesPerWindow
    this.at = time.now()
    port.onmessage = (event) => this.fromFrame(event.data as Numbered)
  }

  /** Takes one ask; says which bound it passes. */
  ask(data: unknown): FloodReason | undefined {
    const ask = read(data)
    if (typeof ask === 'string') return ask
    this.open++
    this.openBytes += ask.bytes
    if (this.open > maxOpen) return 'messages'
    if (this.open > 1 && this.openBytes > maxOpenBytes) return 'bytes'
    this.queue.push(ask)
    this.pump()
    return undefined
  }

  /** The end of a call: its asks and its keys are forgotten. What the frame works on still takes its place there. */
  end(): void {
    if (!this.used) return
    this.used = false
    this.queue = []
    this.open = this.openBytes = 0
    for (const n of this.working.keys()) this.working.set(n, undefined)
    this.port.postMessage(forget, [])
  }

  stop(): void {
    this.time.stop(this.timer)
  }

  private pump(): void {
    this.used = true
    this.refill()
    while (this.queue.length > 0 && this.working.size < maxWorking) {
      if (this.permits < 1) return this.later()
      this.permits--
      const ask = this.queue.shift() as Ask
      const { crypto, blobs } = ask.message
      this.working.set(++this.asked, ask)
      this.port.postMessage({ n: this.asked, crypto, blobs }, [...blobs])
    }
  }

  private later(): void {
    this.time.stop(this.timer)
    this.timer = this.time.start(() => this.pump(), Math.ceil(this.budget.windowMs / this.budget.messagesPerWindow))
  }

  private refill(): void {
    const { messagesPerWindow, windowMs } = this.budget
    const now = this.time.now()
    this.permits = Math.min(messagesPerWindow, this.permits + ((now - this.at) / windowMs) * messagesPerWindow)
    this.at = now
  }

  private fromFrame({ n, crypto, blobs }: Numbered): void {
    const ask = this.working.get(n)
    this.working.delete(n)
    if (ask) {
      this.open--
      this.openBytes -= ask.bytes
      this.answered({ crypto, blobs })
    }
    if (this.queue.length > 0) this.pump()
  }
}

function read(data: unknown): Ask | FloodReason {
  const { crypto, blobs } = data as Partial<CryptoMessage>
  if (typeof crypto !== 'string' || !Array.isArray(blobs) || blobs.length > maxOpen) return 'malformed'
  let bytes = crypto.length
  for (const blob of blobs as unknown[]) {
    if (!(blob instanceof ArrayBuffer)) return 'malformed'
    bytes += blob.byteLength
  }
  if (crypto.length > maxText || bytes > maxBytes + maxText) return 'size'
  return { message: { crypto, blobs: blobs as ArrayBuffer[] }, bytes }
}

/** Whether what came from a tool is meant for its frame's cryptography. */
export function isCrypto(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'crypto' in data
}
