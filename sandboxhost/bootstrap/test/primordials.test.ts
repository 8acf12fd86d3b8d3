import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { patchAll, pollute } from './patches'
import { program, Realm } from './realm'

// Call 1 replaces what the language has; call 2 uses syntax only, and takes every path of the runtime.
const tool = (patch: string): string => program(`(args, context) => {
  if (args.first) { ${patch}; return 'patched' }
  console.log('%s', 'a', { b: [1n, -0], c: args.map }, args.when)
  console.error(args.error)
  console.count()
  console.table([{ a: 1 }])
  context.progress(0.5, 'half')
  context.signal
  return context.resolveInvocation('x').then === undefined ? 0 : {
    ...args, error: args.error, text: 'é"\\u0001', number: 1e21, big: 12345678901234567890, nested: [[[{ $x: undefined }]]], __proto__: null,
  }
}`)

const args = {
  first: false,
  when: { $t: 'date', v: '2026-01-02T03:04:05.678Z' },
  map: { $t: 'map', v: [['k', { $t: 'set', v: [1, 2] }]] },
  bytes: { $t: 'bytes', v: 'AAEC/w==' },
  error: { $t: 'error', v: { name: 'TypeError', message: 'no' } },
  big: { $t: 'bigint', v: '-5' },
  $$odd: 1,
}

const expected = {
  first: false, when: args.when, map: args.map, bytes: args.bytes, error: args.error, big: 12345678901234567000, $$odd: 1,
  text: 'é"\u0001', number: 1e21, nested: [[[{ $$x: { $t: 'undefined' } }]]],
}

for (const [title, patch] of [
  ['throw', patchAll(`function () { throw 'patched' }`)],
  ['lie', patchAll('function () { return 7 }')],
  ['give back what they are given', patchAll('function (a) { return a }')],
  ['stand behind every object', pollute],
] as const) {
  test(`a tool whose globals ${title} changes nothing of how the next call is run`, async () => {
    const realm = new Realm(tool(patch))
    equal((await realm.end({ first: true })).value, 'patched')
    const said = await realm.call(args)
    deepEqual(said.at(-1), { kind: 'result', call: 2, value: expected })
    const lines = said.flatMap((m) => m.lines ?? [])
    equal(lines.length, 4)
    match(lines[0]!.text, /^a \{ b: \[ 1n, -0 \], c: Map\(1\) \{ "k" => Set\(2\) \{ 1, 2 \} \} \} 2026-01-02T03:04:05.678Z$/)
    ok(said.some((m) => m.kind === 'ask' && (m.params as { name: string }).name === 'x'))
    ok(said.some((m) => m.kind === 'progress' && m.fraction === 0.5))
  })

  test(`a tool whose globals ${title} can still wait, and fail in a line of its own`, async () => {
    const waits = new Realm(program(`async (args) => { if (args.first) { ${patch}; return 1 } await null; return args.x }`))
    equal((await waits.end({ first: true })).value, 1)
    equal((await waits.end({ first: false, x: 'waited' })).value, 'waited')
    const fails = new Realm(program(`(args) => { if (args.first) { ${patch}; return 1 }\n null.x }`))
    equal((await fails.end({ first: true })).value, 1)
    const { code, error } = await fails.end({ first: false })
    deepEqual([code, error?.name, (error?.line ?? 0) > 1], ['tool_error', 'TypeError', true])
  })
}

test('the patches of these tests do break code that trusts its globals', async () => {
  const realm = new Realm(program(`(args) => { if (args.first) { ${patchAll(`function () { throw 'patched' }`)}; return 1 } return [1].map((x) => x) }`))
  await realm.end({ first: true })
  equal((await realm.end()).error?.message, 'patched')
})
