import { apply, hasOwn, isObject, min, parse } from '../primordials'
import { freshMs } from '../internal'
import { sizes, version, type Answer, type Budget, type Call as CallMessage, type Chunk, type Ping } from '../protocol.gen'
import type { Script } from '../stack'
import { decodeValue } from '../values/decode'
import { CannotTravel, encodeValue } from '../values/encode'
import { describeQuietly } from '../values/error'
import { Call } from './call'
import { Lifetime, type Phase } from './lifetime'
import type { Link } from './link'
import { Subtle } from './crypto/subtle'
import { fetchOf } from './fetch/fetch'
import { Console } from './log/console'
import { inspect } from './log/inspect'
import type { Level } from './log/logbook'
import { Pace } from './pace'
import { settle } from './settle'
import { failureOf, invalidResult, isError, traceOf } from './thrown'
import { Timers } from './timers'

/** The program: its top level runs when it is called, and gives the tool's function. */
export type Program = () => Promise<unknown>

/** What a runtime knows of its tool. */
export interface Knowledge {
  readonly script: Script
  readonly limits: Budget
  /** Bytes of bodies of asks that are still counted, of a worker before this one. */
  readonly spent: number
}

/** A result's value in its message. */
const maxResult = sizes.result - 128

const noFunction = '"code":"tool_error","error":{"name":"Error","message":"the code gave no function"}'

type Tool = (args: unknown, context: object) => unknown

/**
 * Runs one tool, call after call, and says what became of each.
 *
 * It shares its realm with the tool, and is the tool's in the eyes of everyone outside: nothing rests on its honesty but the
 * fate of the tool's own calls. What it must do is stay whole when a tool patches what the language has: it uses captured
 * functions, gives none of its objects away, and awaits nothing but what tools return.
 */
export class Runtime {
  private call: Call | undefined
  private tool: Tool | undefined
  private link: Link | undefined
  private setup: Knowledge | undefined
  private program: Program | undefined
  private phase: Phase = 'idle'
  readonly lifetime = new Lifetime({
    phase: () => this.phase,
    call: () => this.call?.id ?? 0,
    timer: (run, ms) => void this.timers.make(run, ms as number, [], false),
    leftover: () => this.leftover(),
    rested: () => this.rested(),
  })
  private ended = false // a call, after which the worker has not said that it is clean
  private cleanAt: number | undefined // when it said so; undefined: something has happened since
  private subtle: Subtle | undefined
  private pace: Pace | undefined
  readonly timers = new Timers(() => this.lifetime.open())
  readonly console: Console
  /** The `fetch` of whichever call runs. */
  readonly fetch = fetchOf(() => (this.lifetime.open() ? this.call?.asks : undefined))

  constructor(private readonly now: () => number) {
    this.console = new Console({
      room: () => (this.lifetime.open() ? (this.call?.room ?? 0) : 0),
      add: (level, text) => this.log(level, text),
      now,
      errorText: (error) => this.errorText(error),
      framesOf: (error) => (this.setup ? traceOf(error, this.setup.script).text : ''),
    })
  }

  /** Begins: messages may come from now on. No tool code runs before the first call. */
  start(setup: Knowledge, program: Program, link: Link): void {
    this.setup = setup
    this.program = program
    this.link = link
    this.pace = new Pace(setup.limits, setup.spent, () => this.call?.asks.pump())
    this.send(`{"kind":"ready","version":${version}}`)
  }

  /** Makes the cryptography that tools see, before there is tool code. */
  cryptography(link: Link): Subtle {
    return (this.subtle = new Subtle({ call: () => this.call?.id ?? 0, link, lifetime: this.lifetime }))
  }

  receive(text: string, blobs: readonly ArrayBuffer[]): void {
    const message = parse(text) as CallMessage | Answer | Chunk | Ping
    switch (message.kind) {
      case 'call':
        return this.onCall(message)
      case 'answer':
        if (message.call !== this.call?.id) return
        return this.call.asks.answer(
          message.ask,
          decodeValue(message.value),
          blobs,
          hasOwn(message, 'body') && message.body === true,
          hasOwn(message, 'error') ? message.error : undefined,
        )
      case 'chunk':
        if (message.call !== this.call?.id) return
        return this.call.asks.chunk(message, blobs[0], hasOwn(message, 'error') ? message.error : undefined)
      case 'ping':
        return this.send(`{"kind":"pong","seq":${message.seq}}`)
    }
  }

  /** An error that nothing caught: a line in the log of the call that runs, if one does. */
  uncaught(thrown: unknown): void {
    const text = isObject(thrown) && isError(thrown) ? this.errorText(thrown) : inspect(thrown, 1000, (error) => this.errorText(error))
    this.log('warn', `uncaught: ${text}`)
  }

  private send(text: string): void {
    this.link?.send(text)
  }

  private log(level: Level, text: string): void {
    this.call?.log(level, text)
  }

  private errorText(error: object): string {
    const frames = this.setup ? traceOf(error, this.setup.script).text : ''
    return describeQuietly(error) + (frames === '' ? '' : `\n${frames}`)
  }

  private onCall(message: CallMessage): void {
    const call = new Call(message, (this.setup as Knowledge).limits, this.link as Link, this.pace as Pace)
    this.call = call
    this.console.reset()
    this.announce()
    if (this.tool) return this.run(call, this.tool)
    // The top level runs in the first call. When it throws, it runs again in the next.
    this.phase = 'top'
    this.attempt(call, this.program as Program, (tool) => {
      if (call !== this.call) return
      if (typeof tool !== 'function') return this.finish(call, noFunction)
      this.run(call, (this.tool = tool as Tool))
    })
  }

  /** Says that a call begins, unless the supervisor knows that nothing can keep it from that. */
  private announce(): void {
    const fresh = this.cleanAt !== undefined && this.now() - this.cleanAt < freshMs
    this.ended = false
    this.cleanAt = undefined
    if (!fresh) this.link?.begun()
  }

  private rested(): void {
    if (!this.ended || this.phase !== 'idle') return
    this.ended = false
    this.cleanAt = this.now()
    this.link?.clean()
  }

  private leftover(): void {
    this.ended = false
    this.cleanAt = undefined
    this.link?.leftover()
  }

  private run(call: Call, tool: Tool): void {
    this.phase = 'call'
    this.attempt(call, () => apply(tool, undefined, [call.args, call.context()]), (value) => this.succeed(call, value))
  }

  /** Runs tool code and waits for what it gives. What comes after the call has ended is nobody's. */
  private attempt(call: Call, run: () => unknown, ok: (value: unknown) => void): void {
    const failed = (thrown: unknown): void => this.fail(call, thrown)
    let value: unknown
    try {
      value = run()
    } catch (thrown) {
      return failed(thrown)
    }
    settle(value, ok, failed)
  }

  private fail(call: Call, thrown: unknown): void {
    if (call !== this.call) return
    const { script, limits } = this.setup as Knowledge
    this.finish(call, failureOf(thrown, script, limits.nesting))
  }

  /** Reading a result runs tool code, so it is part of the call. */
  private succeed(call: Call, value: unknown): void {
    if (call !== this.call) return
    const { limits } = this.setup as Knowledge
    let text: string
    try {
      text = encodeValue(value, { nesting: limits.nesting, bytes: min(limits.resultBytes, maxResult) })
    } catch (problem) {
      return this.finish(call, invalidResult(problem as CannotTravel))
    }
    this.end(call)
    this.send(`{"kind":"result","call":${call.id},"value":${text}}`)
  }

  private finish(call: Call, failure: string): void {
    this.end(call)
    this.send(`{"kind":"failure","call":${call.id},${failure}}`)
  }

  /** What the tool still does in reaction to this is part of the call; after it nothing of the call is. */
  private end(call: Call): void {
    call.end()
    this.timers.clearAll()
    this.phase = 'idle'
    this.call = undefined
    this.ended = true
    this.lifetime.end()
    this.subtle?.end()
  }
}
