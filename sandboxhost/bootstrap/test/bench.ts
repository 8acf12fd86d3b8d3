import type { Budget } from '../src/protocol.gen'
import { Supervisor, type PortLike, type WorkerFailure } from '../src/supervisor/supervisor'
import { limits } from './realm'

export interface Word { readonly kind: string; readonly [field: string]: unknown }

/** A port whose other end is this test. */
export class End implements PortLike {
  readonly got: unknown[] = []
  onmessage: ((event: MessageEvent) => void) | null = null
  postMessage(message: unknown): void { this.got.push(message) }
  send(data: unknown): void { this.onmessage?.({ data } as MessageEvent) }
}

/** A supervisor with a clock that stands until it is moved. */
export class Bench {
  readonly host = new End()
  readonly tool = new End()
  readonly crypto = new End()
  readonly supervisor: Supervisor
  script = ''
  ended = 0
  loaded = 0
  started = 0
  now = 0
  fail: (failure: WorkerFailure) => void = () => {}
  stray: () => void = () => {}
  private readonly timers = new Map<number, { at: number; run: () => void }>()
  private lastTimer = 0

  constructor(over: Partial<Budget> = {}, program = '"use strict";return (\n() => 1\n)', language = 'javascript', crypto = false) {
    this.supervisor = new Supervisor(this.host, 'RUNTIME\nLINES', {
      time: {
        now: () => this.now,
        start: (run, ms) => { this.timers.set(++this.lastTimer, { at: this.now + ms, run }); return this.lastTimer },
        stop: (timer) => void this.timers.delete(timer as number),
      },
      startTool: (script, _setup, fail, stray) => {
        this.script = script
        this.started++
        this.fail = fail
        this.stray = stray
        return { port: this.tool, loaded: () => this.loaded++, end: () => this.ended++ }
      },
    }, crypto ? this.crypto : undefined)
    this.say({ kind: 'start', name: 'demo', language, program, limits: { ...limits, ...over } })
  }

  /** Moves the clock and fires what is due, in order. */
  pass(ms: number): void {
    const until = this.now + ms
    for (;;) {
      const due = [...this.timers].filter(([, timer]) => timer.at <= until).sort((a, b) => a[1].at - b[1].at)[0]
      if (!due) break
      this.timers.delete(due[0])
      this.now = Math.max(this.now, due[1].at)
      due[1].run()
    }
    this.now = until
  }

  /** Moves the clock while nothing runs: what is due fires late, before any message. */
  stall(ms: number): void {
    this.now += ms
    this.pass(0)
  }

  get open(): number { return this.timers.size }

  say(message: object): void { this.host.send({ text: JSON.stringify(message), blobs: [] }) }
  hear(message: object | string): void { this.tool.send(typeof message === 'string' ? message : JSON.stringify(message)) }
  call(timeoutMs = 1000, wallMs = 5000, id = 1): void {
    this.say({ kind: 'call', call: id, args: {}, timeoutMs, wallMs, context: { task: '', tool: '' } })
    this.tool.send(0)
  }
  ready(): this { this.hear({ kind: 'ready', version: 1 }); return this }
  get words(): Word[] { return this.host.got.map((e) => JSON.parse(typeof e === 'string' ? e : (e as { text: string }).text) as Word) }
  get last(): Word | undefined { return this.words.at(-1) }
  /** Answers the newest internal ping, as an idle tool does. */
  pong(): void { this.tool.send(this.tool.got.filter((m) => typeof m === 'number').at(-1)) }
}

export const running = (over: Partial<Budget> = {}, timeoutMs = 1000, wallMs = 5000, crypto = false): Bench => {
  const bench = new Bench(over, undefined, undefined, crypto).ready()
  bench.call(timeoutMs, wallMs)
  return bench
}
export const ask = (n: number): object => ({ kind: 'ask', call: 1, ask: n, capability: 'fetch', params: {} })
export const answer = (n: number): object => ({ kind: 'answer', call: 1, ask: n, value: 1 })
export const result = { kind: 'result', call: 1, value: 'real' }
