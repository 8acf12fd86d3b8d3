import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { kept, keptOn, removed } from '../src/runtime/scope'
import { program, Realm } from './realm'

const holders = ['navigator', 'performance', 'URL'] as const

/** A realm whose engine has a name, on the global object or on one of the objects that stay. */
function having(names: readonly string[]): Realm {
  const more: Record<string, unknown> = {}
  const of = (holder: string): Record<string, unknown> => (more[holder] ??= Object.create(null)) as Record<string, unknown>
  for (const name of names) {
    const [holder, key] = name.includes('.') ? (name.split('.') as [string, string]) : [undefined, name]
    if (holder) of(holder)[key] = class {}
    else more[key] = class {}
  }
  return new Realm(program('({ names }) => names.filter((name) => { const [a, b] = name.split("."); return b ? b in globalThis[a] : a in globalThis })'), {}, 'demo', more)
}

for (const { names, why } of removed) {
  test(`gone from a tool's scope: ${why} (${names[0]}, ${names.length} in all)`, async () => {
    ok(why.length > 5)
    deepEqual((await having(names).end({ names })).value, [])
  })
}

test('what nobody has looked at is gone too', async () => {
  const names = ['BrandNewNetwork', 'navigator.brandNew', 'performance.brandNew', 'URL.brandNew']
  deepEqual((await having(names).end({ names })).value, [])
})

test('what computes stays', async () => {
  const names = kept.flatMap((row) => row.names).filter((name) => !['eval', 'undefined', 'constructor', 'InternalError', 'name'].includes(name))
  const extra = names.filter((name) => /^[A-Z]/.test(name) && !(name in globalThis) && !/^(CryptoKey|SubtleCrypto)$/.test(name))
  const found = (await having([...extra, 'Blob', 'atob', 'structuredClone']).end({ names: [...extra, 'Blob', 'atob', 'structuredClone', 'Map', 'JSON', 'crypto', 'console', 'setTimeout'] })).value as string[]
  deepEqual(found, [...extra, 'Blob', 'atob', 'structuredClone', 'Map', 'JSON', 'crypto', 'console', 'setTimeout'])
  const left = [...keptOn.navigator].map((name) => `navigator.${name}`)
  deepEqual((await having(left).end({ names: left })).value, left)
})

test('a name is in one list, once', () => {
  const names = [...kept.flatMap((row) => row.names), ...holders.flatMap((holder) => keptOn[holder].map((name) => `${holder}.${name}`)), ...removed.flatMap((row) => row.names)]
  const twice = names.filter((name, i) => names.indexOf(name) !== i)
  deepEqual(twice, [])
})

test('a name that an engine does not let go of becomes undefined, wherever it stands', async () => {
  const behind = Object.create(null) as object
  Object.defineProperty(behind, 'storage', { value: 1, writable: true, configurable: false, enumerable: true })
  const navigator = Object.create(behind) as object
  const realm = new Realm(program('() => navigator.storage'), {}, 'demo', { navigator })
  equal((await realm.end()).kind, 'result')
  deepEqual((await realm.end()).value, { $t: 'undefined' })
})

test('a canvas gives its contexts that compute on the processor, and no other', async () => {
  class OffscreenCanvas { getContext(kind: string): string { return kind } }
  const realm = new Realm(program(`() => ['2d', 'bitmaprenderer', 'webgl', 'webgl2', 'webgpu', { toString: () => 'webgl' }].map((kind) => new OffscreenCanvas().getContext(kind))`), {}, 'demo', { OffscreenCanvas })
  deepEqual((await realm.end()).value, ['2d', 'bitmaprenderer', null, null, null, null])
})
