import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { bytes, text, Wire } from './wire'

const params = (m: { params?: unknown }): Record<string, unknown> => m.params as Record<string, unknown>

test('a fetch is an ask with all that the tool says, and the answer is a response', async () => {
  const wire = new Wire(`async () => {
    const r = await fetch(new URL('https://A.example:443/x?q=1#part'), { headers: { B: '2', a: '1' }, redirect: 'manual' })
    return [r.status, r.statusText, r.ok, r.url, r.type, r.redirected, [...r.headers], r.headers.getSetCookie(), await r.json(), r instanceof Response, r.bodyUsed]
  }`)
  const end = wire.begin()
  const ask = await wire.ask(1)
  deepEqual([ask.capability, ask.params, ask.blobs], ['fetch', { method: 'GET', url: 'https://a.example/x?q=1', headers: [['b', '2'], ['a', '1']], redirect: 'manual', body: false }, undefined])
  wire.answer(1, { status: 203, statusText: 'Fine', url: 'https://a.example/x', headers: [['Content-Type', 'application/json'], ['set-cookie', 'a=1'], ['set-cookie', 'b=2']] }, bytes('{"a":[1]}'))
  deepEqual((await end).value, [203, 'Fine', true, 'https://a.example/x', 'basic', false,
    [['content-type', 'application/json'], ['set-cookie', 'a=1'], ['set-cookie', 'b=2']], ['a=1', 'b=2'], { a: [1] }, true, true])
})

test('context.fetch is the same', async () => {
  const wire = new Wire(`async (args, { fetch }) => (await fetch('https://a.example/')).text()`)
  const end = wire.begin()
  await wire.ask(1)
  wire.answer(1, {}, bytes('hello'))
  equal((await end).value, 'hello')
})

test('headers that came cannot be changed, and a copy can', async () => {
  const wire = new Wire(`async () => {
    const r = await fetch('https://a.example/')
    const tries = ['append', 'set', 'delete'].map((way) => { try { r.headers[way]('a', 'b'); return 'went' } catch (e) { return e.name } })
    const copy = new Headers(r.headers); copy.set('a', 'c')
    return [tries, r.headers.get('a'), copy.get('a'), r.clone().headers.get('a'), r.body]
  }`)
  const end = wire.begin()
  await wire.ask(1)
  wire.answer(1, { headers: [['a', '1']] })
  deepEqual((await end).value, [['TypeError', 'TypeError', 'TypeError'], '1', 'c', '1', null])
})

for (const [title, body, type, sent] of [
  ['a text', `'é'`, 'text/plain;charset=UTF-8', 'é'],
  ['bytes', `new Uint8Array([97, 98, 99]).subarray(1)`, undefined, 'bc'],
  ['an ArrayBuffer', `new Uint8Array([97]).buffer`, undefined, 'a'],
  ['a DataView', `new DataView(new Uint8Array([97, 98]).buffer, 1)`, undefined, 'b'],
  ['search parameters', `new URLSearchParams({ a: '1 2' })`, 'application/x-www-form-urlencoded;charset=UTF-8', 'a=1+2'],
  ['a Blob', `new Blob(['blob'], { type: 'x/y' })`, 'x/y', 'blob'],
  ['a stream', `new ReadableStream({ start(c) { c.enqueue(new Uint8Array([97])); c.enqueue(new Uint8Array([98])); c.close() } })`, undefined, 'ab'],
  ['an empty text', `''`, 'text/plain;charset=UTF-8', ''],
] as const) {
  test(`${title} goes with a request as its body`, async () => {
    const wire = new Wire(`async () => (await fetch('https://a.example/', { method: 'post', duplex: 'half', body: ${body} })).status`)
    const end = wire.begin()
    const ask = await wire.ask(1)
    deepEqual([params(ask).method, params(ask).body, params(ask).headers, text(ask.blobs?.[0])], ['POST', true, type === undefined ? [] : [['content-type', type]], sent])
    equal(ask.blobs?.length, 1)
    wire.answer(1)
    equal((await end).value, 200)
  })
}

test('a form with a file goes as multipart', async () => {
  const wire = new Wire(`async () => { const f = new FormData(); f.append('a', '1'); f.append('f', new File(['file'], 'n.txt', { type: 'text/x' })); return (await fetch('https://a.example/', { method: 'POST', body: f })).status }`)
  const end = wire.begin()
  const ask = await wire.ask(1)
  const type = (params(ask).headers as string[][])[0]![1]!
  const back = await new Response(ask.blobs![0], { headers: { 'content-type': type } }).formData()
  deepEqual([back.get('a'), (back.get('f') as File).name, await (back.get('f') as File).text()], ['1', 'n.txt', 'file'])
  wire.answer(1)
  await end
})

test('a request that was made before is sent once', async () => {
  const wire = new Wire(`async () => {
    const request = new Request('https://a.example/', { method: 'PUT', body: 'x', headers: { a: '1' } })
    await fetch(request.clone())
    await fetch(request)
    return fetch(request).catch((e) => [e.name, request.bodyUsed])
  }`)
  const end = wire.begin()
  for (const n of [1, 2]) {
    const ask = await wire.ask(n)
    deepEqual([params(ask).method, text(ask.blobs?.[0])], ['PUT', 'x'])
    wire.answer(n)
  }
  deepEqual([(await end).value, wire.said('ask').length], [['TypeError', true], 2])
})

test('a refusal of the host rejects with a TypeError that has its code', async () => {
  const wire = new Wire(`async () => fetch('https://a.example/').catch((e) => [e.name, e instanceof TypeError, e.message, Object.hasOwn(e, 'code'), e.code])`)
  const end = wire.begin()
  await wire.ask(1)
  wire.refuse(1, 'not_granted', 'fetch: https://a.example is not granted')
  deepEqual((await end).value, ['TypeError', true, 'fetch: https://a.example is not granted', true, 'not_granted'])
})

test('an answer with headers that are none is a broken answer, and the rest of it is given up', async () => {
  const wire = new Wire(`async () => fetch('https://a.example/').catch((e) => [e.name, e.code])`)
  const end = wire.begin()
  await wire.ask(1)
  wire.stream(1, { headers: [['a', 'x\ny']] })
  deepEqual([(await end).value, wire.cancels], [['TypeError', 'network'], [1]])
})

test('what is wrong rejects, throws nothing, and sends nothing', async () => {
  const wire = new Wire(`async () => {
    const all = [[], ['/relative'], ['x:', { method: 'a b' }], ['https://u:p@a.example/'], ['https://a.example/', { mode: 'no-cors' }], ['https://a.example/', { keepalive: true }],
      ['https://a.example/', { body: 'x' }], ['https://a.example/', { headers: { 'a b': 'c' } }], ['https://a.example/', 1]]
    return Promise.all(all.map((args) => fetch(...args).then(() => 'went', (e) => e.name)))
  }`)
  deepEqual((await wire.begin()).value, Array(9).fill('TypeError'))
  equal(wire.said('ask').length, 0)
})

test('headers of more than a message holds are too large', async () => {
  const wire = new Wire(`async () => fetch('https://a.example/', { headers: { a: 'x'.repeat(2e6) } }).catch((e) => [e.name, e.code])`)
  deepEqual((await wire.begin()).value, ['TypeError', 'too_large'])
})

test('a body over the cap is too large, however it comes, and one at the cap goes', async () => {
  const wire = new Wire(`async () => {
    const big = new Uint8Array(1001), name = (e) => [e.name, e.code]
    let pulled = 0, cancelled = false
    const endless = () => new ReadableStream({ pull(c) { pulled++; c.enqueue(new Uint8Array(100)) }, cancel() { cancelled = true } }, { highWaterMark: 0 })
    const post = (body) => fetch('https://a.example/', { method: 'POST', duplex: 'half', body })
    const refused = [await post(big).catch(name), await post(new Blob([big])).catch(name), await post('x'.repeat(1001)).catch(name), await post(endless()).catch(name)]
    return [refused, pulled, cancelled, (await post(big.subarray(1))).status]
  }`, { bodyBytes: 1000 })
  const end = wire.begin()
  equal((await wire.ask(1)).blobs![0]!.byteLength, 1000)
  wire.answer(1)
  deepEqual((await end).value, [Array(4).fill(['TypeError', 'too_large']), 11, true, 200])
})

test('nothing of a call settles or is sent after its end', async () => {
  const wire = new Wire(`async (args) => {
    if (args.look) return globalThis.settled
    globalThis.settled = []
    const note = (what) => (v) => globalThis.settled.push(what)
    const r = await fetch('https://a.example/')
    r.text().then(note('text'), note('text failed'))
    fetch('https://a.example/2').then(note('fetch'), note('fetch failed'))
    const slow = new ReadableStream({ pull: () => new Promise((done) => { globalThis.go = done }) })
    fetch('https://a.example/3', { method: 'POST', duplex: 'half', body: slow }).catch(note('post failed'))
    new Response(new Blob(['x'])).text().then(note('blob'))
    globalThis.kept = r
    return 1
  }`)
  const end = wire.begin()
  await wire.ask(1)
  wire.stream(1)
  equal((await end).value, 1)
  wire.chunk(1, 0, 5)
  wire.chunk(1, 1, undefined, true)
  wire.answer(2)
  await wire.settle()
  const before = wire.realm.said.length
  deepEqual((await wire.begin({ look: true })).value, [])
  equal(wire.realm.said.length, before + 1)
  equal(wire.said('ask').length, 2)
})

test('a fetch of an ended call, and a body that is read in the next one, are refused', async () => {
  const wire = new Wire(`async (args, context) => {
    if (args.first) { globalThis.old = context.fetch; globalThis.r = await fetch('https://a.example/'); globalThis.body = globalThis.r.clone().body; return 1 }
    const name = (e) => [e.name, e.code]
    return [await globalThis.old('https://a.example/').catch(name), await globalThis.r.text().catch(name)]
  }`)
  const end = wire.begin({ first: true })
  await wire.ask(1)
  wire.stream(1)
  await end
  deepEqual((await wire.begin()).value, [['TypeError', 'aborted'], ['TypeError', 'aborted']])
})

test('the engine\'s own classes and fetch are not among what a tool finds', async () => {
  const wire = new Wire(`() => {
    const all = new Set()
    for (let at = globalThis; at !== null; at = Object.getPrototypeOf(at)) for (const key of ['fetch', 'Request', 'Response', 'Headers']) { const d = Object.getOwnPropertyDescriptor(at, key); if (d) all.add(d.value) }
    return [all.size, fetch.name, String(fetch).includes('native'), Response.name]
  }`)
  match(JSON.stringify((await wire.begin()).value), /^\[4,"fetch",false,"Response"\]$/)
})

test('secrets are placeholders by their name, and storage is four asks', async () => {
  const wire = new Wire(`async (args, { secrets, storage }) => {
    const all = [await storage.get('k'), await storage.set('k', { a: new Uint8Array([1]) }), await storage.delete('k'), await storage.list(), await storage.list('p')]
    return [{ ...secrets }, Object.isFrozen(secrets), Object.isFrozen(storage), all, await storage.get('x').catch((e) => [e.name, e.code]), await storage.set('f', () => 1).catch((e) => e.code)]
  }`)
  const end = wire.begin({}, { secrets: { key: '{{secret:key:0123}}' } })
  const asked = [{ op: 'get', key: 'k' }, { op: 'set', key: 'k', value: { a: { $t: 'bytes', v: 'AQ==' } } }, { op: 'delete', key: 'k' }, { op: 'list' }, { op: 'list', prefix: 'p' }]
  for (let i = 0; i < asked.length; i++) {
    const ask = await wire.ask(i + 1)
    deepEqual([ask.capability, ask.params], ['storage', asked[i]])
    wire.realm.say({ kind: 'answer', call: 1, ask: i + 1, value: i })
  }
  await wire.ask(6)
  wire.refuse(6, 'quota', 'storage: full')
  deepEqual((await end).value, [{ key: '{{secret:key:0123}}' }, true, true, [0, 1, 2, 3, 4], ['Error', 'quota'], 'invalid_value'])
  deepEqual((await new Wire(`(args, { secrets }) => secrets`).begin()).value, {})
})
