import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { begun, clean } from '../src/internal'
import { Realm } from './realm'

// Every property of every object that the language makes reachable, one after the other: call 1 replaces it, call 2 takes every
// path of the runtime and must answer as ever. The tool keeps what it needs to put things back before it replaces any.
const source = `"use strict";
  const define = Reflect.defineProperty, own = Reflect.ownKeys, describe = Reflect.getOwnPropertyDescriptor, proto = Reflect.getPrototypeOf, remove = Reflect.deleteProperty
  const root = Object.prototype, skip = new Set([console, globalThis])
  const language = (value) => { for (let at = value; at !== null; at = proto(at)) if (at === root) return true; return false }
  const queue = [proto([][Symbol.iterator]()), proto(new Map().entries()), proto(new Set().values()), proto(''[Symbol.iterator]()), proto(/a/[Symbol.matchAll]('a')),
    proto(function* () {}), proto(async function* () {}), proto(async () => {}), proto(Uint8Array), proto(proto(new Uint8Array())), proto(proto(proto((async function* () {})()))), root]
  for (const name of own(globalThis)) { const property = describe(globalThis, name); if (property && 'value' in property) queue.push(property.value) }
  const seen = new Set(), found = []
  while (queue.length) {
    const holder = queue.pop()
    if (holder === null || (typeof holder !== 'object' && typeof holder !== 'function') || skip.has(holder) || seen.has(holder) || !language(holder)) continue
    seen.add(holder)
    queue.push(proto(holder))
    for (const key of own(holder)) {
      const property = describe(holder, key)
      if (property.configurable || property.writable) found.push({ holder, key, property })
      for (const value of [property.value, property.get, property.set]) queue.push(value)
    }
  }
  // What was never there, and would be read of any object.
  for (const holder of [root, Array.prototype, Function.prototype, Error, Promise.prototype, Object]) for (const key of ['then', 'toJSON', 'get', 'set', 'value', 'prepareStackTrace', 'captureStackTrace', 'stackTraceLimit', '0', 'crypto', 'blobs', 'text', 'kind', 'done', 'error', Symbol.iterator, Symbol.species])
    if (!describe(holder, key)) found.push({ holder, key, property: undefined })
  const put = (holder, key, property) => { if (!define(holder, key, property) && 'value' in property) holder[key] = property.value }
  let changed
  const restore = () => {
    if (!changed) return
    const { holder, key, property } = changed
    changed = undefined
    if (property) put(holder, key, property); else remove(holder, key)
  }
  const nameOf = ({ holder, key }) => (typeof holder === 'function' ? holder.name : Object.prototype.toString.call(holder)) + '.' + String(key)
  const lies = { throw: function () { throw 'patched' }, lie: function () { return 7 }, same: function (a) { return a } }
  return (args, context) => {
    if (args.count) return found.map(nameOf)
    if (args.patch !== undefined) {
      restore()
      changed = found[args.patch]
      const { holder, key, property } = changed, make = lies[args.how]
      if (property && !property.configurable) holder[key] = make
      else if (property && 'value' in property) put(holder, key, { value: typeof property.value === 'number' ? -1 : make, writable: true, enumerable: property.enumerable, configurable: true })
      else put(holder, key, { get: make, set: make, enumerable: true, configurable: true })
      return 'patched'
    }
    console.log('%s', 'a', args.map, args.when)
    console.error(args.error)
    context.progress(0.5, 'half')
    context.resolveInvocation('x')
    context.fetch('https://a.example/x#y', { method: 'post', headers: { b: '2', a: '1' }, body: 'é' })
    if (args.wait) return Promise_.then(() => 1)
    if (args.fail) null.x
    return { __proto__: null, n: 1e21, list: [{ $x: undefined }], bytes: args.bytes, error: args.error }
  }`.replace('Promise_.then', 'waited.then').replace('let changed', 'const waited = Promise.resolve(0); waited.then = Promise.prototype.then; let changed')

const args = {
  when: { $t: 'date', v: '2026-01-02T03:04:05.678Z' }, map: { $t: 'map', v: [['k', { $t: 'set', v: [1] }]] }, bytes: { $t: 'bytes', v: 'AAEC' },
  error: { $t: 'error', v: { name: 'TypeError', message: 'no' } },
}

for (const how of ['throw', 'lie', 'same']) {
  test(`each property of the language, replaced by one that would ${how}, leaves the next call whole`, { timeout: 60_000 }, async () => {
    const realm = new Realm(source)
    const names = (await realm.end({ count: true })).value as string[]
    ok(names.length > 700, `${names.length} properties`)
    for (let i = 0; i < names.length; i++) {
      const where = `${names[i]} (${how})`
      // Promises alone would keep the clock of the pace from its turn.
      if (i % 50 === 0) await new Promise((done) => setTimeout(done, 1))
      const patched = await realm.end({ patch: i, how })
      // A replaced Promise.prototype.then and the like may spoil the very call that replaces them.
      ok(patched.value === 'patched' || patched.kind === 'failure', `${where}: ${JSON.stringify(patched)}`)
      const said = await realm.call(args)
      deepEqual(said.at(-1), { kind: 'result', call: said.at(-1)!.call, value: { n: 1e21, list: [{ $$x: { $t: 'undefined' } }], bytes: args.bytes, error: args.error } }, where)
      const lines = said.flatMap((m) => m.lines ?? [])
      equal(lines[0]?.text, 'a Map(1) { "k" => Set(1) { 1 } } 2026-01-02T03:04:05.678Z', where)
      match(lines[1]!.text, /^TypeError: no/, where)
      const sent = said.find((m) => m.capability === 'fetch')
      const headers = [['b', '2'], ['a', '1'], ['content-type', 'text/plain;charset=UTF-8']]
      deepEqual(sent?.params, { method: 'POST', url: 'https://a.example/x', headers, redirect: 'follow', body: true }, where)
      deepEqual([...new Uint8Array(sent!.blobs![0]!)], [0xc3, 0xa9], where)
      ok(said.some((m) => m.kind === 'ask' && m.capability === 'resolve') && said.some((m) => m.kind === 'progress'), where)
      equal((await realm.end({ ...args, wait: true })).kind, 'result', where)
      const failed = await realm.end({ ...args, fail: true })
      equal(failed.code, 'tool_error', where)
      // The name of an error is what its class says, and that is the tool's to change.
      if (!names[i]!.endsWith('.name')) equal(failed.error?.name, 'TypeError', where)
    }
    deepEqual(realm.numbers.filter((n) => n !== begun && n !== clean), [])
  })
}

test('the properties of these tests are really replaced', async () => {
  const realm = new Realm(source)
  const names = (await realm.end({ count: true })).value as string[]
  for (const name of ['Map.prototype', 'JSON', 'Object.keys', 'Error.prepareStackTrace', 'Promise.resolve']) ok(names.some((found) => found.includes(name.split('.').at(-1)!)), name)
  ok(names.includes('[object Array].map') || names.some((n) => n.endsWith('.map')))
})
