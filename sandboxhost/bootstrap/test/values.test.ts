import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { isTagged } from '../src/values/check'
import { CannotTravel, decodeValue, encodeValue } from '../src/values'

const bounds = { nesting: 64, bytes: 1 << 20 }
const encode = (value: unknown, over = {}): unknown => JSON.parse(encodeValue(value, { ...bounds, ...over }))
const roundTrip = (value: unknown): unknown => decodeValue(encode(value))

/** Where a value cannot travel, and why. */
function refusal(value: unknown, over = {}): CannotTravel {
  try {
    encodeValue(value, { ...bounds, ...over })
  } catch (error) {
    if (error instanceof CannotTravel) return error
    throw error
  }
  throw new Error('it travelled')
}

class Point {
  #hidden = 1
  y = 2
  static z = 3
  constructor(readonly x: number) {}
  get sum(): number { return this.x + this.#hidden }
  method(): void {}
}

const travels: [string, unknown, unknown][] = [
  ['null', null, null],
  ['a text', 'é"\\\u0000\u2028😀', 'é"\\\u0000\u2028😀'],
  ['an integer', 42, 42],
  ['a fraction', 1e-7, 1e-7],
  ['undefined', undefined, { $t: 'undefined' }],
  ['NaN', NaN, { $t: 'number', v: 'NaN' }],
  ['Infinity', Infinity, { $t: 'number', v: 'Infinity' }],
  ['-Infinity', -Infinity, { $t: 'number', v: '-Infinity' }],
  ['-0', -0, { $t: 'number', v: '-0' }],
  ['a bigint', -(2n ** 70n), { $t: 'bigint', v: '-1180591620717411303424' }],
  ['a date', new Date(1767323045678), { $t: 'date', v: '2026-01-02T03:04:05.678Z' }],
  ['a date before year 0', new Date(-8.64e15), { $t: 'date', v: '-271821-04-20T00:00:00.000Z' }],
  ['the last date there is', new Date(8.64e15), { $t: 'date', v: '+275760-09-13T00:00:00.000Z' }],
  ['the first day after year 9999', new Date(253402300800000), { $t: 'date', v: '+010000-01-01T00:00:00.000Z' }],
  ['the last moment before year 0', new Date(-62167219200001), { $t: 'date', v: '-000001-12-31T23:59:59.999Z' }],
  ['the smallest and the largest number', [5e-324, -1.7976931348623157e308], [5e-324, -1.7976931348623157e308]],
  ['a sum that is not quite its digits', 0.1 + 0.2, 0.30000000000000004],
  ['an invalid date', new Date(NaN), { $t: 'date', v: null }],
  ['bytes', new Uint8Array([0, 1, 254, 255]), { $t: 'bytes', v: 'AAH+/w==' }],
  ['no bytes', new Uint8Array(), { $t: 'bytes', v: '' }],
  ['a map', new Map<unknown, unknown>([['k', 1], [{ a: 1 }, undefined]]), { $t: 'map', v: [['k', 1], [{ a: 1 }, { $t: 'undefined' }]] }],
  ['a set', new Set<unknown>([1, 'a', new Set()]), { $t: 'set', v: [1, 'a', { $t: 'set', v: [] }] }],
  ['an error', new TypeError('no'), { $t: 'error', v: { name: 'TypeError', message: 'no' } }],
  ['keys that begin with $', { $t: 'date', $: 1, $$x: 2, a$: 3 }, { $$t: 'date', $$: 1, $$$x: 2, a$: 3 }],
  ['an empty object and array', { a: {}, b: [] }, { a: {}, b: [] }],
]

for (const [title, value, tagged] of travels) {
  test(`${title} travels and comes back equal`, () => {
    deepEqual(encode(value), tagged)
    ok(isTagged(tagged, 64))
    const back = roundTrip(value)
    if (title !== 'an invalid date') deepEqual(back, value)
    else ok(Number.isNaN((back as Date).getTime()))
    ok(Object.is(back, value) || typeof value === 'object')
  })
}

const becomes: [string, unknown, unknown][] = [
  ['a buffer becomes bytes', new Uint8Array([1, 2]).buffer, { $t: 'bytes', v: 'AQI=' }],
  ['a view becomes the bytes it shows', new DataView(new Uint8Array([1, 2, 3, 4]).buffer, 1, 2), { $t: 'bytes', v: 'AgM=' }],
  ['a part of a buffer becomes the bytes it shows', new Uint8Array(new Uint8Array([1, 2, 3]).buffer, 1), { $t: 'bytes', v: 'AgM=' }],
  ['a view of shared memory becomes the bytes it shows now', new Uint8Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer, 0, 2), { $t: 'bytes', v: 'AAA=' }],
  ['other typed arrays become arrays of numbers', new Float64Array([1.5, NaN, -0]), [1.5, { $t: 'number', v: 'NaN' }, { $t: 'number', v: '-0' }]],
  ['a bigint array becomes an array of bigints', new BigInt64Array([1n]), [{ $t: 'bigint', v: '1' }]],
  ['an instance becomes its own enumerable properties', new Point(1), { x: 1, y: 2 }],
  ['an instance with toJSON is asked once', new URL('https://e.test/a'), 'https://e.test/a'],
  ['a plain object with toJSON is asked once', { toJSON: () => ({ a: 1 }) }, { a: 1 }],
  ['what toJSON gives is not asked again', new (class A { b = 1; toJSON(): unknown { return new A() } })(), { b: 1 }],
  ['a getter is read', { get a() { return 1 } }, { a: 1 }],
  ['a property that is not enumerable stays', Object.defineProperty({ a: 1 }, 'b', { value: 2 }), { a: 1 }],
  ['an empty instance of a class of the tool\'s is an empty object', [new (class A {})(), new (class extends (class {}) {})(), Object.create({ constructor: '[native code]' })], [{}, {}, {}]],
  ['symbol keys stay', { [Symbol('s')]: 1, a: 2 }, { a: 2 }],
  ['a hole becomes undefined', [1, , 3], [1, { $t: 'undefined' }, 3]], // eslint-disable-line
  ['an array subclass becomes an array', new (class L extends Array<number> {})(1, 2), [1, 2]],
  ['a Proxy becomes what it shows', new Proxy({ a: 1 }, {}), { a: 1 }],
  ['boxed primitives become primitives', [new Number(1), new String('s'), new Boolean(false), Object(1n)], [1, 's', false, { $t: 'bigint', v: '1' }]],
  ['an object without a prototype is an object', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ['a foreign error name is kept', new DOMException('m', 'AbortError'), { $t: 'error', v: { name: 'AbortError', message: 'm' } }],
  ['the same object twice is no cycle', ((o) => [o, o])({ a: 1 }), [{ a: 1 }, { a: 1 }]],
  ['a date out of range is an invalid one', [new Date(8.64e15 + 1), new Date(2026, 1e9)], [{ $t: 'date', v: null }, { $t: 'date', v: null }]],
  ['a Map, a Set and a Date that lie about themselves are what they hold', [
    new (class extends Map<number, number> { override get size(): never { throw 1 } override forEach(): never { throw 1 } override [Symbol.iterator](): never { throw 1 } })([[1, 2]]),
    new (class extends Set<number> { override forEach(): never { throw 1 } override values(): never { throw 1 } })([3]),
    new (class extends Date { override toISOString(): never { throw 1 } override getTime(): never { throw 1 } override toJSON(): never { throw 1 } })(0),
  ], [{ $t: 'map', v: [[1, 2]] }, { $t: 'set', v: [3] }, { $t: 'date', v: '1970-01-01T00:00:00.000Z' }]],
  ['numbers as keys of a Map stay numbers', new Map([[NaN, 1], [-0, 2], [Infinity, 3], [0.1, 4]]), { $t: 'map', v: [[{ $t: 'number', v: 'NaN' }, 1], [0, 2], [{ $t: 'number', v: 'Infinity' }, 3], [0.1, 4]] }],
  ['an array with properties of its own becomes its items', Object.assign([1], { extra: 2 }), [1]],
  ['an array that is longer than its items becomes as long', Object.assign([1], { length: 3 }), [1, { $t: 'undefined' }, { $t: 'undefined' }]],
  ['an error whose getters throw has no text', Object.defineProperties(new Error('x'), { name: { get() { throw 1 } }, message: { get() { throw 1 } } }), { $t: 'error', v: { name: 'Error', message: '' } }],
  ['an error with lone surrogates and without a name', Object.assign(new Error('\ud800'), { name: undefined }), { $t: 'error', v: { name: 'Error', message: '\ufffd' } }],
]

for (const [title, value, tagged] of becomes) test(title, () => {
  deepEqual(encode(value), tagged)
  ok(isTagged(tagged, 64))
})

const cyclic: Record<string, unknown> = { a: [] }
;(cyclic.a as unknown[]).push(cyclic)
const cyclicMap = new Map<unknown, unknown>([['k', 1]])
cyclicMap.set('self', [cyclicMap])
const revoked = (() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy })()

const gone = new ArrayBuffer(8)
structuredClone(gone, { transfer: [gone] })

const stays: [string, unknown, string, RegExp][] = [
  ['a function', () => () => 1, '$', /a function cannot travel/],
  ['a symbol', Symbol('s'), '$', /a symbol cannot travel/],
  ['a method in an object', { ok: 1, cb() {} }, '$.cb', /function/],
  ['a function under an odd key', { 'odd key': { 'ö': [0, 1, 2, () => 1] } }, '$["odd key"]["ö"][3]', /function/],
  ['a function in a map', new Map([[1, 2], [3, () => 1]] as never), '$[1][1]', /function/],
  ['a symbol as a map key', { m: new Map([[Symbol('s'), 1]]) }, '$.m[0][0]', /symbol/],
  ['a function in a set', new Set([() => 1]), '$[0]', /function/],
  ['a WeakMap', new WeakMap(), '$', /WeakMap/],
  ['a WeakSet', { a: new WeakSet() }, '$.a', /WeakSet/],
  ['a WeakRef', new WeakRef({}), '$', /WeakRef/],
  ['a promise in data', { p: Promise.resolve(1) }, '$.p', /Promise/],
  ['a regular expression', /x/, '$', /RegExp/],
  ['a generator', (function* () {})(), '$', /generator/],
  ['an iterator', [1].values(), '$', /iterator/],
  ['a response', { r: new Response('x') }, '$.r', /Response/],
  ['shared memory', { m: [new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer] }, '$.m[0]', /a SharedArrayBuffer cannot travel/],
  ['an async generator', { a: (async function* () {})() }, '$.a', /generator/],
  ['a boxed symbol', Object(Symbol('s')), '$', /Symbol/],
  ['a cycle', cyclic, '$.a[0]', /contains itself/],
  ['a cycle through a map', cyclicMap, '$[1][1][0]', /contains itself/],
  ['half of a surrogate pair', ['a', '\ud800'], '$[1]', /surrogate/],
  ['half of a surrogate pair in a key', { a: { '\udc00': 1 } }, '$.a["\ufffd"]', /surrogate/],
  ['a revoked Proxy', { p: revoked }, '$.p', /threw TypeError/],
  ['an object of the engine without data of its own', { a: Object.create(WeakMap.prototype.constructor.prototype) }, '$.a', /a WeakMap cannot travel/],
  ['one that only looks like an array', [Object.create(Array.prototype)], '$[0]', /a Array cannot travel/],
  ['a buffer that was given away', { b: [gone] }, '$.b[0]', /threw TypeError/],
  ['a getter that never stops calling itself', { get deep(): unknown { return (this as { deep: unknown }).deep } }, '$.deep', /threw RangeError/],
  ['a hole\'s neighbour', [, { f() {} }], '$[1].f', /function/], // eslint-disable-line
  ['a getter that throws', { a: { get b(): never { throw new RangeError('no') } } }, '$.a.b', /threw RangeError: no/],
  ['a toJSON that throws', [new (class { toJSON(): never { throw null } })()], '$[0]', /threw null/],
  ['an object that only looks like a date', Object.create(Date.prototype), '$', /threw TypeError/],
  ['an object that only looks like a number', Object.create(Number.prototype), '$', /only looks like/],
]

for (const [title, value, path, why] of stays) {
  test(`${title} cannot travel, and the path says where it is`, () => {
    const found = refusal(title === 'a function' ? (value as () => unknown)() : value)
    equal(found.path, path)
    match(found.message, why)
  })
}

test('a getter, a toJSON and a Proxy are each asked once', () => {
  const counts = { get: 0, toJSON: 0, trap: 0 }
  const value = [
    { get a() { return ++counts.get } },
    new (class { toJSON(): number { return ++counts.toJSON } })(),
    new Proxy({ a: 1 }, { get: () => ++counts.trap }),
  ]
  deepEqual(encode(value), [{ a: 1 }, 1, { a: 1 }])
  deepEqual(counts, { get: 1, toJSON: 1, trap: 1 })
})

test('__proto__ is a key like any other in both directions', () => {
  const text = encodeValue(JSON.parse('{"__proto__":{"$a":1},"b":[{"__proto__":2}]}'), bounds)
  equal(text, '{"__proto__":{"$$a":1},"b":[{"__proto__":2}]}')
  const back = decodeValue(JSON.parse(text)) as Record<string, unknown>
  equal(Object.getPrototypeOf(back), Object.prototype)
  deepEqual(Object.getOwnPropertyDescriptor(back, '__proto__')?.value, { $a: 1 })
  const both = decodeValue(JSON.parse('{"$$x":1,"__proto__":{"y":2},"$$__proto__":3}')) as object
  deepEqual(Object.keys(both), ['$x', '__proto__', '$__proto__'])
  equal(Object.getPrototypeOf(both), Object.prototype)
})

test('nesting is refused one past its limit, tagged values counted as the host counts them', () => {
  const nest = (levels: number, core: unknown): unknown => levels === 0 ? core : [nest(levels - 1, core)]
  for (const [levels, core, fits] of [[64, 1, true], [65, 1, false], [63, undefined, true], [64, undefined, false], [63, new Map([[1, 2]]), true], [62, new Map([[1, [2]]]), true], [63, new Map([[1, [2]]]), false]] as const) {
    const value = nest(levels, core)
    if (fits) ok(isTagged(encode(value), 64))
    else match(refusal(value).message, /deeper than 64/)
    const unbounded = JSON.parse(encodeValue(value, { nesting: 100, bytes: 1 << 20 })) as unknown
    equal(isTagged(unbounded, 64), fits)
  }
  match(refusal(nest(2_000, 1)).message, /deeper/)
})

test('a size is refused one past its limit, in bytes of UTF-8', () => {
  encodeValue('é'.repeat(49), { nesting: 64, bytes: 100 })
  for (const value of ['é'.repeat(50), 'x'.repeat(99), new Array(2 ** 32 - 1), new Uint8Array(1e8), Array.from({ length: 60 }, () => 1)]) {
    const found = refusal(value, { bytes: 100 })
    equal(found.path, '$')
    ok(found.tooLarge)
  }
})

test('a Proxy that claims an endless array or an endless prototype chain ends', () => {
  ok(refusal(new Proxy([], { get: (_, key) => (key === 'length' ? Infinity : 1) })).tooLarge)
  const endless: object = new Proxy({}, { getPrototypeOf: () => endless })
  deepEqual(encode(endless), {})
})

test('large integers are written so that a strict reader takes them', () => {
  for (const n of [2 ** 53, 123456789012345678901, 1e20, -(2 ** 60)]) {
    const text = encodeValue(n, bounds)
    match(text, /e/)
    equal(JSON.parse(text), n)
  }
  equal(encodeValue(Number.MAX_SAFE_INTEGER, bounds), '9007199254740991')
})

test('an error class of the language comes back as that class', () => {
  const back = decodeValue({ $t: 'error', v: { name: 'RangeError', message: 'm', stack: 's' } }) as Error
  ok(back instanceof RangeError)
  deepEqual([back.message, back.stack, Object.keys(back).length], ['m', 's', 0])
  equal((decodeValue({ $t: 'error', v: { name: 'constructor', message: 'm' } }) as Error).name, 'constructor')
})

const malformed: unknown[] = [
  { $t: 'wish' }, { $t: 1 }, { $t: 'undefined', v: 1 }, { $t: 'date' }, { $t: 'date', v: '2026-01-02' }, { $t: 'date', v: 'x', w: 1 },
  { $t: 'date', v: '2026-02-30T00:00:00.000Z' }, { $t: 'number', v: '1' }, { $t: 'number', v: 1 }, { $t: 'bigint', v: '01' },
  { $t: 'bigint', v: '-0' }, { $t: 'bigint', v: '' }, { $t: 'bigint', v: '1n' }, { $t: 'bytes', v: 'AA' }, { $t: 'bytes', v: 'AB==' },
  { $t: 'bytes', v: 'A-__' }, { $t: 'bytes', v: null }, { $t: 'map', v: [[1]] }, { $t: 'map', v: {} }, { $t: 'set', v: 'x' },
  { $t: 'set', v: [{ $x: 1 }] }, { $t: 'error', v: { name: 'E' } }, { $t: 'error', v: { name: 'E', message: 1 } },
  { $t: 'error', v: { name: 'E', message: '', x: '' } }, { $t: 'error', v: [] }, { $v: 1 }, { $: 1 }, [{ a: { $b: 1 } }],
]

for (const tree of malformed) test(`${JSON.stringify(tree)} is no tagged value`, () => ok(!isTagged(tree, 64)))
