import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { begun, clean, leftover } from '../src/internal'
import { Bench, result, running, type End } from './bench'

/** A bench whose first call has ended. */
const between = (): Bench => {
  const bench = running()
  bench.hear(result)
  return bench
}
const send = (bench: Bench, id: number, timeoutMs = 10_000): void =>
  bench.say({ kind: 'call', call: id, args: {}, timeoutMs, wallMs: 60_000, context: { task: '', tool: '' } })
const calls = (end: End): number[] => end.got.flatMap((m) => (typeof m === 'string' ? [(JSON.parse(m) as { call: number }).call] : []))

test('a worker in which code of an ended call goes on is replaced before the next call, and the host hears nothing', () => {
  const bench = between()
  const heard = bench.host.got.length
  bench.tool.send(leftover)
  deepEqual([bench.started, bench.ended], [2, 1])
  bench.ready()
  bench.call(1000, 5000, 2)
  bench.hear({ kind: 'result', call: 2, value: 'new' })
  deepEqual([bench.host.got.length, bench.last?.value, bench.loaded], [heard + 1, 'new', 2])
})

test('a call that has not begun when the worker is replaced is said to the new one', () => {
  const bench = between()
  send(bench, 2)
  bench.tool.send(leftover)
  deepEqual([bench.started, calls(bench.tool)], [2, [1, 2, 2]])
  bench.ready()
  bench.tool.send(begun)
  bench.hear({ kind: 'result', call: 2, value: 'new' })
  deepEqual([bench.last?.value, bench.open], ['new', 0])
})

test('a worker that does not begin its next call in time is replaced, once, and the call keeps its time', () => {
  const bench = between()
  send(bench, 2)
  bench.pass(999)
  equal(bench.started, 1)
  bench.pass(1)
  deepEqual([bench.started, calls(bench.tool)], [2, [1, 2, 2]])
  bench.ready()
  bench.tool.send(begun)
  bench.pass(9999)
  equal(bench.ended, 1)
  bench.pass(1)
  equal(bench.last?.reason, 'timeout')
  const dead = between()
  send(dead, 2)
  dead.pass(1000 + 4999)
  deepEqual([dead.started, dead.last?.kind], [2, 'result'])
  dead.pass(1)
  deepEqual([dead.started, dead.last?.reason], [2, 'silent'])
})

test('a call with little time is taken from a busy worker at half of it', () => {
  const bench = between()
  send(bench, 2, 100)
  bench.pass(49)
  equal(bench.started, 1)
  bench.pass(1)
  equal(bench.started, 2)
})

test('a call with a large argument is whole in the new worker', () => {
  const bench = between()
  const text = JSON.stringify({ kind: 'call', call: 2, args: 'x', timeoutMs: 9, wallMs: 9, context: { task: '', tool: '' } })
  const transfers: number[] = []
  bench.tool.postMessage = (message: unknown, transfer: unknown[] = []) => { bench.tool.got.push(message); transfers.push(transfer.length) }
  bench.host.send({ text: '', blobs: [new TextEncoder().encode(text).buffer] })
  bench.tool.send(leftover)
  const [first, second] = bench.tool.got.slice(-2) as { blobs: ArrayBuffer[] }[]
  deepEqual([first!.blobs[0]!.byteLength, second!.blobs[0], transfers], [text.length, first!.blobs[0], [0, 0]])
})

test('a worker that replaces one may say nothing before it is ready, and what the old one still says is nobody\'s', () => {
  const bench = between()
  const old = { hear: bench.tool.onmessage!, fail: bench.fail, stray: bench.stray }
  bench.tool.send(leftover)
  const heard = bench.host.got.length
  old.hear({ data: JSON.stringify(result) } as MessageEvent)
  old.fail({ message: 'x', line: 0, column: 0 })
  for (let i = 0; i < 20; i++) old.stray()
  equal(bench.ended, 1)
  bench.hear(result)
  deepEqual([bench.host.got.length, bench.loaded], [heard, 1])
  bench.ready()
  bench.call(1000, 5000, 2)
  bench.hear({ kind: 'result', call: 2, value: 2 })
  equal(bench.last?.value, 2)
})

test('a replaced worker that does not start is a crash', () => {
  const bench = between()
  bench.tool.send(leftover)
  bench.fail({ message: 'Uncaught Error: gone', line: 0, column: 0 })
  deepEqual([bench.last?.kind, bench.last?.reason, bench.ended], ['crashed', 'error', 2])
})

test('a tool cannot have itself replaced while it runs, nor before it has run', () => {
  for (const bench of [running(), new Bench().ready()]) {
    for (let i = 0; i < 9; i++) bench.tool.send(leftover)
    equal(bench.started, 1)
    ok(bench.last?.kind === 'flooded')
  }
})

test('a supervisor that was held up hears that a call has begun before it gives the worker up: nothing runs twice', () => {
  const bench = between()
  send(bench, 2)
  bench.stall(3000)
  deepEqual([bench.started, bench.ended, calls(bench.tool)], [1, 0, [1, 2]])
  bench.tool.send(begun)
  bench.hear({ kind: 'result', call: 2, value: 'once' })
  deepEqual([bench.last?.value, bench.open], ['once', 0])
})

test('a supervisor that was held up does not take a first call for one that never began', () => {
  const bench = new Bench().ready()
  send(bench, 1, 30_000)
  bench.stall(10_000)
  equal(bench.ended, 0)
  bench.tool.send(begun)
  bench.hear(result)
  equal(bench.last?.value, 'real')
  const silent = new Bench().ready()
  send(silent, 1, 30_000)
  silent.stall(10_000)
  silent.pass(50)
  deepEqual([silent.last?.reason, silent.ended], ['silent', 1])
})

test('a worker that does not begin is replaced also when the supervisor was held up', () => {
  const bench = between()
  send(bench, 2, 30_000)
  bench.stall(3000)
  bench.pass(50)
  deepEqual([bench.started, calls(bench.tool)], [2, [1, 2, 2]])
})

test('a call that follows soon after the worker has come to rest may compute as long as it likes: it is not replaced, and keeps its time', () => {
  const bench = between()
  bench.tool.send(clean)
  bench.pass(150)
  send(bench, 2, 20_000)
  bench.pass(19_999)
  deepEqual([bench.started, bench.ended, calls(bench.tool)], [1, 0, [1, 2]])
  bench.hear({ kind: 'result', call: 2, value: 'honest' })
  deepEqual([bench.last?.value, bench.open], ['honest', 0])
  bench.tool.send(clean)
  send(bench, 3, 20_000)
  bench.pass(19_999)
  equal(bench.ended, 0)
  bench.pass(1)
  equal(bench.last?.reason, 'timeout')
})

test('the word of a clean worker holds for a moment and for one call', () => {
  const late = between()
  late.tool.send(clean)
  late.pass(200)
  send(late, 2)
  late.pass(1000)
  deepEqual([late.started, calls(late.tool)], [2, [1, 2, 2]])
  const second = between()
  second.tool.send(clean)
  send(second, 2)
  second.hear({ kind: 'result', call: 2, value: 2 })
  send(second, 3)
  second.pass(1000)
  deepEqual([second.started, calls(second.tool)], [2, [1, 2, 3, 3]])
})

test('a call that crosses the word of a clean worker is one of which no word comes', () => {
  const bench = between()
  send(bench, 2, 20_000)
  bench.tool.send(clean)
  bench.pass(19_999)
  deepEqual([bench.started, bench.ended], [1, 0])
  bench.hear({ kind: 'result', call: 2, value: 'honest' })
  deepEqual([bench.last?.value, bench.open], ['honest', 0])
})

test('a call that nothing was heard of is said to a new worker when code was left behind after all, and one that was heard of is not', () => {
  const bench = between()
  bench.tool.send(clean)
  send(bench, 2)
  bench.tool.send(leftover)
  deepEqual([bench.started, calls(bench.tool)], [2, [1, 2, 2]])
  const heard = between()
  heard.tool.send(clean)
  send(heard, 2)
  heard.hear({ kind: 'progress', call: 2, fraction: 0.5, text: '' })
  heard.tool.send(leftover)
  deepEqual([heard.started, calls(heard.tool)], [1, [1, 2]])
})

test('a worker says once after each call that it is clean; more is no word of it', () => {
  for (const bench of [between(), running(), new Bench().ready()]) {
    for (let i = 0; i < 10; i++) bench.tool.send(clean)
    equal(bench.last?.kind, 'flooded')
  }
})

test('calls of any pace that are not announced are no flood', () => {
  const bench = between()
  for (let id = 2; id < 2000; id++) {
    bench.tool.send(clean)
    send(bench, id)
    bench.hear({ kind: 'result', call: id, value: id })
  }
  equal(bench.last?.value, 1999)
})
