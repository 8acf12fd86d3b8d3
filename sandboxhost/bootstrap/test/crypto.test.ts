import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CryptoService } from '../src/crypto/service'
import { forget, maxOpen, maxOpenBytes, type CryptoMessage, type Numbered } from '../src/crypto/words'
import { CryptoGate } from '../src/supervisor/cryptogate'
import { Bench, running } from './bench'
import { limits, program, Realm } from './realm'

interface Row { readonly name: string; readonly code: string; readonly result: unknown }

/** Programs with known answers, which every engine gives; the browser runs the same. */
const rows = JSON.parse(readFileSync('sandboxhost/bootstrap/testdata/crypto.json', 'utf8')) as Row[]

/** Both ends of a port, with what went each way. */
function pipe(): { frame: End; gate: End } {
  const end = (other: () => End): End => ({
    sent: [], onmessage: null,
    postMessage(data: unknown, transfer: Transferable[]) {
      this.sent.push(data)
      const copy = structuredClone(data, { transfer: transfer as ArrayBuffer[] })
      queueMicrotask(() => other().onmessage?.({ data: copy } as MessageEvent))
    },
  })
  const frame: End = end(() => gate)
  const gate: End = end(() => frame)
  return { frame, gate }
}
interface End { sent: unknown[]; onmessage: ((event: MessageEvent) => void) | null; postMessage(data: unknown, transfer: Transferable[]): void }

const time = { now: () => performance.now(), start: (run: () => void, ms: number) => setTimeout(run, ms), stop: (timer: unknown) => clearTimeout(timer as number) }

/** A realm whose asks go through a gate to a frame's service, and what the frame was asked. */
function realm(source: string): { realm: Realm; gate: CryptoGate; frame: End } {
  const { frame, gate: side } = pipe()
  new CryptoService(frame, crypto.subtle)
  const it = new Realm(program(source), {}, 'demo', {}, true)
  const gate = new CryptoGate(side, time, { ...limits, messagesPerWindow: 1000, windowMs: 10 }, (message) => it.answer(message))
  it.onCrypto = (message) => equal(gate.ask(message), undefined)
  return { realm: it, gate, frame: side }
}

for (const row of rows) {
  test(row.name, { timeout: 30_000 }, async () => {
    const said = await realm(row.code).realm.end()
    deepEqual(said.value, row.result, JSON.stringify(said))
  })
}

test('a key ends with its call, on both sides', async () => {
  const { realm: it, gate, frame } = realm(`async (args) => {
    if (args.first) { globalThis.key = await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, true, ['sign']); return 'made' }
    return crypto.subtle.sign('HMAC', key, new Uint8Array(1)).catch((error) => [error.name, error.message])
  }`)
  equal((await it.end({ first: true })).value, 'made')
  gate.end()
  deepEqual((await it.end()).value, ['InvalidAccessError', 'the key ended with the call in which it was made; make it again in each call'])
  equal(frame.sent.at(-1), forget)
  const forged: CryptoMessage = { crypto: '{"id":7,"op":"exportKey","args":["raw",1]}', blobs: [] }
  const answers: string[] = []
  it.answer = (message) => void answers.push(message.crypto)
  gate.ask(forged)
  while (answers.length === 0) await new Promise((done) => setTimeout(done, 1))
  match(answers[0]!, /^\{"id":7,"error":\{"name":"InvalidAccessError"/)
})

test('a page that is no secure context has no subtle, and has random UUIDs', async () => {
  const it = new Realm(program(`() => [typeof crypto.subtle, typeof SubtleCrypto, typeof CryptoKey, crypto.randomUUID().length]`))
  deepEqual((await it.end()).value, ['undefined', 'undefined', 'undefined', 36])
})

test('cryptography of an ended call never answers, and asking while no call runs is refused', async () => {
  const { realm: it, gate } = realm(`async (args) => {
    if (args.first) { crypto.subtle.digest('SHA-256', new Uint8Array(1)).then(() => console.log('late')); return 1 }
    await new Promise((done) => setTimeout(done, 20))
    return 2
  }`)
  await it.end({ first: true })
  gate.end()
  deepEqual((await it.call()).map((m) => m.kind), ['result'])
})

// The frame reads what a tool's side may have written by itself.
const malformed = [
  '', '{', '[]', '{}', '{"id":1}', '{"id":1,"op":"digest"}', '{"id":1,"op":"constructor","args":[]}', '{"id":1,"op":"toString","args":[]}',
  '{"id":1,"op":"digest","args":[{"name":"SHA-256"}]}', '{"id":1,"op":"digest","args":[{"name":"SHA-256"},0,0]}', '{"id":1,"op":"digest","args":["SHA-256",0]}',
  '{"id":1,"op":"digest","args":[{"name":"SHA-256"},1]}', '{"id":1,"op":"digest","args":[{"name":"SHA-256"},"length"]}',
  '{"id":1,"op":"digest","args":[{"name":{"a":1}},0]}', '{"id":1,"op":"digest","args":[{"name":"SHA-256","x":1},0]}',
  '{"id":1,"op":"generateKey","args":[{"name":"HMAC","hash":{"name":"SHA-256","hash":{"name":"SHA-256"}}},true,["sign"]]}',
  '{"id":1,"op":"generateKey","args":[{"name":"AES-GCM","length":-1},true,["encrypt"]]}', '{"id":1,"op":"generateKey","args":[{"name":"AES-GCM","length":128},1,["encrypt"]]}',
  '{"id":1,"op":"generateKey","args":[{"name":"AES-GCM","length":128},true,["fly"]]}', '{"id":1,"op":"importKey","args":["jwk",{"kty":"oct","k":{}},{"name":"AES-GCM"},true,[]]}',
  '{"id":1,"op":"importKey","args":["jwk",{"kty":"oct","oth":"x"},{"name":"AES-GCM"},true,[]]}', '{"id":1,"op":"importKey","args":["zip",0,{"name":"AES-GCM"},true,[]]}',
  '{"id":1,"op":"exportKey","args":["raw",1]}', '{"id":1,"op":"exportKey","args":["raw","1"]}',
]

for (const text of malformed) {
  test(`the frame does nothing for ${text.slice(0, 100) || 'no text'}`, async () => {
    const { frame, gate } = pipe()
    const called: string[] = []
    new CryptoService(frame, new Proxy(crypto.subtle, { get: (_, op) => called.push(String(op)) }))
    const answered = new Promise<Numbered>((done) => (gate.onmessage = ({ data }) => done(data as Numbered)))
    gate.postMessage({ n: 3, crypto: text, blobs: [new ArrayBuffer(1)] }, [])
    const { n, crypto: reply, blobs } = await answered
    deepEqual([n, blobs, called], [3, [], []])
    equal(reply.startsWith(`{"id":${text.includes('args":') ? 1 : 0},`), true, reply)
    ok(/^\{"id":\d,"error":\{"name":"(TypeError|SyntaxError|InvalidAccessError)"/.test(reply), reply)
  })
}

test('the frame holds a bounded number of keys', async () => {
  const { realm: it } = realm(`async () => {
    const make = () => crypto.subtle.importKey('raw', new Uint8Array(16), 'AES-GCM', true, ['encrypt'])
    for (let i = 0; i < 1024; i++) await make()
    return make().catch((error) => error.message)
  }`)
  equal((await it.end()).value, 'a call has at most 1024 keys')
})

const small = (blobs: ArrayBuffer[] = []): object => ({ crypto: '{}', blobs })

test('a gate lets a window\'s messages through, a few at a time, and holds the rest back', () => {
  let now = 0
  const timers: (() => void)[] = []
  const { gate: port } = pipe()
  port.postMessage = function (data) { this.sent.push(data) }
  let answered = 0
  const gate = new CryptoGate(port, { now: () => now, start: (run) => timers.push(run), stop: () => {} }, { ...limits, messagesPerWindow: 10, windowMs: 100 }, () => answered++)
  const reply = (n: number): void => port.onmessage!({ data: { n, crypto: '{}', blobs: [] } } as MessageEvent)
  for (let i = 0; i < maxOpen; i++) equal(gate.ask(small()), undefined)
  equal(port.sent.length, 4)
  for (let n = 1; n <= 10; n++) reply(n)
  deepEqual([port.sent.length, answered, timers.length > 0], [10, 10, true])
  now += 100
  timers.at(-1)!()
  equal(port.sent.length, 14)
  gate.end()
  equal(port.sent.at(-1), forget)
  reply(11)
  deepEqual([answered, port.sent.length], [10, 15])
  now += 1000
  // Three of the ended call are still worked on: one more has room.
  gate.ask(small())
  gate.ask(small())
  equal(port.sent.length, 16)
  reply(12)
  equal(port.sent.length, 17)
})

test('a tool that keeps to no bound of its frame\'s cryptography is ended, and so is one that asks out of turn', () => {
  const flooded = (send: (bench: Bench) => void, bench = running({}, 1000, 5000, true)): unknown => {
    send(bench)
    return [bench.last?.kind, bench.last?.reason]
  }
  deepEqual(flooded((bench) => { for (let i = 0; i <= maxOpen; i++) bench.tool.send(small()) }), ['flooded', 'messages'])
  deepEqual(flooded((bench) => { for (let i = 0; i < 3; i++) bench.tool.send(small([new ArrayBuffer(maxOpenBytes / 2)])) }), ['flooded', 'bytes'])
  deepEqual(flooded((bench) => bench.tool.send(small([new ArrayBuffer(maxOpenBytes)]))), ['flooded', 'size'])
  deepEqual(flooded((bench) => bench.tool.send({ crypto: 'x'.repeat(70_000), blobs: [] })), ['flooded', 'size'])
  for (const data of [{ crypto: 1, blobs: [] }, { crypto: '{}' }, { crypto: '{}', blobs: [1] }, { crypto: '{}', blobs: Array(20).fill(new ArrayBuffer(0)) }]) {
    deepEqual(flooded((bench) => { for (let i = 0; i < 9; i++) bench.tool.send(data) }), ['flooded', 'malformed'])
  }
  const out = (send: (bench: Bench) => void) => flooded((bench) => { for (let i = 0; i < 9; i++) send(bench) }, new Bench({}, undefined, undefined, true).ready())
  deepEqual(out((bench) => bench.tool.send(small())), ['flooded', 'malformed'], 'no call runs')
  deepEqual(flooded((bench) => { for (let i = 0; i < 9; i++) bench.tool.send(small()) }, running()), ['flooded', 'malformed'], 'there is none')
})

test('cryptography that is answered is no flood at any pace, and does not stop the clock', () => {
  const bench = running({ messagesPerWindow: 5 }, 2000, 50_000, true)
  for (let i = 1; i <= 50; i++) {
    bench.tool.send(small())
    bench.crypto.send({ n: i, crypto: `{"id":${i}}`, blobs: [] })
    bench.pass(25)
  }
  equal(bench.ended, 0)
  equal(bench.tool.got.filter((m) => typeof m === 'object').length >= 50, true)
  bench.tool.send(small())
  bench.pass(750)
  equal(bench.last?.reason, 'timeout')
})
