import { patchAll, pollute } from '../sandboxhost/bootstrap/test/patches.js';
import { test, expect } from './fixtures.js';

/** What is asked of both: the classes of a tool, and the engine's own in the page. Each gives what JSON holds. */
const probes: { readonly [title: string]: string } = {
  headers: `() => { const h = new Headers([['b', '2'], ['A', '1'], ['b', ' 3 '], ['x-set-cookie', 'y']]); h.append('c', 'é'); h.delete('x-set-cookie'); return [[...h], h.get('B'), [...h.keys()], [...h.entries().map(([n]) => n)]] }`,
  'a text': `async () => { const r = new Response('\\ufeffhé\\ud800'); const c = r.clone(); return [await r.text(), r.bodyUsed, c.bodyUsed, await c.text(), c.headers.get('content-type')] }`,
  JSON: `async () => [await Response.json({ a: [1] }, { status: 201 }).json(), Response.json(1).headers.get('content-type')]`,
  'a Blob': `async () => { const b = await new Response(new Blob(['ab', new Uint8Array([99])], { type: 'Text/X' })).blob(); return [b instanceof Blob, b.type, b.size, await b.text()] }`,
  'a form': `async () => { const f = new FormData(); f.append('a"\\n', 'x\\ny'); f.append('f', new File(['file'], 'n"m.txt', { type: 'text/x' })); f.append('e', new Blob([]));
    const r = new Response(f); const type = r.headers.get('content-type'); const text = await r.text(); const boundary = /boundary=(.*)/.exec(type)[1];
    const g = new FormData(); g.append('a', 'x\\ny'); g.append('é', new File(['file'], 'ü.txt', { type: 'text/x' }));
    const back = await new Response(g).formData(); // engines differ in what they make of an escaped name, and in nothing else
    return [text.replaceAll(boundary, 'B'), await Promise.all([...back].map(async ([n, v]) => [n, typeof v === 'string' ? v : [v.name, v.type, await v.text()]]))] }`,
  'search parameters': `async () => [await new Response(new URLSearchParams({ a: '1 é' })).text(), [...await new Response('a=1&a=%C3%A9', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }).formData()]]`,
  'a stream': `async () => { const r = new Response(new ReadableStream({ start(c) { c.enqueue(new Uint8Array([97])); c.enqueue(new Uint8Array([98])); c.close() } })); const c = r.clone(); return [await r.text(), await c.text()] }`,
  'a reader': `async () => { const r = new Response('abc'); const reader = r.body.getReader(); const { value, done } = await reader.read(); return [[...value], done, r.bodyUsed, (await reader.read()).done, await r.text().catch((e) => e.name)] }`,
  'a pipe': `async () => [...new Uint8Array(await new Response(new Response('abc').body.pipeThrough(new CompressionStream('gzip')).pipeThrough(new DecompressionStream('gzip'))).arrayBuffer())]`,
  'a body that is cancelled': `async () => { const r = new Response('abc'); await r.body.cancel(); return [r.bodyUsed, await r.text().catch((e) => e.name)] }`,
  'a request': `async () => { const r = new Request('https://a.example/x#y', { method: 'post', body: 'text', headers: { a: '1' }, redirect: 'manual' }); const c = new Request(r, { headers: { b: '2' } }); return [r.method, r.url, r.bodyUsed, [...c.headers], c.redirect, await c.text()] }`,
  'what is wrong': `async () => { const name = async (f) => { try { await f(); return 'went' } catch (e) { return e.name } }
    return Promise.all([() => new Headers({ 'a b': '1' }), () => new Headers({ a: '\\n' }), () => new Request('https://a.example/', { body: 'x' }), () => new Request('https://u:p@a.example/'),
      () => new Request('https://a.example/', { method: 'TRACE' }), () => new Response('x', { status: 204 }), () => new Response(null, { status: 99 }), () => Response.redirect('https://a.example/', 200), () => new Response('x').json(),
      () => Response.error().headers.set('a', 'b'), () => Headers.prototype.get.call({}, 'a'), () => fetch('https://u:p@a.example/'), () => fetch('https://a.example/', { headers: { 'a b': '1' } })].map(name)) }`,
  'the names of classes': `() => [Headers, Request, Response].map((C) => [C.name, C.length >= 0, Object.prototype.toString.call(C.prototype)]).concat([[typeof fetch, fetch.name]])`,
};

for (const [title, probe] of Object.entries(probes)) {
  test(`what a tool makes of ${title} is what the browser makes of it`, async ({ run, host }) => {
    const { result } = await run(`async () => JSON.stringify(await (${probe})())`);
    const native = await host.evaluate<string>(`(async () => JSON.stringify(await (${probe})()))()`);
    expect(JSON.parse(result as string)).toEqual(JSON.parse(native));
  });
}

test('a fetch that a tool does not declare is refused with a code, and one that is aborted says so', async ({ run }) => {
  const { result } = await run(`async (args, context) => {
    const name = (e) => [e.name, e.code]
    const c = new AbortController(); c.abort()
    return [await fetch('https://api.example.com/').catch(name), await context.fetch(new URL('https://api.example.com/'), { method: 'POST', body: new Uint8Array(100_000) }).catch(name),
      await fetch('https://api.example.com/', { signal: c.signal }).catch(name), await fetch('https://api.example.com/', { mode: 'no-cors' }).catch((e) => e.message),
      await context.storage.get('k').catch((e) => e.code), context.secrets]
  }`);
  expect(result).toEqual([['TypeError', 'need'], ['TypeError', 'need'], ['AbortError', 20], 'Request: mode: "no-cors" is not supported here', 'denied', {}]);
});

test('a tool that posts sixty times ten MiB is no flood, and one body of more than sixteen is too large', async ({ run }) => {
  test.setTimeout(60_000);
  const { outcome, result } = await run(`async () => {
    const post = (n) => fetch('https://api.example.com/', { method: 'POST', body: new Uint8Array(n) }).catch((e) => e.code)
    const codes = new Set(await Promise.all(Array.from({ length: 60 }, () => post(10 << 20))))
    return [[...codes], await post((16 << 20) + 1), await post(16 << 20)]
  }`);
  expect([outcome, result]).toEqual(['ok', [['need'], 'too_large', 'body']]);
});

for (const [title, patch] of [
  ['throw', patchAll(`function () { throw 'patched' }`, 'Response.prototype, Request.prototype')],
  ['lie', patchAll('function () { return 7 }', 'Response.prototype, Request.prototype')],
  ['stand behind every object', pollute],
] as const) {
  test(`a tool whose globals ${title}, those of the browser too, asks in the next call as ever`, async ({ host }) => {
    const outcomes = await host.evaluate(async (patch) => {
      const revision = await harness.install(`let form, blob, address, search, stream, signal, response, made
        export default async (args, context) => {
          if (args.first) {
            form = new FormData(); form.append('f', new File(['file'], 'n.txt')); blob = new Blob(['b'], { type: 'x/y' }); address = new URL('https://api.example.com/'); search = new URLSearchParams('a=1')
            stream = new ReadableStream({ start(c) { c.enqueue(new Uint8Array([1])); c.close() } }); signal = new AbortController().signal
            response = new Response(new Blob(['{"a":1}'])); made = new Response(form)
            ${patch}
            return 1
          }
          const codes = []
          const ask = async (body, more) => { try { await context.fetch(address, { method: 'post', headers: { b: '2' }, duplex: 'half', body, signal, __proto__: null }); return 'went' } catch (e) { return e.code ?? String(e) } }
          return { form: await ask(form), blob: await ask(blob), search: await ask(search), stream: await ask(stream), text: await ask('text'), json: await response.json(), made: (await made.formData()) !== undefined }
        }`);
      const first = await harness.runRevision(revision, { first: true });
      const second = await harness.runRevision(revision, { first: false });
      return [first.outcome, second.outcome, second.result ?? second.error];
    }, patch);
    expect(outcomes).toEqual(['ok', 'ok', { form: 'need', blob: 'need', search: 'need', stream: 'need', text: 'need', json: { a: 1 }, made: true }]);
  });
}
