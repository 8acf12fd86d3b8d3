import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { Console } from '../src/runtime/log/console'
import { inspect } from '../src/runtime/log/inspect'
import { clip } from '../src/text'
import { Logbook, type LogBounds } from '../src/runtime/log/logbook'

type Methods = Record<string, (...args: unknown[]) => void>

/** A console and the lines it made, as `level: text`. */
function recorder(room = 65536): { on: Methods; lines: string[]; time: { now: number } } {
  const lines: string[] = []
  const time = { now: 0 }
  const console = new Console({
    room: () => room,
    add: (level, text) => lines.push(`${level}: ${clip(text, room)}`),
    now: () => time.now,
    errorText: (error) => String((error as Error).message),
    framesOf: () => 'at demo.js:1:1',
  })
  return { on: console.methods(), lines, time }
}

test('a hostile log line shows every argument and never throws', () => {
  const { on, lines } = recorder()
  const o: Record<string, unknown> = {}
  o.self = o
  on.log!(o, 1n, Symbol('s'), () => 1, new Proxy({}, { get() { throw 1 } }), new Map([[o, o]]), '\ud800', undefined)
  equal(lines[0], 'log: { self: [circular] } 1n Symbol(s) [function] {} Map(1) { { self: [circular] } => { self: [circular] } } \ufffd undefined')
})

const formats: [unknown[], string][] = [
  [['%s is %d', 'a', 5], 'a is 5'],
  [['%s', { a: 1 }, 'more', 2], '{ a: 1 } more 2'],
  [['%d %i %f', '3.7', '3.7', '3.7'], '3.7 3 3.7'],
  [['%d %i', 5n, 6n], '5n 6n'],
  [['%d', { valueOf() { throw 1 } }], 'NaN'],
  [['%d', Symbol('s')], 'NaN'],
  [['%o %O %j', [1], { a: 'x' }, null], '[ 1 ] { a: "x" } null'],
  [['%cred%c plain', 'color: red', ''], 'red plain'],
  [['100%', 1], '100% 1'],
  [['%% %s', 1], '% 1'],
  [['%x %s', 1], '%x 1'],
  [['%s %s', 'only'], 'only %s'],
  [['%s'], '%s'],
  [[1, '%s', 'a'], '1 %s a'],
  [[], ''],
  [['a\nb', -0, null, true], 'a\nb -0 null true'],
]

for (const [args, text] of formats) {
  test(`console.log of ${JSON.stringify(args, (_, v) => (typeof v === 'bigint' || typeof v === 'symbol' ? String(v) : (v as unknown)))} shows ${JSON.stringify(text)}`, () => {
    const { on, lines } = recorder()
    on.log!(...args)
    deepEqual(lines, [`log: ${text}`])
  })
}

test('each method has its level and its form', () => {
  const { on, lines, time } = recorder()
  for (const level of ['log', 'info', 'warn', 'error', 'debug']) on[level]!(level)
  on.dir!({ a: 1 }, { depth: 0 })
  on.dirxml!('x')
  on.assert!(true, 'no')
  on.assert!(false, '%s', 'm')
  on.assert!()
  on.trace!('here')
  on.group!('outer')
  on.groupCollapsed!()
  on.log!('in')
  on.groupEnd!()
  on.groupEnd!()
  on.groupEnd!()
  on.count!()
  on.count!('a')
  on.countReset!()
  on.count!()
  on.time!('t')
  time.now = 1.5
  on.timeLog!('t', 'x', { a: 1 })
  on.timeEnd!('t')
  on.timeEnd!('t')
  on.clear!()
  deepEqual(lines, [
    'log: log', 'info: info', 'warn: warn', 'error: error', 'debug: debug', 'log: { a: 1 }', 'log: x', 'error: Assertion failed: m',
    'error: Assertion failed', 'log: Trace: here\nat demo.js:1:1', 'log: outer', 'log:     in', 'log: default: 1', 'log: a: 1',
    'log: default: 1', 'log: t: 1.500 ms x { a: 1 }', 'log: t: 1.500 ms', `warn: Timer 't' does not exist`,
  ])
})

test('a table shows rows and columns', () => {
  const { on, lines } = recorder()
  on.table!([{ a: 1, b: 'x' }, { a: 22, get c() { throw 1 } }, 5])
  on.table!(7)
  deepEqual(lines[0]!.split('\n'), ['log: (index) | a  | b   | c         | Values', '0       | 1  | "x" |           | ', '1       | 22 |     | undefined | ', '2       |    |     |           | 5'])
  equal(lines[1], 'log: 7')
})

test('a table shows the columns that are asked for, in their order', () => {
  const { on, lines } = recorder()
  on.table!([{ a: 1, b: 2, c: 3 }, { c: 4 }], ['c', 'a', 5])
  deepEqual(lines[0]!.split('\n'), ['log: (index) | c | a', '0       | 3 | 1', '1       | 4 | '])
})

test('the console has every method that a browser or a server has, and none throws', () => {
  const { on } = recorder()
  const names = ['assert', 'clear', 'count', 'countReset', 'debug', 'dir', 'dirxml', 'error', 'group', 'groupCollapsed', 'groupEnd', 'info', 'log', 'table', 'time', 'timeEnd', 'timeLog', 'trace', 'warn', 'profile', 'profileEnd', 'timeStamp']
  deepEqual(Object.keys(on).sort(), names.sort())
  equal(Object.prototype.toString.call(on), '[object console]')
  const hostile = new Proxy(function () {}, { get() { throw 1 }, ownKeys() { throw 1 }, getPrototypeOf() { throw 1 }, getOwnPropertyDescriptor() { throw 1 }, has() { throw 1 } })
  const values: unknown[] = [undefined, null, hostile, [hostile], { hostile }, Symbol('s'), 2n ** 5000n, 'x'.repeat(3e6), '\udc00', [, 1], Object.create(null), new Proxy([], { get: () => Infinity }), new Array(2 ** 32 - 1), NaN]
  for (const name of names) for (const value of values) {
    on[name]!(value)
    on[name]!('%s %d %i %f %o %O %c %j %%', value, value, value, value, value, value, value, value, value)
    on[name]!([value], [value])
  }
})

test('no getter runs, and what cannot be read says so', () => {
  const { on, lines } = recorder()
  let ran = 0
  const value = { get a() { return ++ran }, set b(_: number) {}, get c() { return 1 }, set c(_: number) {} }
  on.log!(value, [value], new Map([[1, value]]))
  on.dir!(value)
  on.table!([value])
  on.error!(Object.create({ get name() { return ++ran } }))
  equal(ran, 0)
  match(lines[0]!, /^log: \{ a: \[getter\], b: \[setter\], c: \[getter\/setter\] \}/)
  const hostile = new Proxy({}, { ownKeys() { throw 1 } })
  on.log!(hostile, { hostile, a: 1 })
  equal(lines.at(-1), 'log: [unreadable] { hostile: [unreadable], a: 1 }')
})

test('the forms of many kinds of values', () => {
  const show = (value: unknown): string => inspect(value, 10_000, (error) => `<${(error as Error).message}>`)
  class Point { x = 1 }
  const shown: [unknown, string][] = [
    ['a"b', '"a\\"b"'], [class A {}, '[class A]'], [function f() {}, '[function f]'], [[1, , 3], '[ 1, <empty>, 3 ]'], // eslint-disable-line
    [new Point(), 'Point { x: 1 }'], [Object.create(null), '[null prototype] {}'], [new Set([1, 'a']), 'Set(2) { 1, "a" }'],
    [new Uint8Array(3), 'Uint8Array(3) [ 0, 0, 0 ]'], [new ArrayBuffer(8), 'ArrayBuffer(8)'], [new Date(0), '1970-01-01T00:00:00.000Z'],
    [new Date(NaN), 'Invalid Date'], [/a+/g, '/a+/'], [new WeakMap(), '[WeakMap]'], [Promise.resolve(1), '[Promise]'], [new Error('m'), '<m>'],
    [{ e: new Error('m') }, '{ e: <m> }'], [Object(1), '[boxed 1]'], [{ [Symbol('k')]: 1, 'odd key': 2 }, '{ "odd key": 2, [Symbol(k)]: 1 }'],
    [{ a: { b: { c: { d: { e: 1 } } } } }, '{ a: { b: { c: { d: [object] } } } }'], [new (class extends Map<number, number> {})([[1, 2]]), 'Map(1) { 1 => 2 }'],
    [{ constructor: { name: 'Fake' } }, '{ constructor: { name: "Fake" } }'], [Object.create({ get constructor() { throw 1 } }), 'object {}'],
    [{ [Symbol.toStringTag]: 'Liar' }, '{ [Symbol(Symbol.toStringTag)]: "Liar" }'],
  ]
  for (const [value, text] of shown) equal(show(value), text)
})

test('what is wide, long or deep is shown in part', () => {
  const { on, lines } = recorder(1000)
  on.log!(Array.from({ length: 1e6 }, (_, i) => i))
  on.log!(Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => [`key${i}`, i])))
  on.log!(new Map(Array.from({ length: 1e5 }, (_, i) => [i, i])))
  on.log!('x'.repeat(20e6))
  on.log!('é'.repeat(1e6), 'more')
  on.log!('%s', 'y'.repeat(20e6))
  for (const line of lines) ok(new TextEncoder().encode(line).length <= 1005)
  match(lines[3]!, /x…$/)
  match(lines[0]!, /99, … 999900 more \]$/)
  match(lines[1]!, /…$/)
})

/** A logbook with what it sent. */
function book(bounds: LogBounds): { book: Logbook; sent: { lines: { level: string; text: string }[]; dropped: number; bytes: number }[] } {
  const sent: { lines: { level: string; text: string }[]; dropped: number; bytes: number }[] = []
  const logbook = new Logbook(bounds, (lines, dropped) => sent.push({ lines: JSON.parse(`[${lines}]`) as never, dropped, bytes: lines.length }))
  return { book: logbook, sent }
}

test('the first lines of a call leave at once, later ones in batches', () => {
  const { book: logbook, sent } = book({ lines: 1000, bytes: 1 << 18 })
  for (let i = 0; i < 100; i++) logbook.add('log', `${i}`)
  deepEqual(sent.map(({ lines }) => lines.length), [1, 1, 1, 1, 1, 1, 1, 1, 64])
  logbook.end()
  deepEqual([sent.at(-1)!.lines.length, sent.flatMap(({ lines }) => lines).length, sent.at(-1)!.dropped], [28, 100, 0])
})

for (const [title, lines, bytes, text] of [
  ['lines', 10, 1 << 18, 'short'],
  ['bytes', 1000, 4096, 'x'.repeat(100)],
  ['bytes, with characters that JSON writes in six', 1000, 4096, '\u0001'.repeat(100)],
  ['bytes, with lines longer than all of them', 10, 4096, 'x'.repeat(1e5)],
  ['an odd number', 7, 999, 'é'.repeat(20)],
  ['one', 1, 1000, 'a'],
  ['none', 0, 0, 'a'],
] as const) {
  test(`head and tail of a log stay within its ${title}, and the count of the rest is right`, () => {
    const { book: logbook, sent } = book({ lines, bytes })
    for (let i = 0; i < 5000; i++) logbook.add('warn', `${i} ${text}`)
    logbook.end()
    const kept = sent.flatMap((message) => message.lines)
    ok(kept.length <= lines)
    ok(kept.reduce((sum, line) => sum + new TextEncoder().encode(JSON.stringify(line.text)).length, 0) <= bytes)
    equal(kept.length + sent.reduce((sum, message) => sum + message.dropped, 0), 5000)
    const numbers = kept.map((line) => parseInt(line.text, 10))
    deepEqual(numbers, [...numbers].sort((a, b) => a - b))
    if (lines > 1) deepEqual([numbers[0], numbers.at(-1)], [0, 4999])
    ok(sent.filter((message) => message.dropped > 0).length === 1)
  })
}
