import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { Wire } from './wire'

const quarter = 256 << 10

test('nothing is credited that is not read, and as it is read credit is given', async () => {
  const wire = new Wire(`async (args, context) => {
    const r = await fetch('https://a.example/')
    context.progress(0.1)
    globalThis.reader = r.body.getReader()
    const sizes = []
    for (const wait of [1, 2, 3, 4, 5]) { await context.resolveInvocation('step'); sizes.push((await reader.read()).value?.length ?? 'end') }
    return sizes
  }`)
  const end = wire.begin()
  await wire.ask(1)
  wire.stream(1)
  for (let seq = 0; seq < 4; seq++) wire.chunk(1, seq, quarter)
  await wire.settle()
  deepEqual(wire.credits, [])
  for (let step = 0; step < 5; step++) {
    await wire.ask(2 + step)
    equal(wire.credits.length, Math.min(step, 4))
    if (step === 4) wire.chunk(1, 4, undefined, true)
    wire.realm.say({ kind: 'answer', call: 1, ask: 2 + step, value: null })
  }
  deepEqual((await end).value, [...Array(4).fill(quarter), 'end'])
  deepEqual(wire.credits, Array(4).fill(quarter))
})

test('many small pieces are credited together, and text() reads to the end', async () => {
  const wire = new Wire(`async () => (await (await fetch('https://a.example/')).text()).length`)
  const end = wire.begin()
  await wire.ask(1)
  wire.stream(1)
  const pieces = 2000
  for (let seq = 0; seq < pieces; seq++) wire.chunk(1, seq, 1000)
  await wire.settle()
  ok(wire.credits.length >= 6)
  wire.chunk(1, pieces, undefined, true)
  equal((await end).value, pieces * 1000)
  ok(wire.credits.length <= (pieces * 1000) / quarter)
})

test('pieces that have all come before anybody reads are read without end to the stack', async () => {
  const wire = new Wire(`async (args, context) => { const r = await fetch('https://a.example/'); await context.resolveInvocation('x'); return (await r.arrayBuffer()).byteLength }`)
  const end = wire.begin()
  await wire.ask(1)
  wire.stream(1)
  for (let seq = 0; seq < 50_000; seq++) wire.chunk(1, seq, 1)
  wire.chunk(1, 50_000, undefined, true)
  await wire.ask(2)
  wire.realm.say({ kind: 'answer', call: 1, ask: 2, value: null })
  equal((await end).value, 50_000)
})

test('a body that is cancelled gives its ask up', async () => {
  const wire = new Wire(`async () => { const r = await fetch('https://a.example/'); await r.body.cancel(); return [r.bodyUsed, await r.text().catch((e) => e.name)] }`)
  const end = wire.begin()
  await wire.ask(1)
  wire.stream(1)
  deepEqual([(await end).value, wire.cancels], [[true, 'TypeError'], [1]])
})

test('a body that breaks fails with the code of the host, after what has come', async () => {
  const wire = new Wire(`async () => {
    const [one, two] = [await fetch('https://a.example/'), await fetch('https://a.example/')]
    const reader = one.body.getReader()
    const parts = [(await reader.read()).value.length, await reader.read().catch((e) => [e.name, e.message, e.code])]
    return [parts, await two.text().catch((e) => [e.name, e.code])]
  }`)
  const end = wire.begin()
  for (const n of [1, 2]) {
    await wire.ask(n)
    wire.stream(n)
    wire.chunk(n, 0, 3)
    wire.chunk(n, 1, undefined, true, { code: 'too_large', message: 'fetch: the body has too many bytes' })
  }
  deepEqual((await end).value, [[3, ['TypeError', 'fetch: the body has too many bytes', 'too_large']], ['TypeError', 'too_large']])
  deepEqual(wire.cancels, [])
})

test('clones of a body that comes share it, at the pace of the one that is ahead', async () => {
  const wire = new Wire(`async () => {
    const r = await fetch('https://a.example/')
    const c = r.clone()
    const a = await c.arrayBuffer()
    return [r.bodyUsed, a.byteLength, (await r.arrayBuffer()).byteLength, r.bodyUsed]
  }`)
  const end = wire.begin()
  await wire.ask(1)
  wire.stream(1)
  for (let seq = 0; seq < 8; seq++) wire.chunk(1, seq, quarter)
  wire.chunk(1, 8, undefined, true)
  deepEqual((await end).value, [false, 8 * quarter, 8 * quarter, true])
})

test('bodies that nobody reads keep no other fetch from its turn', async () => {
  const wire = new Wire(`async () => { const all = []; for (let i = 0; i < 60; i++) all.push(await fetch('https://a.example/' + i)); return all.length }`)
  const end = wire.begin()
  for (let n = 1; n <= 60; n++) { await wire.ask(n); wire.stream(n) }
  equal((await end).value, 60)
})

test('asynchronous iteration reads a body', async () => {
  const wire = new Wire(`async () => { let n = 0; for await (const part of (await fetch('https://a.example/')).body) n += part.length; return n }`)
  const end = wire.begin()
  await wire.ask(1)
  wire.stream(1)
  for (let seq = 0; seq < 3; seq++) wire.chunk(1, seq, 10)
  wire.chunk(1, 3, undefined, true)
  equal((await end).value, 30)
})
