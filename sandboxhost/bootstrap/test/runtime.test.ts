import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { begun, clean, leftover } from '../src/internal'
import { program, Realm, type Said } from './realm'

const realm = (source: string, over = {}): Realm => new Realm(program(source), over)
const value = async (source: string, args: unknown = {}): Promise<unknown> => (await realm(source).end(args)).value
const error = async (source: string, args: unknown = {}): Promise<Said['error']> => (await realm(source).end(args)).error
const logs = (said: Said[]): string[] => said.flatMap((m) => m.lines ?? []).map((line) => `${line.level}: ${line.text}`)

test('a tool gets its arguments as values, and its context', async () => {
  const tool = `(args, context) => [args.when.getTime(), args.bytes.length, Object.isFrozen(context), context.task, context.tool, context.settings, Object.keys(context)]`
  deepEqual(await value(tool, { when: { $t: 'date', v: '1970-01-01T00:00:01.000Z' }, bytes: { $t: 'bytes', v: 'AAE=' } }), [
    1000, 2, true, 'task:b3:1', 'tool:b3:2', { unit: 'm' }, ['task', 'tool', 'settings', 'secrets', 'signal', 'progress', 'fetch', 'storage', 'resolveInvocation', 'createSubtasksResult'],
  ])
})

test('the runtime says ready once, and before each call that it is begun', async () => {
  const one = realm('() => 1')
  deepEqual(one.said, [{ kind: 'ready', version: 1 }])
  await one.end()
  await one.end()
  deepEqual(one.numbers, [begun, begun])
  one.say(7)
  one.say({ kind: 'ping', seq: 3 })
  deepEqual([one.numbers.at(-1), one.said.at(-1)], [7, { kind: 'pong', seq: 3 }])
})

const later = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

test('a call that follows soon after the worker has come to rest is not announced, a later one is', async () => {
  const one = realm('() => 1')
  await one.end()
  await later(10)
  await one.end()
  await later(10)
  deepEqual(one.numbers, [begun, clean, clean])
  await later(150)
  await one.end()
  deepEqual(one.numbers, [begun, clean, clean, begun])
})

test('a call that comes before the worker has come to rest is announced, and it says once that it rests', async () => {
  const one = realm('() => 1')
  for (let i = 0; i < 3; i++) await one.end()
  await later(10)
  deepEqual(one.numbers, [begun, begun, begun, clean])
})

test('a worker does not say that it rests while the next call runs', async () => {
  const one = realm('(args) => args.wait ? new Promise((done) => setTimeout(done, 30)) : 1')
  await one.end()
  await one.end({ wait: true })
  deepEqual(one.numbers, [begun, begun])
  await later(10)
  deepEqual(one.numbers, [begun, begun, clean])
})

test('a worker in which code was left behind announces its next call', async () => {
  const one = new Realm(program(`(args) => { if (args.first) createImageBitmap(() => console.log('late')); return 1 }`), {}, 'demo',
    { createImageBitmap: (run: () => void) => void setTimeout(run, 30) })
  await one.end({ first: true })
  await later(50)
  await one.end()
  deepEqual(one.numbers, [begun, clean, leftover, begun])
})

// Each call settles exactly once, and the sandbox lives.
for (const [source, code, path, name] of [
  ['() => () => 1', 'invalid_result', '$', 'InvalidResult'],
  [`() => Symbol('s')`, 'invalid_result', '$', 'InvalidResult'],
  ['() => new WeakMap()', 'invalid_result', '$', 'InvalidResult'],
  ['() => ({ ok: 1, cb() {} })', 'invalid_result', '$.cb', 'InvalidResult'],
  [`() => { const a = {}; a.a = a; return a }`, 'invalid_result', '$.a', 'InvalidResult'],
  ['() => (function* () { yield 1 })()', 'invalid_result', '$', 'InvalidResult'],
  ['async () => ({ all: (async function* () { yield 1 })() })', 'invalid_result', '$.all', 'InvalidResult'],
  ['() => [1].values()', 'invalid_result', '$', 'InvalidResult'],
  ['() => [Promise.resolve(1)]', 'invalid_result', '$[0]', 'InvalidResult'],
  [`async () => { throw new RangeError('m') }`, 'tool_error', undefined, 'RangeError'],
] as const) {
  test(`${source} fails once, and the next call runs`, async () => {
    const one = realm(`(args) => args.again ? 2 : (${source})()`)
    const said = await one.call()
    deepEqual([said.length, said[0]!.kind, said[0]!.code, said[0]!.error?.path, said[0]!.error?.name], [1, 'failure', code, path, name])
    equal((await one.end({ again: true })).value, 2)
    equal(one.said.filter((m) => m.call === 1).length, 1)
  })
}

test('a large result is refused with its limit, and a result beside it travels', async () => {
  match((await error(`() => 'x'.repeat(50e6)`))!.message, /^result \$: it takes more than 1048576 bytes$/)
  equal((await value(`() => 'é'.repeat(500000)`) as string).length, 500000)
})

test('a failure names the author\'s line, column, frames and causes', async () => {
  const found = await error(`(args) => {\n  const go = () => {\n    throw new TypeError('no', { cause: new Error('why', { cause: 'deep' }) })\n  }\n  go()\n}`)
  deepEqual(found, { name: 'TypeError', message: 'no', stack: 'at go (demo.js:3:11)\nat demo.js:5:3', line: 3, column: 11, cause: 'Error: why (demo.js:3:40)\ndeep' })
})

for (const [title, source, stack] of [
  ['nested async functions', 'async () => {\n  const inner = async () => {\n    await null\n    throw new Error("x")\n  }\n  await inner()\n}', 'at inner (demo.js:4:11)\nat demo.js:6:3'],
  ['a callback of a built-in', '() => [1].map(function each() {\n  null.x\n})', 'at each (demo.js:2:8)\nat demo.js:1:11'],
  ['a callback of a promise', 'async () => {\n  await Promise.resolve().then(function next() { null.x })\n}', 'at next (demo.js:2:55)\nat demo.js:2:3'],
  ['a getter and a class', '() => {\n  class A { get b() { return null.x } }\n  return new A().b\n}', 'at get b (demo.js:2:35)\nat demo.js:3:18'],
] as const) {
  test(`the stack of a throw in ${title} is the author's alone`, async () => equal((await error(source))?.stack, stack))
}

test('an error of many shows each, with its place', async () => {
  const found = await error('async () => Promise.any([1, 2].map(async (n) => {\n  throw new RangeError(`no ${n}`, { cause: "why" })\n}))')
  deepEqual([found?.name, found?.cause], ['AggregateError', 'errors[0]: RangeError: no 1 (demo.js:2:9)\nerrors[1]: RangeError: no 2 (demo.js:2:9)'])
  match((await error('() => { throw new AggregateError(Array(20).fill(null)) }'))!.cause!, /errors\[7\]: null\n… 12 more$/)
  equal((await error(`() => { const { proxy, revoke } = Proxy.revocable([], {}); revoke(); throw Object.assign(new Error('x'), { errors: proxy }) }`))?.message, 'x')
})

for (const [title, source, line, column] of [
  ['CRLF', '(args) => {\r\n\r\n  null.x\r\n}', 3, 8],
  ['tabs', '(args) => {\n\t\tnull.x\n}', 2, 8],
  ['a line separator in a template', '(args) => { `\u2028`\n  null.x }', 3, 8],
  ['the first line', '(args) => null.x', 1, 16],
  ['an awaited line', 'async (args) => {\n  await null\n  null.x\n}', 3, 8],
] as const) {
  test(`the line of a throw is the author's with ${title}`, async () => {
    const found = await error(source)
    deepEqual([found?.line, found?.column], [line, column])
  })
}

const hostile: [string, string, string, string][] = [
  ['null', 'throw null', 'Thrown', 'null'],
  ['undefined', 'throw undefined', 'Thrown', 'undefined'],
  ['a text', `throw 'text'`, 'Thrown', 'text'],
  ['a bigint', 'throw 5n', 'Thrown', '5n'],
  ['a symbol', `throw Symbol('s')`, 'Thrown', 'a symbol'],
  ['a function', 'throw () => 1', 'Thrown', 'a function'],
  ['an object', 'throw { a: 1 }', 'Thrown', 'an object'],
  ['an object like an error', `throw { name: 'Mine', message: 'm' }`, 'Thrown', 'Mine: m'],
  ['a cyclic object', `const a = {}; a.a = a; throw a`, 'Thrown', 'an object'],
  ['a revoked Proxy', `const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy`, 'Thrown', 'an object'],
  ['an object whose getters throw', `throw { get name() { throw 1 }, get message() { throw this } }`, 'Thrown', 'an object'],
  ['an error whose getters throw', `const e = new Error('x'); for (const k of ['name', 'message', 'stack', 'cause']) Object.defineProperty(e, k, { get() { throw e } }); throw e`, 'Error', ''],
  ['an error that causes itself', `const e = new Error('x'); e.cause = e; throw e`, 'Error', 'x'],
  ['an error with a foreign name', `throw Object.assign(new Error('x'), { name: { toString() { throw 1 } } })`, 'Error', 'x'],
  ['an error with texts of its own for everything', `const loud = () => { for (;;); }; throw Object.assign(new Error('x'), { toString: loud, toJSON: loud, valueOf: loud, [Symbol.toPrimitive]: loud })`, 'Error', 'x'],
  ['an error whose stack is no text', `const e = new Error('x'); Object.defineProperty(e, 'stack', { value: { toString() { for (;;); } } }); throw e`, 'Error', 'x'],
  ['an error with half a surrogate pair', `throw new Error('a\\ud800')`, 'Error', 'a\ufffd'],
  ['an error that was prepared by the tool', `Error.prepareStackTrace = () => { throw 1 }; throw new Error('x')`, 'Error', 'x'],
  ['a Proxy of an error', `throw new Proxy(new Error('x'), { get() { throw 1 } })`, 'Error', ''],
]

for (const [title, code, name, message] of hostile) {
  test(`a tool that throws ${title} fails with a text, and the next call runs`, async () => {
    const one = realm(`(args) => { if (args.again) return 2; ${code} }`)
    const said = await one.call()
    deepEqual([said.length, said[0]!.code, said[0]!.error?.name, said[0]!.error?.message], [1, 'tool_error', name, message])
    equal((await one.end({ again: true })).value, 2)
  })
}

test('a thrown value that can travel is kept', async () => {
  deepEqual((await error('() => { throw { a: [1n] } }'))!.value, { a: [{ $t: 'bigint', v: '1' }] })
  equal((await error('() => { const a = {}; a.a = a; throw a }'))!.value, undefined)
})

test('a failure of any size fits its message', async () => {
  const one = realm(`() => { const e = new Error('\\u0001'.repeat(1e6), { cause: '\\u0001'.repeat(1e6) }); e.name = '\\u0001'.repeat(1e6); Object.defineProperty(e, 'stack', { value: '    at ' + '\\u0001'.repeat(400) + ' (blob:null/0000:4:1)\\n'.repeat(100) }); throw e }`)
  const said = await one.end()
  equal(said.kind, 'failure')
  ok(JSON.stringify(said).length < 256 << 10)
})

test('thenables end like promises: the first word counts, a throw in then is an error', async () => {
  equal(await value(`() => ({ then(ok) { ok(1); ok(2); throw 3 } })`), 1)
  equal((await error(`() => ({ get then() { throw new Error('no') } })`))!.message, 'no')
  equal(await value(`() => ({ then: 1 })`) !== undefined, true)
})

test('the top level runs once; when it throws, that call fails and the next one tries again', async () => {
  const one = new Realm(`"use strict";\nlet n = 0\nif (!globalThis.second) { globalThis.second = true; throw new Error('first') }\nawait null\nconst f = () => ++n\nreturn f`)
  const failed = await one.end()
  deepEqual([failed.kind, failed.error?.message, failed.error?.line], ['failure', 'first', 2])
  deepEqual([(await one.end()).value, (await one.end()).value], [1, 2])
  match((await new Realm('"use strict";\nreturn 7\n').end()).error!.message, /gave no function/)
})

test('timers, progress, asks and logs of an ended call are dead', async () => {
  const one = realm(`(args, context) => {
    if (args.n === 1) {
      setTimeout(() => { throw 1 }, 5)
      setInterval(() => console.log('tick'), 5)
      globalThis.old = context
      context.signal.addEventListener('abort', () => console.log('aborted'))
      return 'ok'
    }
    old.progress(1, 'late')
    return new Promise((done) => setTimeout(() => old.resolveInvocation('x').catch((e) => done([e.code, old.signal.aborted])), 40))
  }`)
  const first = await one.call({ n: 1 })
  deepEqual(first.map((m) => m.kind), ['log', 'result'])
  const second = await one.call({ n: 2 })
  deepEqual(second, [{ kind: 'result', call: 2, value: ['aborted', true] }])
})

test('a timer made between calls never fires, and a tool clears only its own', async () => {
  const one = realm(`async (args) => {
    if (args.n === 1) { Promise.resolve().then(() => {}).then(() => {}).then(() => {}).then(() => { globalThis.id = setTimeout(() => { globalThis.fired = true }, 1) }); return 1 }
    for (let i = 0; i < 1000; i++) clearTimeout(i)
    const stop = setTimeout(() => { globalThis.stopped = true }, 1)
    clearTimeout(stop)
    await new Promise((done) => setTimeout(done, 20))
    return [globalThis.id, globalThis.fired, globalThis.stopped]
  }`)
  await one.call({ n: 1 })
  await new Promise<void>((done) => setTimeout(done, 20))
  deepEqual((await one.end({ n: 2 })).value, [0, { $t: 'undefined' }, { $t: 'undefined' }])
})

test('timers pass their arguments and refuse text', async () => {
  equal(await value(`() => new Promise((done) => setTimeout(done, 1, 'x'))`), 'x')
  equal((await error(`() => setTimeout('1', 1)`))!.name, 'TypeError')
  equal(await value(`() => new Promise((done) => { let n = 0; const id = setInterval(() => { if (++n === 3) { clearInterval(id); done(n) } }, 1) })`), 3)
})

test('what nothing caught is a line of the running call, and of none after it', async () => {
  const one = realm(`() => new Promise((done) => setTimeout(() => done(1), 20))`)
  const done = one.call()
  one.uncaught('error', `new Error('in a timer')`)
  one.uncaught('unhandledrejection', 'undefined')
  const said = await done
  one.uncaught('error', '1')
  deepEqual(logs(said), ['warn: uncaught: Error: in a timer', 'warn: uncaught: undefined'])
  equal(one.said.at(-1)!.kind, 'result')
})

test('a logged error shows its frames, and none of its getters runs', async () => {
  const said = await realm(`() => {
    let ran = 0
    const quiet = new RangeError('r')
    quiet.stack // some engines write its first line now, and read the message for it
    Object.defineProperty(quiet, 'message', { get() { ran++; return 'loud' } })
    console.error(new TypeError('t'), quiet, new (class Mine extends Error {})('m'))
    return ran
  }`).call()
  equal(logs(said)[0], 'error: TypeError: t\nat demo.js:6:19 RangeError\nat demo.js:3:19 Error: m\nat demo.js:6:46')
  equal(said.at(-1)!.value, 0)
})

test('what an error has of its own for being shown never runs', async () => {
  const said = await realm(`() => {
    let ran = 0
    const count = () => { ran++; return 'loud' }
    const loud = Object.assign(new Error('quiet'), { toString: count, toJSON: count, valueOf: count, [Symbol.toPrimitive]: count, inspect: count, [Symbol.for('nodejs.util.inspect.custom')]: count })
    console.log(loud, [loud], { loud }, '%s')
    console.error('%s %o %d', loud, loud, loud)
    console.table([loud])
    console.assert(false, loud)
    return [ran, { loud }]
  }`).call()
  for (const line of logs(said).slice(0, 2)) match(line, /^\w+: Error: quiet/)
  deepEqual(said.at(-1)!.value, [0, { loud: { $t: 'error', v: { name: 'Error', message: 'quiet' } } }])
})

test('half of a surrogate pair is replaced in what is shown, and refused in data', async () => {
  const one = realm(`async (args, { progress, resolveInvocation }) => {
    progress(0.5, 'a\\ud800')
    console.log('b\\udc00', { ['\\ud800']: ['\\ud800'] }, new Error('\\ud800'))
    const refused = await resolveInvocation('\\ud800').catch((e) => [e.code, e.message])
    const error = new Error('c\\ud800' + refused, { cause: 'd\\ud800' })
    error.name = 'e\\ud800'
    throw error
  }`)
  const said = await one.call()
  equal(said.find((m) => m.kind === 'progress')!.text, 'a\ufffd')
  ok(logs(said)[0]!.startsWith('log: b\ufffd '))
  const { name, message, cause } = said.at(-1)!.error!
  deepEqual([name, message, cause], ['e\ufffd', 'c\ufffdinvalid_value,resolve: $.name: its text holds half of a surrogate pair', 'd\ufffd'])
  equal(one.said.filter((m) => m.kind === 'ask').length, 0)
  const whole = (value: unknown): boolean => typeof value === 'string' ? !/\p{Surrogate}/u.test(value) : typeof value !== 'object' || value === null || Object.entries(value).every(([key, item]) => whole(key) && whole(item))
  ok(whole(said))
})

test('progress is coalesced and bounded', async () => {
  const one = realm(`async (args, { progress }) => {
    for (let i = 0; i < 10000; i++) progress(i / 10000, 'x'.repeat(2000))
    await new Promise((done) => setTimeout(done, 150))
    progress(); progress(NaN); progress({}, Symbol('s')); progress(7, 'é'); return 1
  }`)
  const said = await one.call()
  const progress = said.filter((m) => m.kind === 'progress')
  deepEqual(progress.slice(0, 2).map((m) => m.fraction), [0, 0.9999])
  ok(progress.length <= 3)
  ok(progress.every((m) => m.text!.length <= 1024))
})

test('asks are numbered, answered once and in any order, with the host\'s error code', async () => {
  const one = realm(`async (args, context) => {
    const all = await Promise.allSettled([context.resolveInvocation('a'), context.createSubtasksResult([{ x: 1 }]), context.resolveInvocation(() => 1)])
    return all.map((one) => one.value ?? [one.reason.code, one.reason.message])
  }`)
  const end = one.end()
  await one.until((m) => m.ask === 2)
  deepEqual(one.said.slice(1), [
    { kind: 'ask', call: 1, ask: 1, capability: 'resolve', params: { name: 'a' } },
    { kind: 'ask', call: 1, ask: 2, capability: 'subtasks', params: { drafts: [{ x: 1 }] } },
  ])
  one.say({ kind: 'answer', call: 1, ask: 2, error: { code: 'denied', message: 'no' } })
  one.say({ kind: 'answer', call: 1, ask: 2, value: 'again' })
  one.say({ kind: 'answer', call: 9, ask: 1, value: 'other call' })
  one.say({ kind: 'answer', call: 1, ask: 1, value: { $t: 'map', v: [[1, 2]] } })
  deepEqual((await end).value, [{ $t: 'map', v: [[1, 2]] }, ['denied', 'no'], ['invalid_value', 'resolve: $.name: a function cannot travel']])
})

test('a burst of asks waits its turn', async () => {
  const one = realm(`async (args, context) => (await Promise.all(Array.from({ length: 100 }, (_, i) => context.resolveInvocation(i)))).length`)
  const end = one.end()
  for (let ask = 1; ask <= 100; ask++) {
    await one.until((m) => m.ask === ask)
    ok(one.said.filter((m) => m.kind === 'ask').length <= ask + 31)
    one.say({ kind: 'answer', call: 1, ask, value: ask })
  }
  equal((await end).value, 100)
})

test('a tool that asks without end is reported, and its asks stay here', async () => {
  const one = realm(`async (args, context) => { for (let i = 0; i < 1100; i++) context.resolveInvocation(i).catch(() => {}); return 1 }`)
  await one.call()
  equal(one.said.filter((m) => m.kind === 'ask').length, 32)
  equal(one.numbers.filter((n) => n === -1).length, 1)
})

test('a hundred thousand log lines in a tight loop leave head, tail and the count between them', async () => {
  const one = realm(`() => { for (let i = 0; i < 100000; i++) console.log('line', i); return 1 }`)
  const said = await one.call()
  const lines = said.flatMap((m) => m.lines ?? [])
  deepEqual([lines.length, lines[0]!.text, lines.at(-1)!.text], [1000, 'line 0', 'line 99999'])
  deepEqual(said.filter((m) => m.dropped).map((m) => m.dropped), [99000])
  ok(said.length < 40)
  equal(said.at(-1)!.kind, 'result')
})

test('logs leave while an async call runs', async () => {
  const one = realm(`async () => { for (let i = 0; i < 20; i++) console.log(i); await new Promise((done) => setTimeout(done, 120)); return 1 }`)
  const said = one.call()
  await one.until((m) => m.lines?.at(-1)?.text === '19')
  ok(!one.said.some((m) => m.kind === 'result'))
  await said
})

test('a log inside a getter of the result is of the call', async () => {
  const said = await realm(`() => ({ get a() { console.log('read'); return 1 } })`).call()
  deepEqual([logs(said), said.at(-1)!.value], [['log: read'], { a: 1 }])
})

test('nothing of the runtime and no way out is left to a tool', async () => {
  deepEqual(await value(`() => ['__taskyon', 'Worker', 'importScripts', 'postMessage', 'close'].map((name) => typeof globalThis[name])`), Array(5).fill('undefined'))
  equal(await value(`function tool() { try { return String(tool.caller ?? arguments.callee) } catch (e) { return e.name } }`), 'TypeError')
  deepEqual(await value(`() => {
    Error.prepareStackTrace = (_, sites) => sites.map((site) => [site.getThis() === undefined, site.getFunction() === undefined])
    return new Error('x').stack.every((site) => site[0] && site[1])
  }`), true)
})

test('a secret that is not declared, or misspelt, is told where it is read', async () => {
  const one = await realm('(args, { secrets }) => secrets.apikey').end()
  match(one.error!.message, /context\.secrets\.apikey: the tool declares no such secret/)
  equal(await value('async (args, { secrets }) => { await secrets; return JSON.stringify(secrets) + Object.keys(secrets).length + (secrets.toString === Object.prototype.toString) }'), '{}0false')
})
