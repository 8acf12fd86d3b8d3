import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { toolScript } from '../src/supervisor/script'
import { answer, ask, Bench, result, running } from './bench'
import { limits } from './realm'

test('the tool\'s script is runtime, wrapper and program, and says where the author\'s lines are', () => {
  const bench = new Bench()
  equal(bench.script, '"use strict";RUNTIME\nLINES\n;__taskyon(async () => {\n"use strict";return (\n() => 1\n)\n})\n//# sourceURL=taskyon/demo.js')
  const { text, script } = toolScript('R', { kind: 'start', name: 'up', language: 'javascript', program: 'first\r\none\u2028two\nlast', limits })
  deepEqual(script, { name: 'up.js', source: 'taskyon/up.js', before: 3, lines: 2 })
  equal(text.split(/\r\n|[\n\r\u2028\u2029]/)[script.before], 'one')
})

test('a debugger sees each revision of a tool under a name of its own, whatever the tool is called', () => {
  const source = (name: string, revision?: string): string =>
    toolScript('R', { kind: 'start', name, language: 'javascript', program: 'a\nb\nc', limits, ...(revision ? { revision } : {}) }).script.source
  equal(source('weather', 'tool:b3:1a2b3c4d5e6f'), 'taskyon/weather-1a2b3c4d.js')
  equal(source('a b\n//# x/é', 'tool:b3:' + '0'.repeat(64)), 'taskyon/a_b_____x__-00000000.js')
  equal(source('', 'nonsense'), 'taskyon/tool.js')
})

test('texts of both sides are forwarded as they are, and the start is not', () => {
  const bench = new Bench().ready()
  bench.host.send({ text: '{ "kind":"ping","seq":1 }', blobs: [] })
  bench.hear(' {"seq":1,"kind":"pong"}')
  deepEqual(bench.tool.got, ['{ "kind":"ping","seq":1 }'])
  equal(bench.loaded, 1)
  deepEqual(bench.host.got.at(-1), ' {"seq":1,"kind":"pong"}')
})

test('a long text travels as a blob in both directions', () => {
  const bench = new Bench().ready()
  const bytes = (message: object): ArrayBuffer => new TextEncoder().encode(JSON.stringify(message)).buffer as ArrayBuffer
  bench.host.send({ text: '', blobs: [bytes({ kind: 'call', call: 1, args: 'é', timeoutMs: 9, wallMs: 9, context: { task: '', tool: '' } })] })
  equal((bench.tool.got[0] as { blobs: ArrayBuffer[] }).blobs.length, 1)
  bench.tool.send({ text: '', blobs: [bytes({ kind: 'result', call: 1, value: 'é' })], extra: 1 })
  deepEqual(Object.keys(bench.host.got.at(-1) as object), ['text', 'blobs'])
  bench.tool.send({ text: '', blobs: [new Uint8Array([0xff]).buffer] })
  equal(bench.host.got.length, 2)
})

// Forged, malformed and out-of-turn words are dropped and counted; the real one still arrives.
test('a tool that speaks as someone else, of other calls, or in no form is not heard', () => {
  const bench = running()
  const forged: unknown[] = [
    { kind: 'result', call: 2, value: 1 }, { kind: 'answer', call: 1, ask: 1 }, { kind: 'crashed', call: 1, reason: 'error', message: '' },
    { kind: 'result', call: '1', value: 1 },
  ]
  for (const word of forged) bench.hear(JSON.stringify(word))
  for (const data of [null, { text: 1, blobs: [] }, { text: '{}', blobs: [1] }, new Uint8Array(3)]) bench.tool.send(data)
  deepEqual(bench.words.map((word) => word.kind), ['ready'])
  bench.hear(result)
  deepEqual(bench.last, result)
})

test('one malformed message too many ends the tool', () => {
  const bench = running()
  for (let i = 0; i < 8; i++) bench.stray()
  equal(bench.ended, 0)
  bench.stray()
  deepEqual([bench.ended, bench.last], [1, { kind: 'flooded', call: 1, reason: 'malformed', count: 9 }])
})

test('a message of the tool beyond every size ends it', () => {
  const bench = running()
  bench.hear(' '.repeat(2 << 20) + JSON.stringify({ kind: 'ask', call: 1, ask: 1, capability: 'fetch', params: {} }))
  deepEqual([bench.last?.kind, bench.last?.reason], ['flooded', 'size'])
  const blob = running()
  blob.tool.send({ text: '', blobs: [new ArrayBuffer(64 << 20)] })
  deepEqual([blob.last?.kind, blob.last?.reason], ['flooded', 'size'])
})

test('the message budget holds at its edge and refills with time', () => {
  const bench = running({ messagesPerWindow: 10, windowMs: 100 })
  const progress = { kind: 'progress', call: 1, text: 'x' }
  for (let i = 0; i < 9; i++) bench.hear(progress) // ready was one
  equal(bench.ended, 0)
  bench.pass(50)
  for (let i = 0; i < 5; i++) bench.hear(progress)
  equal(bench.ended, 0)
  bench.hear(progress)
  deepEqual([bench.ended, bench.last], [1, { kind: 'flooded', call: 1, reason: 'messages', count: 17 }])
  bench.hear(result)
  equal(bench.last?.kind, 'flooded')
})

test('calls of any pace are no flood, since each result was asked for', () => {
  const bench = new Bench({ messagesPerWindow: 3 }).ready()
  for (let id = 1; id <= 500; id++) {
    bench.call(1000, 5000, id)
    bench.say({ kind: 'ping', seq: id })
    bench.hear({ kind: 'pong', seq: id })
    bench.hear({ kind: 'result', call: id, value: 1 })
  }
  deepEqual([bench.ended, bench.last?.call], [0, 500])
  bench.call(1000, 5000, 501)
  for (let i = 0; i < 5; i++) bench.tool.send(0)
  equal(bench.last?.reason, 'messages')
})

test('short calls that each say a little are no flood at any pace, and one call that says much is', () => {
  const bench = new Bench({ messagesPerWindow: 20 }).ready()
  const log = (call: number): object => ({ kind: 'log', call, lines: [{ level: 'log', text: 'x' }] })
  for (let call = 1; call <= 200; call++) {
    bench.call(1000, 5000, call)
    for (let i = 0; i < 3; i++) bench.hear(log(call))
    bench.hear({ kind: 'progress', call, fraction: 0.5 })
    bench.hear({ kind: 'result', call, value: 1 })
  }
  equal(bench.ended, 0)
  bench.call(1000, 5000, 201)
  for (let i = 0; i < 30; i++) bench.hear(log(201))
  equal(bench.last?.kind, 'flooded')
})

test('a runtime that reports an overrun is believed', () => {
  const bench = running()
  bench.tool.send(-1)
  deepEqual([bench.last?.kind, bench.last?.reason, bench.ended], ['flooded', 'messages', 1])
})

test('asks that the host answers are no flood at any pace, those that it does not answer are', () => {
  const bench = running({ messagesPerWindow: 20, bytesPerWindow: 1e6 })
  for (let i = 1; i <= 200; i++) {
    bench.hear(ask(i))
    bench.say(answer(i))
  }
  equal(bench.ended, 0)
  for (let i = 201; i <= 240; i++) bench.hear(ask(i))
  deepEqual([bench.last?.kind, bench.last?.reason], ['flooded', 'messages'])
})

test('the bytes of an ask stay counted when it is answered: the host had to read them', () => {
  const bench = running({ messagesPerWindow: 20, bytesPerWindow: 2000 })
  for (let i = 1; i <= 200 && bench.ended === 0; i++) {
    bench.hear({ ...ask(i), params: 'x'.repeat(200) })
    if (bench.ended === 0) bench.say(answer(i))
  }
  deepEqual([bench.last?.kind, bench.last?.reason], ['flooded', 'bytes'])
})

test('the byte budget holds at its edge, and a result is not counted', () => {
  const text = JSON.stringify({ kind: 'ready', version: 1 })
  const log = (size: number): object => ({ kind: 'log', call: 1, lines: [{ level: 'log', text: 'x'.repeat(size) }] })
  const used = text.length + JSON.stringify(log(0)).length
  const within = running({ bytesPerWindow: 1000 })
  within.hear(log(1000 - used))
  equal(within.ended, 0)
  within.hear({ kind: 'result', call: 1, value: 'x'.repeat(1e6) })
  equal(within.last?.kind, 'result')
  const past = running({ bytesPerWindow: 1000 })
  past.hear(log(1001 - used))
  deepEqual([past.last?.kind, past.last?.reason], ['flooded', 'bytes'])
})

test('a call ends at its running time, and at its total time', () => {
  const bench = running({}, 1000)
  bench.pass(999)
  equal(bench.ended, 0)
  bench.pass(1)
  deepEqual([bench.ended, bench.last], [1, { kind: 'crashed', call: 1, reason: 'timeout', message: 'the tool ran longer than 1000 ms' }])
  const wall = running({}, 10_000, 3000)
  wall.pass(3000)
  deepEqual([wall.last?.reason, wall.last?.call], ['wall', 1])
})

test('an answer that crosses the end of its call or its withdrawal is dropped, and harms nothing', () => {
  const bench = running()
  bench.hear(ask(1))
  bench.hear(ask(2))
  bench.hear({ kind: 'ask_cancel', call: 1, ask: 1 })
  bench.say(answer(1))
  bench.hear(result)
  bench.say(answer(2))
  equal(bench.ended, 0)
  ok(!bench.tool.got.some((m) => typeof m === 'string' && m.includes('"answer"')))
  bench.call(1000, 5000, 2)
  bench.hear({ kind: 'result', call: 2, value: 2 })
  equal(bench.last?.value, 2)
})

test('running time stands still while a tool waits and answers pings', () => {
  const bench = running({}, 1000, 60_000)
  bench.pass(600)
  bench.hear(ask(1))
  bench.pass(20)
  for (let i = 0; i < 100; i++) { bench.pong(); bench.pass(200) }
  equal(bench.ended, 0)
  bench.pong()
  bench.say(answer(1))
  bench.pass(399)
  equal(bench.ended, 0)
  bench.pass(1)
  equal(bench.last?.reason, 'timeout')
})

test('an open ask gives no time to a tool that is busy', () => {
  const bench = running({}, 1000, 60_000)
  bench.hear(ask(1))
  bench.pass(20)
  bench.pong()
  bench.pass(200) // the next ping stays unanswered
  bench.pass(999)
  equal(bench.ended, 0)
  bench.pass(1)
  deepEqual([bench.ended, bench.last?.reason], [1, 'timeout'])
})

test('an answer that comes while the tool is busy does not give the time back', () => {
  const bench = running({}, 1000, 60_000)
  bench.hear(ask(1))
  bench.pass(20)
  bench.pass(700)
  bench.say(answer(1))
  bench.pass(299)
  equal(bench.ended, 0)
  bench.pass(1)
  equal(bench.last?.reason, 'timeout')
})

test('a tool that is busy in bursts beside an open ask is counted for them', () => {
  const bench = running({}, 1000, 60_000)
  bench.hear(ask(1))
  bench.pass(20)
  for (let i = 0; i < 3; i++) { bench.pong(); bench.pass(200); bench.pass(300) } // each ping is answered 300 ms late
  bench.pong()
  equal(bench.ended, 0)
  bench.pass(200)
  bench.pass(100)
  equal(bench.last?.reason, 'timeout')
})

test('many short asks one after the other cost no running time', () => {
  const bench = running({}, 1000, 60_000)
  for (let i = 1; i <= 100; i++) {
    bench.hear(ask(i))
    bench.pass(20)
    bench.pong()
    bench.pass(100)
    bench.say(answer(i))
  }
  equal(bench.ended, 0)
  bench.hear(result)
  equal(bench.last?.kind, 'result')
})

test('two asks open at once are one wait, and a withdrawn ask ends it', () => {
  const bench = running({}, 1000, 60_000)
  bench.hear(ask(1))
  bench.hear(ask(2))
  bench.pass(20)
  bench.pong()
  bench.say(answer(1))
  for (let i = 0; i < 20; i++) { bench.pass(200); bench.pong() }
  bench.hear({ kind: 'ask_cancel', call: 1, ask: 2 })
  bench.pass(999)
  equal(bench.ended, 0)
  bench.pass(1)
  equal(bench.last?.reason, 'timeout')
})

test('total time runs on while a tool waits', () => {
  const bench = running({}, 1000, 3000)
  bench.hear(ask(1))
  bench.pass(20)
  for (let i = 0; i < 14; i++) { bench.pong(); bench.pass(200) }
  equal(bench.ended, 0)
  bench.pong()
  bench.pass(200)
  equal(bench.last?.reason, 'wall')
})

test('an ask that is answered at once costs neither a ping nor running time', () => {
  const bench = running({}, 1000, 60_000)
  for (let i = 1; i <= 100; i++) {
    bench.hear(ask(i))
    bench.pass(19)
    bench.say(answer(i))
  }
  equal(bench.tool.got.filter((m) => typeof m === 'number').length, 0)
  bench.pass(999)
  equal(bench.ended, 0)
  bench.pass(1)
  equal(bench.last?.reason, 'timeout')
})

test('a tool with little time left may wait, and one that is busy beside an open ask is ended after it', () => {
  const honest = running({}, 1000, 60_000)
  honest.pass(995)
  honest.hear(ask(1))
  honest.pass(20)
  honest.pong()
  honest.pass(200)
  honest.pong()
  equal(honest.ended, 0)
  const busy = running({}, 1000, 60_000)
  busy.pass(995)
  busy.hear(ask(1))
  busy.pass(24)
  equal(busy.ended, 0)
  busy.pass(1)
  equal(busy.last?.reason, 'timeout')
})

test('a call whose code is never begun ends as silent', () => {
  const bench = new Bench().ready()
  bench.say({ kind: 'call', call: 1, args: {}, timeoutMs: 30_000, wallMs: 60_000, context: { task: '', tool: '' } })
  bench.pass(4999)
  equal(bench.ended, 0)
  bench.pass(1)
  deepEqual([bench.last?.reason, bench.last?.call], ['silent', 1])
})

test('a call that has ended leaves no clock, and what comes after it is dropped', () => {
  const bench = running()
  bench.hear(result)
  equal(bench.open, 0)
  const before = bench.host.got.length
  bench.hear(result)
  bench.hear({ kind: 'log', call: 1, lines: [] })
  bench.pass(1e6)
  deepEqual([bench.host.got.length, bench.ended], [before, 0])
  bench.call(1000, 5000, 2)
  bench.hear({ kind: 'result', call: 1, value: 'of call 1' })
  bench.hear({ kind: 'result', call: 2, value: 2 })
  equal(bench.last?.value, 2)
})

test('cancel ends the tool without a word, and nothing comes after', () => {
  const bench = running()
  const before = bench.host.got.length
  bench.say({ kind: 'cancel', call: 1 })
  bench.hear(result)
  bench.fail({ message: 'x', line: 1, column: 1 })
  bench.stray()
  bench.pass(1e6)
  deepEqual([bench.ended, bench.host.got.length, bench.open], [1, before, 0])
})

test('an error before ready is a failed start with the author\'s line, without one where the engine gives none', () => {
  const known = new Bench({}, '"use strict";return (\n() => {\n  const a = ;\n}\n)')
  known.fail({ message: `Uncaught SyntaxError: Unexpected token ';'`, line: 6, column: 13 })
  deepEqual([known.ended, known.last], [1, { kind: 'crashed', call: 0, reason: 'start', message: `the code did not start: SyntaxError: Unexpected token ';'`, line: 2, column: 13 }])
  const unknown = new Bench()
  unknown.fail({ message: '', line: 0, column: 0 })
  deepEqual(unknown.last, { kind: 'crashed', call: 0, reason: 'start', message: 'the code did not start: the engine gives no reason' })
  const wrapper = new Bench()
  wrapper.fail({ message: 'x', line: 1, column: 1 })
  equal(wrapper.last?.line, undefined)
})

test('an error after ready ends the running call as crashed', () => {
  const bench = running()
  bench.fail({ message: 'Uncaught Error: gone', line: 0, column: 0 })
  deepEqual(bench.last, { kind: 'crashed', call: 1, reason: 'error', message: 'the worker died: Error: gone' })
})

test('a language that is not here, and a host out of turn, end the sandbox with a reason', () => {
  match(new Bench({}, 'x', 'cobol').last?.message as string, /cobol/)
  const bench = new Bench()
  bench.call()
  match(bench.last?.message as string, /"call" is out of turn/)
  const garbled = new Bench()
  garbled.host.send('no envelope')
  ok(garbled.last?.kind === 'crashed')
})
