import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import type { Budget, Thrown } from '../src/protocol.gen'
import type { Setup } from '../src/internal'
import { toolScript } from '../src/supervisor/script'

export const limits: Budget = {
  nesting: 64, resultBytes: 1 << 20, inlineTextBytes: 1 << 18, logLines: 1000, logBytes: 256 << 10,
  messagesPerWindow: 256, bytesPerWindow: 1 << 20, windowMs: 100,
}

export interface Said {
  readonly kind: string
  readonly call?: number
  readonly value?: unknown
  readonly lines?: { readonly level: string; readonly text: string }[]
  readonly dropped?: number
  readonly code?: string
  readonly error?: Thrown
  readonly ask?: number
  readonly capability?: string
  readonly params?: unknown
  readonly fraction?: number
  readonly text?: string
  readonly seq?: number
}

type Listener = (event: unknown) => void
const listeners = new WeakMap<object, Map<string, Listener[]>>()

// What a worker's realm has of its engine. These are classes of this realm: a tool in the other one cannot patch what they use.
class FakeTarget {
  addEventListener(type: string, run: Listener): void {
    const all = listeners.get(this) ?? new Map<string, Listener[]>()
    listeners.set(this, all.set(type, [...(all.get(type) ?? []), run]))
  }
  removeEventListener(type: string, run: Listener): void {
    const all = listeners.get(this)
    all?.set(type, (all.get(type) ?? []).filter((other) => other !== run))
  }
}
class FakeEvent {
  readonly #fields: Record<string, unknown>
  constructor(fields: Record<string, unknown>) {
    this.#fields = fields
  }
  get data(): unknown { return this.#fields.data }
  get ports(): unknown { return this.#fields.ports }
  get error(): unknown { return this.#fields.error }
  get reason(): unknown { return this.#fields.reason }
  preventDefault(): void { this.#fields.prevented = true }
  stopImmediatePropagation(): void {}
}
class FakePort extends FakeTarget {
  sent: (data: unknown) => void = () => {}
  postMessage(data: unknown, transfer?: Iterable<unknown>): void {
    this.sent(structuredClone(data, { transfer: [...(transfer ?? [])] as ArrayBuffer[] }))
  }
  start(): void {}
}

function emit(target: object, type: string, event: FakeEvent): void {
  for (const run of listeners.get(target)?.get(type) ?? []) run(event)
}

/** The built tool runtime in a realm of its own, driven as the supervisor drives it. */
export class Realm {
  readonly said: Said[] = []
  readonly numbers: number[] = []
  private readonly port = new FakePort()
  private readonly global: object
  private wakes: (() => void)[] = []
  private calls = 0

  constructor(program: string, over: Partial<Budget> = {}, name = 'demo') {
    const bundle = readFileSync('sandboxhost/bootstrap/dist/tool.js', 'utf8')
    const budget = { ...limits, ...over }
    const { text, script } = toolScript(bundle, { kind: 'start', name, language: 'javascript', program, limits: budget })
    const url = 'blob:null/0000'
    this.global = createContext({
      EventTarget: FakeTarget, Event: FakeEvent, MessageEvent: FakeEvent, ErrorEvent: FakeEvent, PromiseRejectionEvent: FakeEvent,
      MessagePort: FakePort, AbortController, AbortSignal, DOMException, performance, Performance, TextEncoder, TextDecoder,
      setTimeout, clearTimeout, setInterval, clearInterval, queueMicrotask, location: { href: url }, URL: class {}, navigator: {},
      postMessage() {}, close() {}, importScripts() {}, Worker: class {},
    })
    runInContext(text, this.global, { filename: url })
    this.port.sent = (data) => this.heard(data)
    const setup: Setup = { script, limits: budget }
    emit(this.self(), 'message', new FakeEvent({ data: setup, ports: [this.port] }))
  }

  /** Says a message, or the number of an internal ping, to the runtime. */
  say(message: object | number): void {
    emit(this.port, 'message', new FakeEvent({ data: typeof message === 'number' ? message : JSON.stringify(message) }))
  }

  /** Reports that nothing caught what an expression gives in the tool's realm. */
  uncaught(type: 'error' | 'unhandledrejection', expression: string): void {
    const thrown = runInContext(expression, this.global)
    emit(this.self(), type, new FakeEvent({ error: thrown, reason: thrown }))
  }

  /** Makes one call with tagged arguments and gives what the runtime said until its end. */
  async call(args: unknown = {}): Promise<Said[]> {
    const from = this.said.length
    const id = ++this.calls
    const context = { task: 'task:b3:1', tool: 'tool:b3:2', settings: { unit: 'm' } }
    this.say({ kind: 'call', call: id, args, timeoutMs: 1000, wallMs: 2000, context })
    await this.until((m) => m.call === id && (m.kind === 'result' || m.kind === 'failure'))
    return this.said.slice(from)
  }

  /** The last word of a call. */
  async end(args: unknown = {}): Promise<Said> {
    return (await this.call(args)).at(-1) as Said
  }

  async until(test: (said: Said) => boolean): Promise<Said> {
    for (;;) {
      const found = this.said.find(test)
      if (found) return found
      await new Promise<void>((wake) => this.wakes.push(wake))
    }
  }

  private self(): object {
    return runInContext('globalThis', this.global) as object
  }

  private heard(data: unknown): void {
    if (typeof data === 'number') return void this.numbers.push(data)
    const text = typeof data === 'string' ? data : new TextDecoder().decode((data as { blobs: ArrayBuffer[] }).blobs[0])
    this.said.push(JSON.parse(text) as Said)
    for (const wake of this.wakes.splice(0)) wake()
  }
}

/** The program of one function literal, as the syntax checker makes it. */
export function program(source: string): string {
  return `"use strict";return (\n${source}\n)`
}
