import { Conversation } from '../conversation'
import { begun, type Setup } from '../internal'
import { largest, parseMessage } from '../protocol'
import type { Call, Crashed, Flooded, Message, Start } from '../protocol.gen'
import { clip } from '../text'
import { CallClock, type Expired, type Time } from './clock'
import { Flood, type FloodReason } from './flood'
import { toolScript, type ToolScript } from './script'
import { open, type Envelope } from './wire'

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

/** Powers that a supervisor needs. */
export interface Powers {
  readonly time: Time
  /** Starts the tool's worker with a script; failed and stray are called for errors and for messages beside the port. */
  startTool(script: string, setup: Setup, failed: (failure: WorkerFailure) => void, stray: () => void): ToolWorker
}

/**
 * Stands between the host and one tool: starts the tool's worker, lets through what the protocol allows, owns the clocks, and
 * ends the worker when it must. It forwards texts as they are, and speaks itself only to say how the sandbox ended.
 */
export class Supervisor {
  private readonly talk = new Conversation()
  private tool: ToolWorker | undefined
  private source: ToolScript | undefined
  private nesting = 0
  private flood: Flood | undefined
  private clock: CallClock | undefined
  private pings = 0

  constructor(
    private readonly host: PortLike,
    private readonly runtime: string,
    private readonly powers: Powers,
  ) {
    host.onmessage = (event) => this.fromHost(event.data)
  }

  /** Ends the sandbox for a reason of the supervisor's own. */
  crash(reason: Crashed['reason'], message: string, line = 0, column = 0): void {
    const place = line > 0 ? { line, column } : {}
    this.finish({ kind: 'crashed', call: this.running(), reason, message: clip(message, 4096), ...place })
  }

  private fromHost(data: unknown): void {
    if (this.talk.state === 'ended') return
    const opened = open(data, largest)
    const message = typeof opened === 'object' && parseMessage(opened.text, opened.blobs, 'host', this.nesting)
    if (!message || typeof message === 'string') return this.crash('error', 'a message of the host has no form')
    if (this.talk.next('host', message) !== 'accepted') return this.crash('error', `the host's "${message.kind}" is out of turn`)
    switch (message.kind) {
      case 'start':
        return this.start(message)
      case 'cancel':
        return this.end()
      case 'call':
        this.begin(message)
        break
      case 'answer':
        if (this.talk.openAsks === 0) this.clock?.resume()
    }
    this.toTool(data)
  }

  private toTool(data: unknown): void {
    const { text, blobs } = data as Envelope
    if (blobs.length === 0) this.tool?.port.postMessage(text, [])
    else this.tool?.port.postMessage({ text, blobs }, [...blobs])
  }

  private start(start: Start): void {
    const { limits } = start
    if (start.language !== 'javascript') return this.crash('start', `language "${start.language}": not in this sandbox`)
    this.nesting = limits.nesting
    this.flood = new Flood(limits, this.powers.time.now())
    this.source = toolScript(this.runtime, start)
    const setup = { script: this.source.script, limits }
    this.tool = this.powers.startTool(this.source.text, setup, (failure) => this.failed(failure), () => this.bad())
    this.tool.port.onmessage = (event) => this.fromTool(event.data)
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
    const opened = open(data, largest)
    if (opened === undefined) return this.bad()
    if (opened === 'size') return this.drown('size')
    const message = parseMessage(opened.text, opened.blobs, 'tool', this.nesting)
    if (message === 'size') return this.drown('size')
    if (message === 'malformed') return this.bad()
    if (message.kind !== 'result') {
      const reason = this.flood?.size(opened.bytes)
      if (reason) return this.drown(reason)
    }
    const turn = this.talk.next('tool', message)
    if (turn === 'breach') return this.bad()
    if (turn === 'late') return
    this.follow(message)
    const { text, blobs } = typeof data === 'string' ? { text: data, blobs: [] } : (data as Envelope)
    this.host.postMessage({ text, blobs }, [...blobs])
  }

  /** A pong or a begun that is late says nothing. */
  private internal(number: number): void {
    if (number === begun) return this.clock?.begin() ? this.flood?.expected() : undefined
    if (number !== this.pings) return number > 0 && number < this.pings ? undefined : this.bad()
    if (this.clock?.pong()) this.flood?.expected()
  }

  private follow(message: Message): void {
    switch (message.kind) {
      case 'ready':
        return this.tool?.loaded()
      case 'ask':
        return this.clock?.wait()
      case 'ask_cancel':
        if (this.talk.openAsks === 0) this.clock?.resume()
        return
      case 'result':
      case 'failure':
        this.clock?.stop()
        this.clock = undefined
        this.flood?.expected()
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

  private failed(failure: WorkerFailure): void {
    const message = failure.message.replace(/^Uncaught /, '') || 'the engine gives no reason'
    const starting = this.talk.state === 'starting'
    const { before, lines } = this.source?.script ?? { before: 0, lines: 0 }
    const line = failure.line - before
    const known = line >= 1 && line <= lines
    this.crash(starting ? 'start' : 'error', starting ? `the code did not start: ${message}` : `the worker died: ${message}`, known ? line : 0, known ? failure.column : 0)
  }

  private running(): number {
    return this.talk.state === 'running' ? this.talk.call : 0
  }

  /** Says the last word. */
  private finish(word: Crashed | Flooded): void {
    if (this.talk.state === 'ended') return
    this.end()
    this.host.postMessage({ text: JSON.stringify(word), blobs: [] }, [])
  }

  private end(): void {
    this.talk.end()
    this.clock?.stop()
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
