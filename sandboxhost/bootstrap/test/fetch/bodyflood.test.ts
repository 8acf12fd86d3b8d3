import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Budget, Message } from '../../src/protocol.gen'
import { Supervisor, type PortLike } from '../../src/supervisor/supervisor'
import { answer, ask, running, type Bench } from '../bench'
import { limits, program, Realm } from '../realm'

const hearWith = (bench: Bench, message: object, ...sizes: number[]): void =>
  bench.tool.send({ text: JSON.stringify(message), blobs: sizes.map((size) => new ArrayBuffer(size)) })

test('bodies have a bucket of their own: at its edge it holds, and one byte more is a flood', () => {
  const within = running({ bodyBytes: 5000, bytesPerWindow: 1000 })
  hearWith(within, ask(1), 3000)
  hearWith(within, ask(2), 1000, 1000)
  equal(within.ended, 0)
  hearWith(within, ask(3), 1)
  deepEqual([within.ended, within.last], [1, { kind: 'flooded', call: 1, reason: 'bytes', count: 4 + 1 }])
})

test('an answer gives the bodies of its ask back, a withdrawal does not', () => {
  const bench = running({ bodyBytes: 1000 })
  for (let n = 1; n <= 50; n++) {
    hearWith(bench, ask(n), 1000)
    bench.say(n % 2 ? answer(n) : { ...answer(n), value: {}, body: true })
  }
  equal(bench.ended, 0)
  const gone = running({ bodyBytes: 1000 })
  hearWith(gone, ask(1), 1000)
  gone.hear({ kind: 'ask_cancel', call: 1, ask: 1 })
  equal(gone.ended, 0)
  hearWith(gone, ask(2), 1000)
  deepEqual([gone.last?.kind, gone.last?.reason], ['flooded', 'bytes'])
})

test('time gives a tenth of the bucket back in each window, and never more than is in it', () => {
  const bench = running({ bodyBytes: 1000, windowMs: 100 })
  bench.pass(900)
  hearWith(bench, ask(1), 1000)
  bench.pong()
  bench.pass(100)
  hearWith(bench, ask(2), 100)
  equal(bench.ended, 0)
  bench.say(answer(1))
  bench.say(answer(2))
  hearWith(bench, ask(3), 1000)
  equal(bench.ended, 0)
  hearWith(bench, ask(4), 1)
  equal(bench.last?.reason, 'bytes')
})

test('blobs that come with a message that carries none are malformed', () => {
  const bench = running()
  for (let i = 0; i < 9; i++) hearWith(bench, { kind: 'credit', call: 1, ask: 1, bytes: 1 }, 10)
  equal(bench.last?.reason, 'malformed')
})

test('bodies that flow are no flood of asks: their answers give the asks back, and to give one up is free', () => {
  const bench = running({ messagesPerWindow: 10 })
  for (let n = 1; n <= 100; n++) {
    bench.hear(ask(n))
    bench.say({ ...answer(n), value: {}, body: true })
  }
  for (let n = 1; n <= 100; n++) bench.hear({ kind: 'ask_cancel', call: 1, ask: n })
  equal(bench.ended, 0)
})

test('asks that are withdrawn at once are a flood', () => {
  const bench = running({ messagesPerWindow: 20 })
  for (let n = 1; n <= 40; n++) {
    bench.hear(ask(n))
    bench.hear({ kind: 'ask_cancel', call: 1, ask: n })
  }
  deepEqual([bench.last?.kind, bench.last?.reason], ['flooded', 'messages'])
})

test('a worker that replaces one is told what bodies are still counted', () => {
  const spent: number[] = []
  const host: PortLike = { postMessage() {}, onmessage: null }
  const tool: PortLike = { postMessage() {}, onmessage: null }
  new Supervisor(host, '', {
    time: { now: () => 0, start: () => 0, stop() {} },
    startTool: (_script, setup) => { spent.push(setup.spent); return { port: tool, loaded() {}, end() {} } },
  })
  const say = (message: object): void => host.onmessage!({ data: JSON.stringify(message) } as MessageEvent)
  const hear = (data: unknown): void => tool.onmessage!({ data } as MessageEvent)
  say({ kind: 'start', name: 'demo', language: 'javascript', program: '', limits })
  hear('{"kind":"ready","version":1}')
  say({ kind: 'call', call: 1, args: {}, timeoutMs: 1000, wallMs: 1000, context: { task: '', tool: '' } })
  hear(0)
  hear({ text: JSON.stringify(ask(1)), blobs: [new ArrayBuffer(5000)] })
  hear('{"kind":"result","call":1,"value":1}')
  hear(-2)
  deepEqual(spent, [0, 5000])
})

/** A runtime under a supervisor, with a host that answers what it is told to. */
class Linked {
  readonly words: Message[] = []
  bytes = 0
  private readonly host: PortLike
  private wake: () => void = () => {}

  constructor(source: string, over: Partial<Budget>, react: (linked: Linked, message: Message & { ask: number }) => void) {
    const realm = new Realm(program(source), over)
    // A port delivers later, never within the sending.
    const port: PortLike = { postMessage: (data) => queueMicrotask(() => realm.give(data)), onmessage: null }
    realm.onRaw = (data) => queueMicrotask(() => port.onmessage?.({ data } as MessageEvent))
    this.host = {
      postMessage: (data) => {
        if (typeof data === 'number') return
        const { text, blobs } = typeof data === 'string' ? { text: data, blobs: [] } : (data as { text: string; blobs: ArrayBuffer[] })
        const message = JSON.parse(text) as Message & { ask: number }
        this.words.push(message)
        for (const blob of blobs) this.bytes += blob.byteLength
        if (message.kind === 'ask' || message.kind === 'ask_cancel') react(this, message)
        this.wake()
      },
      onmessage: null,
    }
    new Supervisor(this.host, '', {
      time: { now: () => performance.now(), start: (run, ms) => setTimeout(run, ms), stop: (timer) => clearTimeout(timer as never) },
      startTool: () => ({ port, loaded() {}, end() {} }),
    })
    this.say({ kind: 'start', name: 'demo', language: 'javascript', program: '', limits: { ...limits, ...over } })
    port.onmessage!({ data: '{"kind":"ready","version":1}' } as MessageEvent)
  }

  say(message: object): void { this.host.onmessage!({ data: JSON.stringify(message) } as MessageEvent) }

  answer(ask: number, call = 1): void {
    this.say({ kind: 'answer', call, ask, value: { status: 200, statusText: '', url: 'https://a.example/', headers: [], body: 'none' } })
  }

  async run(call = 1, args: unknown = {}): Promise<Message> {
    this.say({ kind: 'call', call, args, timeoutMs: 20_000, wallMs: 20_000, context: { task: '', tool: '' } })
    for (;;) {
      const last = this.words.find((word) => ('call' in word && word.call === call && (word.kind === 'result' || word.kind === 'failure')) || word.kind === 'flooded' || word.kind === 'crashed')
      if (last) return last
      await new Promise<void>((wake) => (this.wake = wake))
    }
  }
}

// The numbers are small so that a test lasts moments; their ratios are those of the defaults.
const small: Partial<Budget> = { bodyBytes: 160_000, bytesPerWindow: 10_000, messagesPerWindow: 100, windowMs: 20 }

for (const [title, source, sends] of [
  ['posts one large body after the other', `for (let i = 0; i < 40; i++) await post(160000)`, 40],
  ['posts many large bodies at once', `await Promise.all(Array.from({ length: 60 }, () => post(50000)))`, 60],
  ['posts bodies of all sizes at once', `await Promise.all(Array.from({ length: 120 }, (_, i) => post(i * 1000)))`, 120],
] as const) {
  test(`a tool that ${title} is no flood`, async () => {
    let open = 0
    let most = 0
    const linked = new Linked(`async () => { const post = async (n) => { const r = await fetch('https://a.example/', { method: 'POST', body: new Uint8Array(n) }); if (r.status !== 200) throw r }; ${source}; return 1 }`, small,
      (self, { kind, ask }) => {
        most = Math.max(most, ++open)
        if (kind === 'ask') setTimeout(() => { open--; self.answer(ask) }, ask % 3)
      })
    deepEqual(await linked.run(), { kind: 'result', call: 1, value: 1 })
    equal(linked.words.filter((word) => word.kind === 'ask').length, sends)
    ok(most <= 32)
  })
}

test('a tool that posts large bodies and gives them up is no flood, and waits for its turn', async () => {
  const linked = new Linked(`async () => {
    for (let i = 0; i < 12; i++) { const c = new AbortController(); const f = fetch('https://a.example/', { method: 'POST', body: new Uint8Array(100000), signal: c.signal }); setTimeout(() => c.abort(), 5); await f.catch(() => {}) }
    return (await fetch('https://a.example/', { method: 'POST', body: new Uint8Array(100000) })).status
  }`, small, (self, { kind, ask }) => { if (kind === 'ask') setTimeout(() => self.answer(ask), 60) })
  equal((await linked.run()).kind, 'result')
})

test('calls that leave large bodies behind, one after the other, are no flood', async () => {
  const linked = new Linked(`async (args) => { fetch('https://a.example/', { method: 'POST', body: new Uint8Array(90000) }); return 1 }`, small, () => {})
  for (let call = 1; call <= 30; call++) equal((await linked.run(call)).kind, 'result')
  ok(linked.bytes >= 90_000)
})

for (const messagesPerWindow of [9, 80]) {
  test(`a tool that aborts many fetches at once and over and over is no flood where ${messagesPerWindow} messages are one`, async () => {
    const linked = new Linked(`async () => {
      for (let i = 0; i < 4; i++) { const c = new AbortController(); const all = Array.from({ length: 32 }, () => fetch('https://a.example/', { signal: c.signal }).catch(() => 0)); c.abort(); await Promise.all(all) }
      return 1
    }`, { ...small, messagesPerWindow, windowMs: 100 }, () => {})
    deepEqual(await linked.run(), { kind: 'result', call: 1, value: 1 })
  })
}

test('a tool that keeps much in storage, as fast as it is answered, is no flood', async () => {
  const linked = new Linked(`async (args, { storage }) => { for (let i = 0; i < 30; i++) await storage.set('k', 'x'.repeat(4000)); return 1 }`, small, (self, { ask }) => self.answer(ask))
  equal((await linked.run()).kind, 'result')
})
