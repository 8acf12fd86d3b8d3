import { Conversation } from '../conversation'
import { begun, clean, freshMs, leftover, overrun, type Setup } from '../internal'
import { largest, parseMessage } from '../protocol'
import type { Call, Chunk, Crashed, Flooded, Message, Start } from '../protocol.gen'
import { clip } from '../text'
import { CallClock, heldUpMs, type Expired, type Time } from './clock'
import { CryptoGate, isCrypto } from './cryptogate'
import { Flood, type FloodReason } from './flood'
import { toolScript, type ToolScript } from './script'
import { forward, open } from './wire'

/** A port of either side. */
export interface PortLike {
  postMessage(message: unknown, transfer: Transferable[]): void
  onmessage: ((event: MessageEvent) => void) | null
}

/** How the tool's worker ended by itself, as far as the engine says. */
export interface WorkerFailure {
  readonly message: string
  readonly line: number
  readonly column: number
}

/** The tool's worker as the supervisor sees it. */
export interface ToolWorker {
  readonly port: PortLike
  /** Lets go of the script: the worker has it. */
  loaded(): void
  /** Ends the worker and lets go of everything that was opened for it. */
  end(): void
}

/** How long a worker that has had a call may take to begin the next one, unless half of the call's own time is shorter. */
const takeUpMs = 1000

/** How many messages of log and progress each call may send uncounted: many short calls that say a little are no flood. */
const freeWords = 4

/** Powers that a supervisor needs. */
export interface Powers {
  readonly time: Time
  /** Starts the tool's worker with a script; failed and stray are called for errors and for messages beside the port. */
  startTool(script: string, setup: Setup, failed: (failure: WorkerFailure) => void, stray: () => void): ToolWorker
}

/**
 * Stands between the host and one tool.
 *
 * 1. The host's port never leaves this realm. What a tool says reaches the host only through fromTool.
 * 2. A text is forwarded as it came, after it was found to be a message of the tool in its turn. It is parsed once, here, and
 *    once more where it is acted on.
 * 3. What has no form or no turn is dropped and counted; too much of it, or of anything, ends the tool as flooded.
 * 4. What a call, a ping or an answer of the host asked for is not counted: its pace is the host's. Bodies of asks are counted apart.
 * 5. The clock of a call is owned here, since a page's timers are throttled in the background.
 * 6. A worker in which code of an ended call goes on is replaced by a new one with the same script before the next call: when
 *    the runtime says so, or when the next call is not begun in time. The host need not know. Of a worker that has just come to rest
 *    it expects no such word: what could wake up in that moment costs the call its own time, and nothing else.
 * 7. It speaks itself once, to say how the sandbox ended, and is deaf to both sides from then on.
 */
export class Supervisor {
  private readonly talk = new Conversation()
  private tool: ToolWorker | undefined
  private source: ToolScript | undefined
  private nesting = 0
  private flood: Flood | undefined
  private clock: CallClock | undefined
  private launch: () => ToolWorker = () => { throw new Error('no start') }
  private reviving = false // a worker that replaces one has not said ready
  private used = false // the worker has had a call
  private unbegun: { readonly call: Call; readonly data: unknown; readonly at: number } | undefined
  private presumed = false // unbegun, and no word is expected
  private takeUp: unknown
  private resting = false // a call has ended, and the worker has not said that it is clean
  private cleanAt: number | undefined // when it said so; undefined: it has had a call since
  private gate: CryptoGate | undefined
  private words = 0 // of log and progress in the running call
  private pings = 0
  private pongs = 0
  private readonly asked = new Map<number, number>() // asks that wait for their answer, with the bytes of their bodies

  constructor(
    private readonly host: PortLike,
    private readonly runtime: string,
    private readonly powers: Powers,
    private readonly crypto?: PortLike,
  ) {
    host.onmessage = (event) => this.fromHost(event.data)
  }

  /** Ends the sandbox for a reason of the supervisor's own. */
  crash(reason: Crashed['reason'], message: string, place?: { line: number; column: number }): void {
    this.finish({ kind: 'crashed', call: this.running(), reason, message: clip(message, 4096), ...place })
  }

  private fromHost(data: unknown): void {
    // The host's heartbeat: that it comes back shows that this process lives.
    if (typeof data === 'number') return this.host.postMessage(data, [])
    if (this.talk.state === 'ended') return
    const opened = open(data, largest)
    const message = typeof opened === 'object' && parseMessage(opened.text, opened.blobs, 'host', this.nesting)
    if (!message || typeof message === 'string') return this.crash('error', 'a message of the host has no form')
    const turn = this.talk.next('host', message)
    if (turn === 'late') return
    if (turn === 'breach') return this.crash('error', `the host's "${message.kind}" is out of turn`)
    switch (message.kind) {
      case 'start':
        return this.start(message)
      case 'cancel':
        return this.end()
    }
    if (message.kind === 'call') return this.call(message, data)
    // On its way first: what is noted here need not keep the tool waiting.
    if (this.tool) forward(this.tool.port, data)
    if (message.kind === 'answer') this.answered(message.ask)
    else if (message.kind === 'chunk') this.flowed(message)
  }

  /** A call that is not begun may have to be said again, to another worker. */
  private call(call: Call, data: unknown): void {
    if (this.tool) forward(this.tool.port, data, true)
    this.presumed = false
    this.unbegun = { call, data, at: this.powers.time.now() }
    this.begin(call)
    if (!this.used) return
    // Twice, for clocks that an engine makes coarse on purpose.
    if (this.cleanAt !== undefined && this.unbegun.at - this.cleanAt < 2 * freshMs) return this.presume()
    this.expectBegin(Math.min(takeUpMs, call.timeoutMs / 2, call.wallMs / 2))
  }

  /** Takes it that a call begins of which the runtime will not say so. Should it be left behind after all, it can be said again. */
  private presume(): void {
    this.cleanAt = undefined
    this.presumed = true
    this.powers.time.stop(this.takeUp)
    this.clock?.begin()
  }

  /** Gives the worker a time to begin. A timer that is late was held up, and the worker's word may have been held up behind it. */
  private expectBegin(ms: number): void {
    const due = this.powers.time.now() + ms
    this.takeUp = this.powers.time.start(() => {
      if (this.powers.time.now() - due > heldUpMs) this.expectBegin(heldUpMs)
      else this.replace()
    }, ms)
  }

  /** Puts a new worker in the place of one that does not belong to the next call alone, and says to it the call that waits, if any. */
  private replace(): void {
    this.tool?.end()
    this.powers.time.stop(this.takeUp)
    this.reviving = true
    this.used = this.resting = this.presumed = false
    this.cleanAt = undefined
    this.pings = this.pongs = 0
    this.tool = this.launch()
    if (!this.unbegun) return
    const { call, data, at } = this.unbegun
    forward(this.tool.port, data, true)
    // The time until now was not the tool's.
    this.begin({ ...call, wallMs: Math.max(1, call.wallMs - (this.powers.time.now() - at)) })
  }

  /** The start is the supervisor's alone: the tool gets its script, and what it must know to enforce limits and read stacks. */
  private start(start: Start): void {
    const { limits } = start
    if (start.language !== 'javascript') return this.crash('start', `language "${start.language}": not in this sandbox`)
    this.nesting = limits.nesting
    this.source = toolScript(this.runtime, start)
    const { script } = this.source
    const flood = (this.flood = new Flood(limits, this.powers.time.now()))
    this.gate = this.crypto && new CryptoGate(this.crypto, this.powers.time, limits, (answer) => {
      this.flood?.expected()
      this.tool?.port.postMessage(answer, [...answer.blobs])
    })
    const { text } = this.source
    this.launch = () => {
      // What is still to come from a worker that was replaced is nobody's.
      const current = (): boolean => this.tool === tool
      const setup = { script, limits, subtle: this.crypto !== undefined, spent: flood.spent(this.powers.time.now()) }
      const tool = this.powers.startTool(text, setup, (failure) => current() && this.failed(failure), () => current() && this.bad())
      tool.port.onmessage = (event) => current() && this.fromTool(event.data)
      return tool
    }
    this.tool = this.launch()
  }

  private begin(call: Call): void {
    this.clock?.stop()
    this.clock = new CallClock(
      this.powers.time, call.timeoutMs, call.wallMs,
      () => this.tool?.port.postMessage(++this.pings, []),
      (reason) => this.crash(reason, expired(reason, call)),
    )
  }

  private fromTool(data: unknown): void {
    if (this.talk.state === 'ended') return
    const over = this.flood?.message(this.powers.time.now())
    if (over) return this.drown(over)
    if (typeof data === 'number') return this.internal(data)
    if (this.reviving) return this.revived(data)
    if (isCrypto(data)) return this.encrypt(data)
    const opened = open(data, largest)
    if (opened === undefined) return this.bad()
    if (opened === 'size') return this.drown('size')
    const message = parseMessage(opened.text, opened.blobs, 'tool', this.nesting)
    if (message === 'size') return this.drown('size')
    if (message === 'malformed') return this.bad()
    if (message.kind !== 'result' && message.kind !== 'failure') {
      const reason = this.flood?.size(opened.textBytes) ?? this.flood?.body(opened.blobBytes)
      if (reason) return this.drown(reason)
    }
    const turn = this.talk.next('tool', message)
    if (turn === 'breach') return this.bad()
    if (turn === 'late') return
    forward(this.host, data)
    if (message.kind !== 'pong') this.heard()
    this.follow(message, opened.blobBytes)
  }

  /** The first word of a worker that replaces one; the host has heard it of the first. */
  private revived(data: unknown): void {
    const message = typeof data === 'string' ? parseMessage(data, 0, 'tool', this.nesting) : 'malformed'
    if (typeof message !== 'object' || message.kind !== 'ready') return this.bad()
    this.reviving = false
    this.flood?.expected()
    this.tool?.loaded()
  }

  /** Pings are answered in their order. One of a call or a wait that is over says nothing. */
  private internal(number: number): void {
    if (number === begun) return this.begun()
    if (number === clean) return this.clean()
    if (number === leftover) return this.used && (this.unbegun || this.talk.state === 'idle') ? this.replace() : this.bad()
    if (number === overrun) return this.drown('messages')
    if (number !== this.pongs + 1 || number > this.pings) return this.bad()
    this.pongs = number
    this.flood?.expected()
    if (number === this.pings) this.clock?.pong()
  }

  /** Cryptography is of a call, as asks are. */
  private encrypt(data: unknown): void {
    if (!this.gate || this.talk.state !== 'running' || (this.unbegun && !this.presumed)) return this.bad()
    this.heard()
    const over = this.gate.ask(data)
    if (over === 'malformed') this.bad()
    else if (over) this.drown(over)
  }

  /** Whatever the code of a presumed call says shows that it has begun. */
  private heard(): void {
    if (this.presumed) this.unbegun = undefined
    this.presumed = false
  }

  private begun(): void {
    if (this.unbegun) this.flood?.expected()
    this.unbegun = undefined
    this.presumed = false
    this.used = true
    this.powers.time.stop(this.takeUp)
    this.clock?.begin()
  }

  /** Comes once after each call, unless the next one was faster. It may cross that one on its way. */
  private clean(): void {
    if (!this.resting || (this.talk.state === 'running' && !this.unbegun)) return this.bad()
    this.resting = false
    this.flood?.expected()
    if (this.unbegun) this.presume()
    else this.cleanAt = this.powers.time.now()
  }

  /** The answer gives an ask and its bodies back, also when a body of its own follows; that the host had to read its text stays true. */
  private answered(ask: number): void {
    this.flood?.expected()
    this.flood?.answered(this.asked.get(ask) ?? 0)
    this.asked.delete(ask)
    this.settled()
  }

  /** To withdraw costs nothing beside the ask, of which no answer has given anything back if there was none. */
  private withdrawn(ask: number): void {
    this.flood?.expected()
    this.asked.delete(ask)
    this.settled()
  }

  /** A piece of a body may be answered with credit, at the pace of the host. */
  private flowed({ last }: Chunk): void {
    if (last) this.settled()
    else this.flood?.expected()
  }

  private settled(): void {
    if (this.talk.openAsks === 0) this.clock?.resume()
  }

  private follow(message: Message, blobBytes: number): void {
    switch (message.kind) {
      case 'ready':
        return this.tool?.loaded()
      case 'ask':
        this.asked.set(message.ask, blobBytes)
        return this.clock?.wait()
      case 'ask_cancel':
        return this.withdrawn(message.ask)
      case 'result':
      case 'failure':
        this.clock?.stop()
        this.clock = undefined
        this.unbegun = this.cleanAt = undefined
        this.resting = true
        this.powers.time.stop(this.takeUp)
        this.gate?.end()
        this.asked.clear()
        this.flood?.expected(1 + Math.min(this.words, freeWords))
        this.words = 0
        return
      case 'log':
      case 'progress':
        this.words++
        return
      case 'pong':
        this.flood?.expected()
    }
  }

  private bad(): void {
    const reason = this.flood?.bad()
    if (reason) this.drown(reason)
  }

  private drown(reason: FloodReason): void {
    this.finish({ kind: 'flooded', call: this.running(), reason, count: this.flood?.count(reason) ?? 0 })
  }

  /** An error of the worker itself. The author's place is kept, a place in the runtime or the wrapper tells nobody anything. */
  private failed(failure: WorkerFailure): void {
    const message = failure.message.replace(/^Uncaught /, '') || 'the engine gives no reason'
    const { before, lines } = this.source?.script ?? { before: 0, lines: 0 }
    const line = failure.line - before
    const place = line >= 1 && line <= lines ? { line, column: failure.column } : undefined
    if (this.talk.state === 'starting') this.crash('start', `the code did not start: ${message}`, place)
    else this.crash('error', `the worker died: ${message}`, place)
  }

  private running(): number {
    return this.talk.state === 'running' ? this.talk.call : 0
  }

  /** Says the last word, unless it was said or the host has cancelled. */
  private finish(word: Crashed | Flooded): void {
    if (this.talk.state === 'ended') return
    this.end()
    this.host.postMessage(JSON.stringify(word), [])
  }

  private end(): void {
    this.talk.end()
    this.clock?.stop()
    this.powers.time.stop(this.takeUp)
    this.gate?.stop()
    this.tool?.end()
  }
}

function expired(reason: Expired, call: Call): string {
  switch (reason) {
    case 'wall':
      return `the call took longer than ${call.wallMs} ms in all`
    case 'timeout':
      return `the tool ran longer than ${call.timeoutMs} ms`
    case 'silent':
      return 'the call did not start: what an earlier call left behind keeps the worker busy'
  }
}
