import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { chance, ours, same, type Classes } from './oracle'

const state = (headers: Headers): unknown => ({
  entries: [...headers], keys: [...headers.keys()], values: [...headers.values()], cookies: headers.getSetCookie(),
  each: (() => { const all: unknown[] = []; headers.forEach((value, name) => all.push([name, value])); return all })(),
})

const inits: [string, () => unknown][] = [
  ['nothing', () => undefined], ['null', () => null], ['a number', () => 1], ['a text', () => 'a: b'], ['a boolean', () => true],
  ['no pairs', () => []], ['pairs', () => [['b', '2'], ['A', '1'], ['b', '3']]], ['pairs that are sets', () => [new Set(['a', 'b'])]],
  ['a pair of one', () => [['a']]], ['a pair of three', () => [['a', 'b', 'c']]], ['a pair that is a text', () => ['ab']], ['a pair that is null', () => [null]],
  ['an object', () => ({ b: 2, A: true, c: null, d: undefined, e: [1, 2] })], ['an object with an accessor', () => ({ get a() { return 'x' } })],
  ['an object with a symbol', () => ({ [Symbol('s')]: 'x' })],
  ['an object with inherited fields', () => Object.create({ a: '1' })], ['a Map', () => new Map([['a', '1'], ['B', '2']])],
  ['a generator', () => (function* () { yield ['a', '1']; yield ['a', '2'] })()], ['search parameters', () => new URLSearchParams('a=1&b=2&a=3')],
  ['an iterator that is none', () => ({ [Symbol.iterator]: 1 })], ['two names that differ in case', () => ({ a: '1', A: '2' })],
  ['a name that is empty', () => ({ '': 'x' })], ['an array-like', () => ({ length: 1, 0: ['a', 'b'] })],
]

for (const [title, init] of inits) test(`Headers of ${title} are those of the engine`, () => same(title, ({ Headers }) => state(new Headers(init() as HeadersInit))))

test('headers of headers are a copy', () => same('copy', ({ Headers }) => {
  const one = new Headers([['set-cookie', 'a=1'], ['Set-Cookie', 'b=2'], ['x', '1']])
  const two = new Headers(one)
  two.append('x', '2')
  return [state(one), state(two)]
}))

test('each unit is allowed in a name and in a value, or refused, as the engine does', async () => {
  const units = [...Array(0x180).keys(), 0xd800, 0xdfff, 0xffff]
  for (const unit of units) {
    const c = String.fromCharCode(unit)
    for (const text of [c, `a${c}b`, `${c}a`, `a${c}`]) {
      await same(`name ${unit}`, ({ Headers }) => state(new Headers([[text, 'v']])))
      await same(`value ${unit}`, ({ Headers }) => state(new Headers([['n', text]])))
    }
  }
})

test('a thousand random uses of headers end where those of the engine do', async () => {
  const names = ['a', 'A', 'b', 'set-cookie', 'Set-Cookie', 'x-long-name', 'X-Long-Name', 'content-type', 'bad name', '', 'é', '\u0100', '__proto__', 'constructor', '0']
  const values = ['', ' ', '1', ' padded\t', 'a, b', 'é', '\u0100', 'line\nbreak', 'zero\0', '\r\n trimmed \r\n', 'x=1; Path=/', 5, null, undefined, { toString: () => 'object' }]
  for (let seed = 0; seed < 1000; seed++) {
    await same(`seed ${seed}`, ({ Headers }: Classes) => {
      const next = chance(seed)
      const headers = new Headers()
      const log: unknown[] = []
      for (let i = 0; i < 12; i++) {
        const [name, value] = [names[next(names.length)]!, values[next(values.length)] as string]
        try {
          switch (next(5)) {
            case 0: headers.append(name, value); break
            case 1: headers.set(name, value); break
            case 2: headers.delete(name); break
            case 3: log.push(headers.get(name)); break
            case 4: log.push(headers.has(name))
          }
        } catch (error) {
          log.push((error as Error).constructor.name)
        }
      }
      return [log, state(headers)]
    })
  }
})

test('calls with too few arguments, and on what are no headers, throw as in the engine', async () => {
  for (const [method, least] of [['append', 2], ['set', 2], ['get', 1], ['has', 1], ['delete', 1], ['forEach', 1]] as const) {
    for (let n = 0; n < least; n++) await same(`${method}/${n}`, ({ Headers }) => (new Headers() as unknown as Record<string, (...a: string[]) => void>)[method]!(...Array<string>(n).fill('a')))
  }
  for (const method of ['append', 'get', 'keys', 'entries', 'getSetCookie'] as const) {
    await same(method, ({ Headers }) => (Headers.prototype[method] as (...a: string[]) => void).call({} as Headers, 'a', 'b'))
  }
  await same('forEach of none', ({ Headers }) => new Headers().forEach(1 as never))
})

test('headers that change while they are read show what they are', () => same('live', ({ Headers }) => {
  const headers = new Headers({ a: '1', c: '3' })
  const seen: unknown[] = []
  for (const [name] of headers) {
    seen.push(name)
    if (name === 'a') headers.append('b', '2')
    if (name === 'b') headers.delete('c')
  }
  return seen
}))

test('headers look like those of the engine', async () => {
  await same('shape', ({ Headers }) => [
    Headers.name, Object.prototype.toString.call(new Headers()), Headers.prototype[Symbol.iterator] === Headers.prototype.entries,
    Object.prototype.toString.call(new Headers().keys()), typeof (new Headers().keys() as Iterator<string>).next, new Headers() instanceof Headers,
    [...new Headers({ a: '1' }).keys()[Symbol.iterator]()],
  ])
  ok(!Object.hasOwn(Object.getPrototypeOf(new ours.Headers().keys()) as object, 'constructor'))
})

test('many headers are read in a time that grows with their number', () => {
  const headers = new ours.Headers()
  for (let i = 0; i < 5000; i++) headers.append(`x-${i}`, 'v')
  equal([...headers].length, 5000)
})

test('fields that an object hides are no headers, as the standard says', () => {
  deepEqual([...new ours.Headers(Object.defineProperty({ a: '1' }, 'b', { value: '2' }))], [['a', '1']])
})

test('an error names what it does not take', () => {
  throws(() => new ours.Headers({ 'bad name': 'x' }), { name: 'TypeError', message: 'Headers.append: "bad name" is no name of a header' })
  throws(() => new ours.Headers({ a: 'x\ny' }), /the value of "a" holds a line break or a zero/)
  deepEqual([...new ours.Headers({ a: ' \r\n\tx ' })], [['a', 'x']])
})
