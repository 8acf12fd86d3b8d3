import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { patchAll, pollute } from '../patches'
import { bytes, text, Wire } from './wire'

// Call 1 replaces what there is; call 2 uses syntax, its context and what it kept of the classes.
const tool = (patch: string): string => `(() => { let form, address, Ask, blob, signal, body, search
return async (args, context) => {
  if (args.first) {
    form = new FormData(); form.append('a', '1'); form.append('f', new File(['file'], 'n.txt'))
    address = new URL('https://a.example/x'); Ask = Request; blob = new Blob(['blob'], { type: 'x/y' })
    signal = new AbortController().signal
    body = new ReadableStream({ start(c) { c.enqueue(new Uint8Array([97, 98])); c.close() } })
    search = new URLSearchParams('q=1')
    ${patch}
    return 'patched'
  }
  const out = { __proto__: null }
  out.post = (await context.fetch(address, { method: 'post', body: form, headers: { b: '2', a: '1' }, signal })).status
  out.blob = (await context.fetch('https://a.example/', { method: 'PUT', body: blob })).status
  out.stream = (await context.fetch('https://a.example/', { method: 'PUT', body, duplex: 'half' })).status
  const request = new Ask('https://a.example/', { method: 'POST', body: search, headers: [['x', '1'], ['x', '2']] })
  out.request = (await context.fetch(request.clone())).status
  const inline = await context.fetch('https://a.example/')
  out.cloned = await inline.clone().json()
  out.json = await inline.json()
  out.text = await (await context.fetch('https://a.example/')).text()
  out.bytes = (await (await context.fetch('https://a.example/')).arrayBuffer()) !== undefined
  out.form = (await (await context.fetch('https://a.example/')).formData()) !== undefined
  try { await context.fetch('https://a.example/') } catch (e) { out.code = e.code }
  try { await context.fetch('nonsense') } catch (e) { out.wrong = e.message }
  try { await context.fetch('https://a.example/', { mode: 'no-cors' }) } catch (e) { out.refused = e.message }
  await context.storage.set('k', 'v')
  return out
} })()`

/** Replaces what of the engine's classes a tool can reach. */
const engine = `
  for (const name of ['AbortSignal', 'Blob', 'File', 'FormData', 'ReadableStream', 'ReadableStreamDefaultController', 'ReadableStreamDefaultReader', 'URL', 'URLSearchParams']) {
    const { prototype } = globalThis[name]
    const names = Object.getOwnPropertyNames(prototype)
    for (let i = 0; i < names.length; i++) if (names[i] !== 'constructor') Object.defineProperty(prototype, names[i], { value: () => { throw 'patched ' + name }, configurable: true })
    globalThis[name] = () => { throw 'patched ' + name }
  }
  for (const name of ['append', 'get', 'has', 'set', 'entries', Symbol.iterator]) Headers.prototype[name] = () => { throw 'patched Headers' }
`
const spare = 'Response.prototype, Request.prototype'

for (const [title, patch] of [
  ['throw', 'const Plain = Error; ' + engine + patchAll(`function () { throw new Plain('patched') }`, spare)],
  ['lie', engine + patchAll('function () { return 7 }', spare)],
  ['give back what they are given', engine + patchAll('function (a) { return a }', spare)],
  ['stand behind every object', pollute],
] as const) {
  test(`a tool whose globals ${title} fetches in the next call as ever`, async () => {
    const wire = new Wire(tool(patch))
    equal((await wire.begin({ first: true })).value, 'patched')
    const end = wire.begin({ first: false })
    // What ends too early says why.
    void end.then((last) => last.kind === 'failure' && console.log(title, last.error))
    const post = await wire.ask(1)
    const { headers } = post.params as { headers: string[][] }
    deepEqual([(post.params as { url: string }).url, headers.slice(0, 2)], ['https://a.example/x', [['b', '2'], ['a', '1']]])
    const form = await new Response(post.blobs![0], { headers: { 'content-type': headers[2]![1]! } }).formData()
    deepEqual([form.get('a'), (form.get('f') as File).name], ['1', 'n.txt'])
    wire.answer(1)
    for (const [n, body, type] of [[2, 'blob', 'x/y'], [3, 'ab', undefined], [4, 'q=1', 'application/x-www-form-urlencoded;charset=UTF-8']] as const) {
      const ask = await wire.ask(n)
      deepEqual([text(ask.blobs?.[0]), new Map((ask.params as { headers: [string, string][] }).headers).get('content-type')], [body, type])
      wire.answer(n)
    }
    await wire.ask(5)
    wire.answer(5, { headers: [['content-type', 'application/json']] }, bytes('{"a":1}'))
    await wire.ask(6)
    wire.stream(6)
    wire.chunk(6, 0, new Uint8Array([104, 105]))
    wire.chunk(6, 1, new Uint8Array([33]))
    wire.chunk(6, 2, undefined, true)
    await wire.ask(7)
    wire.answer(7, {}, bytes('x'))
    await wire.ask(8)
    wire.answer(8, { headers: [['content-type', 'multipart/form-data; boundary="b"']] }, bytes('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--'))
    await wire.ask(9)
    wire.refuse(9, 'denied', 'no')
    const set = await wire.ask(10)
    deepEqual(set.params, { op: 'set', key: 'k', value: 'v' })
    wire.realm.say({ kind: 'answer', call: 2, ask: 10, value: null })
    deepEqual(await end, { kind: 'result', call: 2, value: {
      post: 200, blob: 200, stream: 200, request: 200, cloned: { a: 1 }, json: { a: 1 }, text: 'hi!', bytes: true, form: true, code: 'denied',
      wrong: 'Request: it is no absolute URL', refused: 'Request: mode: "no-cors" is not supported here',
    } })
  })
}
