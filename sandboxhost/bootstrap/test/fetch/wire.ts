import { program, Realm, type Said } from '../realm'
import type { Budget } from '../../src/protocol.gen'

/** A realm whose asks of one call are answered by hand. */
export class Wire {
  readonly realm: Realm
  private calls = 0

  constructor(source: string, over: Partial<Budget> = {}) {
    this.realm = new Realm(program(source), over)
  }

  /** Begins a call; gives its last word. */
  begin(args: unknown = {}, context: object = {}): Promise<Said> {
    this.calls++
    return this.realm.end(args, context)
  }

  ask(n: number): Promise<Said> {
    const call = this.calls
    return this.realm.until((m) => m.kind === 'ask' && m.ask === n && m.call === call)
  }

  answer(ask: number, value: object = {}, ...blobs: ArrayBuffer[]): void {
    const whole = { status: 200, statusText: 'OK', url: 'https://a.example/', headers: [], body: blobs.length > 0 ? 'inline' : 'none', ...value }
    this.realm.sayWith({ kind: 'answer', call: this.calls, ask, value: whole }, ...blobs)
  }

  stream(ask: number, value: object = {}): void {
    const whole = { status: 200, statusText: 'OK', url: 'https://a.example/', headers: [], body: 'stream', ...value }
    this.realm.say({ kind: 'answer', call: this.calls, ask, body: true, value: whole })
  }

  refuse(ask: number, code: string, message: string): void {
    this.realm.say({ kind: 'answer', call: this.calls, ask, value: null, error: { code, message } })
  }

  chunk(ask: number, seq: number, bytes?: number | Uint8Array<ArrayBuffer>, last = false, error?: object): void {
    const piece = typeof bytes === 'number' ? new Uint8Array(bytes).fill(seq) : bytes
    this.realm.sayWith({ kind: 'chunk', call: this.calls, ask, seq, last, ...(error ? { error } : {}) }, ...(piece ? [piece.slice().buffer] : []))
  }

  said(kind: string): Said[] { return this.realm.said.filter((m) => m.kind === kind) }
  get credits(): number[] { return this.said('credit').map((m) => m.bytes as number) }
  get cancels(): number[] { return this.said('ask_cancel').map((m) => m.ask as number) }

  /** Lets everything that is due happen. */
  async settle(): Promise<void> {
    for (let i = 0; i < 3; i++) await new Promise((done) => setTimeout(done, 0))
  }
}

export const text = (buffer: ArrayBuffer | undefined): string => new TextDecoder().decode(buffer)
export const bytes = (of: string): ArrayBuffer => new TextEncoder().encode(of).slice().buffer
