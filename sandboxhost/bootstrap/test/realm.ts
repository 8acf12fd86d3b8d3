import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import type { Budget, Thrown } from '../src/protocol.gen'
import type { CryptoMessage } from '../src/crypto/words'
import type { Setup } from '../src/internal'
import { toolScript } from '../src/supervisor/script'
import { engine } from './engine'

export const limits: Budget = {
  nesting: 64, resultBytes: 1 << 20, inlineTextBytes: 1 << 18, logLines: 1000, logBytes: 256 << 10,
  messagesPerWindow: 256, bytesPerWindow: 1 << 20, windowMs: 100, bodyBytes: 16 << 20,
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
  readonly bytes?: number
  readonly blobs?: ArrayBuffer[]
}

/** The built tool runtime in a realm of its own, driven as the supervisor drives it. */
export class Realm {
  readonly said: Said[] = []
  readonly numbers: number[] = []
  private readonly engine = engine()
  private readonly port = this.engine.port((data) => this.heard(data))
  private readonly global: object
  private wakes: (() => void)[] = []
  private calls = 0

  /** Takes all that the runtime says as it is, in the place of `said`. */
  onRaw: ((data: unknown) => void) | undefined

  /** What the runtime asks of the frame's cryptography. Set it before the first call. */
  onCrypto: (message: CryptoMessage) => void = () => {}

  constructor(program: string, over: Partial<Budget> = {}, name = 'demo', more: Record<string, unknown> = {}, subtle = false) {
    const bundle = readFileSync('sandboxhost/bootstrap/dist/tool.js', 'utf8')
    const budget = { ...limits, ...over }
    const { text, script } = toolScript(bundle, { kind: 'start', name, language: 'javascript', program, limits: budget })
    const url = 'blob:null/0000'
    this.global = createContext({
      ...this.engine.globals, location: { href: url }, postMessage() {}, close() {}, importScripts() {}, Worker: class {}, ...more,
    })
    runInContext(text, this.global, { filename: url })
    const setup: Setup = { script, limits: budget, subtle, spent: 0 }
    this.emit(this.self(), 'message', { data: setup, ports: [this.port] })
  }

  /** Says a message, or the number of an internal ping, to the runtime. */
  say(message: object | number): void {
    this.emit(this.port, 'message', { data: typeof message === 'number' ? message : JSON.stringify(message) })
  }

  /** Hands the runtime what came for it, as it is. */
  give(data: unknown): void {
    this.emit(this.port, 'message', { data })
  }

  /** Says a message with blobs beside it. */
  sayWith(message: object, ...blobs: ArrayBuffer[]): void {
    this.emit(this.port, 'message', { data: { text: JSON.stringify(message), blobs } })
  }

  /** Says what the frame's cryptography answers. */
  answer(message: CryptoMessage): void {
    this.emit(this.port, 'message', { data: message })
  }

  /** Reports that nothing caught what an expression gives in the tool's realm. */
  uncaught(type: 'error' | 'unhandledrejection', expression: string): void {
    const thrown = runInContext(expression, this.global)
    this.emit(this.self(), type, { error: thrown, reason: thrown })
  }

  /** Makes one call with tagged arguments and gives what the runtime said until its end. */
  async call(args: unknown = {}, more: object = {}): Promise<Said[]> {
    const from = this.said.length
    const id = ++this.calls
    const context = { task: 'task:b3:1', tool: 'tool:b3:2', settings: { unit: 'm' }, ...more }
    this.say({ kind: 'call', call: id, args, timeoutMs: 1000, wallMs: 2000, context })
    await this.until((m) => m.call === id && (m.kind === 'result' || m.kind === 'failure'), from)
    return this.said.slice(from)
  }

  /** The last word of a call. */
  async end(args: unknown = {}, more: object = {}): Promise<Said> {
    return (await this.call(args, more)).at(-1) as Said
  }

  async until(test: (said: Said) => boolean, from = 0): Promise<Said> {
    for (;;) {
      const found = this.said.slice(from).find(test)
      if (found) return found
      await new Promise<void>((wake) => this.wakes.push(wake))
    }
  }

  private emit(target: object, type: string, fields: Record<string, unknown>): void {
    this.engine.emit(target, type, this.engine.event(fields))
  }

  private self(): object {
    return runInContext('globalThis', this.global) as object
  }

  private heard(data: unknown): void {
    if (this.onRaw) return this.onRaw(data)
    if (typeof data === 'number') return void this.numbers.push(data)
    if (typeof data === 'object' && data !== null && 'crypto' in data) return this.onCrypto(data as CryptoMessage)
    const { text, blobs } = typeof data === 'string' ? { text: data, blobs: [] } : (data as { text: string; blobs: ArrayBuffer[] })
    const rest = text === '' ? blobs.slice(1) : blobs
    const said = JSON.parse(text === '' ? new TextDecoder().decode(blobs[0]) : text) as Said
    this.said.push(rest.length > 0 ? { ...said, blobs: rest } : said)
    for (const wake of this.wakes.splice(0)) wake()
  }
}

/** The program of one function literal, as the syntax checker makes it. */
export function program(source: string): string {
  return `"use strict";return (\n${source}\n)`
}
