import { list, max, min } from '../../primordials'
import type { Line } from '../../protocol.gen'
import { clip, fits, quote, utf8Length } from '../../text'

export type Level = Line['level']

/** How many lines a call may keep, and how many bytes they may take as they are sent, escapes and all. */
export interface LogBounds {
  readonly lines: number
  readonly bytes: number
}

/** The first lines of a call leave at once: they are the ones that tell where a tool hung that never returns. */
const eager = 8
const batch = 64
const batchBytes = 65536
/** The longest a line waits while the tool is not busy, milliseconds. */
export const flushMs = 50

/** The cap that core/protocol sets on one line. */
const textCap = 262144

/**
 * The log of one call. The first half of what may be kept is sent as it comes, the last half is held in a ring and sent by
 * end(); what was pushed out of the ring is counted.
 */
export class Logbook {
  private sent = 0
  private pending = ''
  private pendingLines = 0
  private headLines: number
  private headBytes: number
  private readonly lineBytes: number
  private readonly tail: Tail

  /** send takes the JSON texts of lines, joined by commas, and how many were dropped before them. */
  constructor(
    bounds: LogBounds,
    private readonly send: (lines: string, dropped: number) => void,
  ) {
    this.headLines = bounds.lines - (bounds.lines >> 1)
    this.headBytes = bounds.bytes - (bounds.bytes >> 1)
    this.lineBytes = min(textCap, max(0, bounds.bytes >> 2))
    this.tail = new Tail(bounds.lines >> 1, bounds.bytes >> 1)
  }

  /** Whether lines wait to be sent. */
  get waiting(): boolean {
    return this.pendingLines > 0
  }

  /** How many bytes of a text are kept; callers need not make longer ones. */
  get longest(): number {
    return this.lineBytes
  }

  add(level: Level, text: string): void {
    const line = `{"level":"${level}","text":${this.quoted(text)}}`
    if (this.headLines === 0) return this.tail.add(line)
    const bytes = utf8Length(line)
    if (bytes > this.headBytes) {
      this.headLines = 0
      return this.tail.add(line)
    }
    this.headLines--
    this.headBytes -= bytes
    this.pending += (this.pendingLines++ > 0 ? ',' : '') + line
    if (++this.sent <= eager || this.pendingLines >= batch || this.pending.length >= batchBytes) this.flush()
  }

  /** A copy, so that a kept line holds on to nothing that the tool once had. */
  private quoted(text: string): string {
    const quoted = quote(clip(text, this.lineBytes))
    // A control character takes six bytes.
    return fits(quoted, this.lineBytes) ? quoted : quote(clip(text, (this.lineBytes / 6) | 0))
  }

  flush(): void {
    if (this.pendingLines === 0) return
    const lines = this.pending
    this.pending = ''
    this.pendingLines = 0
    this.send(lines, 0)
  }

  /** Sends what is left. */
  end(): void {
    this.flush()
    this.tail.drain(this.send)
  }
}

/**
 * The latest lines, as many as fit. While lines come only their lengths are looked at, which are never more than their bytes:
 * a tool in a tight loop pays for no more than that.
 */
class Tail {
  private readonly lines = list<string>()
  private first = 0 // of the kept ones, counted from the first line ever added
  private next = 0
  private length = 0

  constructor(
    private readonly most: number,
    private readonly mostBytes: number,
  ) {}

  add(line: string): void {
    if (this.most === 0) {
      this.first = ++this.next
      return
    }
    if (this.next - this.first === this.most) this.drop()
    this.lines[this.next++ % this.most] = line
    this.length += line.length
    while (this.length > this.mostBytes) this.drop()
  }

  private drop(): void {
    const slot = this.first++ % this.most
    this.length -= (this.lines[slot] as string).length
    this.lines[slot] = ''
  }

  drain(send: (lines: string, dropped: number) => void): void {
    let dropped = this.fitting()
    let lines = ''
    let count = 0
    for (let i = dropped; i < this.next; i++) {
      lines += (count++ > 0 ? ',' : '') + (this.lines[i % this.most] as string)
      if (count < batch && lines.length < batchBytes) continue
      send(lines, dropped)
      lines = ''
      count = dropped = 0
    }
    if (count > 0 || dropped > 0) send(lines, dropped)
    this.first = this.next = 0
  }

  /** The number of the first of the latest lines that fit together. */
  private fitting(): number {
    let at = this.next
    let bytes = 0
    while (at > this.first) {
      bytes += utf8Length(this.lines[(at - 1) % this.most] as string)
      if (bytes > this.mostBytes) break
      at--
    }
    return at
  }
}
