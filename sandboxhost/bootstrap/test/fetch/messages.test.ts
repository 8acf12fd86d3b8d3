import { equal, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { ours, same } from './oracle'

const url = 'https://a.example/path?q=1#part'

for (const init of [
  {}, undefined, null, 1, 'x', { status: 201 }, { status: 199 }, { status: 200 }, { status: 599 }, { status: 600 }, { status: 0 }, { status: '404' }, { status: NaN }, { status: 200.9 },
  { status: 65736 }, { status: 204 }, { status: 205 }, { status: 304 }, { status: 101 }, { statusText: 'Fine é' }, { statusText: 'a\nb' }, { statusText: '\u0100' },
  { statusText: '\t ok' }, { statusText: '\x7f' }, { headers: { a: '1' } }, { headers: [['a', '1'], ['a', '2']] }, { headers: null }, { headers: { 'bad name': '1' } }, { status: undefined, statusText: undefined },
] as unknown[]) {
  test(`a response with ${JSON.stringify(init)} is the engine's`, async () => {
    for (const body of [undefined, null, '', 'text']) {
      await same(`${body}`, ({ Response }) => {
        const r = new Response(body, init as ResponseInit)
        return [r.status, r.statusText, r.ok, r.type, r.url, r.redirected, [...r.headers], r.body === null]
      })
    }
  })
}

test('the static responses are the engine\'s', async () => {
  await same('error', ({ Response }) => { const r = Response.error(); return [r.status, r.type, r.ok, r.body, [...r.headers]] })
  await same('fixed', ({ Response }) => Response.error().headers.append('a', 'b'))
  for (const data of [1, 'x', null, { a: [1] }, undefined, () => 1, { toJSON: () => 'j' }, 1n]) {
    for (const init of [undefined, { status: 201 }, { headers: { 'content-type': 'x/y' } }, { status: 204 }]) {
      await same(`${typeof data}`, async ({ Response }) => { const r = Response.json(data, init); return [r.status, r.headers.get('content-type'), await r.text()] })
    }
  }
  for (const args of [['https://a.example/x'], ['https://a.example/é', 301], ['https://a.example/', 200], ['/relative'], ['nonsense'], []] as unknown[][]) {
    await same(`${args}`, ({ Response }) => { const r = (Response.redirect as (...a: unknown[]) => Response)(...args); return [r.status, [...r.headers], r.body, r.type] })
  }
  await same('fixed too', ({ Response }) => Response.redirect('https://a.example/').headers.set('a', 'b'))
  await same('names', ({ Response, Request }) => [Response.name, Request.name, String(Object.prototype.toString.call(new Response())), String(Object.prototype.toString.call(new Request(url)))])
})

const facts = (r: Request): unknown => [r.method, r.url, [...r.headers], r.redirect, r.body === null, r.bodyUsed, r.signal instanceof AbortSignal, r.signal.aborted]

for (const method of ['get', 'GET', 'Post', 'put', 'patch', 'PATCH', 'delete', 'head', 'options', 'custom', 'CONNECT', 'trace', 'Track', '', 'a b', 'é', 'a/b', 'GET\n', null, 5]) {
  test(`the method ${JSON.stringify(method)} is taken as in the engine`, () => same('', ({ Request }) => facts(new Request(url, { method: method as string }))))
}

test('a body goes with a method that has one', async () => {
  for (const method of [undefined, 'GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']) {
    for (const body of [undefined, null, '', 'x']) await same(`${method} ${body}`, ({ Request }) => facts(new Request(url, { method, body } as RequestInit)))
  }
  await same('stream', ({ Request }) => facts(new Request(url, { method: 'POST', body: new ReadableStream() })))
  await same('half', ({ Request }) => facts(new Request(url, { method: 'POST', body: new ReadableStream(), duplex: 'half' } as RequestInit)))
  throws(() => new ours.Request(url, { method: 'POST', body: 'x', duplex: 'full' } as RequestInit), /duplex: "full" is not supported/)
})

test('addresses are taken as in the engine', async () => {
  for (const input of ['https://a.example', 'HTTPS://A.EXAMPLE:443/x y', 'http://a.example/', '/relative', '', 'x', 'https://', 'https://u@a.example/', 'https://u:p@a.example/', 'data:,x', 'about:blank', new URL(url), { toString: () => url }, null, undefined]) {
    await same(String(input), ({ Request }) => facts(new Request(input as string)))
  }
  await same('none', ({ Request }) => new (Request as unknown as new () => Request)())
})

test('a request of a request takes what it says, and its body', async () => {
  await same('plain', ({ Request }) => { const one = new Request(url, { method: 'put', headers: { a: '1' }, redirect: 'manual' }); return [facts(new Request(one)), facts(one)] })
  await same('over', ({ Request }) => facts(new Request(new Request(url, { method: 'PUT', headers: { a: '1' } }), { method: 'POST', headers: { b: '2' }, redirect: 'error' })))
  await same('body', async ({ Request }) => {
    const one = new Request(url, { method: 'POST', body: 'text' })
    const two = new Request(one)
    return [one.bodyUsed, two.bodyUsed, await two.text(), two.headers.get('content-type'), await one.text()]
  })
  await same('used', async ({ Request }) => { const one = new Request(url, { method: 'POST', body: 'text' }); await one.text(); return facts(new Request(one)) })
  await same('replaced', async ({ Request }) => { const one = new Request(url, { method: 'POST', body: 'text' }); await one.text(); return new Request(one, { body: 'new' }).text() })
  await same('to GET', ({ Request }) => facts(new Request(new Request(url, { method: 'POST', body: 'text' }), { method: 'GET' })))
  await same('clone', async ({ Request }) => { const one = new Request(url, { method: 'POST', body: 'text', headers: { a: '1' } }); const two = one.clone(); return [facts(one), facts(two), await one.text(), await two.text()] })
  await same('clone of used', async ({ Request }) => { const one = new Request(url, { method: 'POST', body: 'text' }); await one.text(); return one.clone() })
})

test('a signal is followed', async () => {
  await same('aborted', ({ Request }) => { const c = new AbortController(); const r = new Request(url, { signal: c.signal }); c.abort('why'); return [r.signal.aborted, r.signal.reason, new Request(r).signal.aborted, r.clone().signal.aborted] })
  for (const signal of [null, undefined, 1, {}, 'x']) await same(`${signal}`, ({ Request }) => facts(new Request(url, { signal: signal as AbortSignal })))
})

for (const [option, text] of [
  [{ mode: 'no-cors' }, 'mode: "no-cors"'], [{ mode: 'same-origin' }, 'mode: "same-origin"'], [{ mode: 'navigate' }, 'mode: "navigate"'], [{ credentials: 'include' }, 'credentials: "include"'],
  [{ cache: 'only-if-cached' }, 'cache: "only-if-cached"'], [{ keepalive: true }, 'keepalive'], [{ integrity: 'sha256-x' }, 'integrity'], [{ window: {} }, 'window'],
  [{ referrer: 'https://b.example/' }, 'referrer'], [{ duplex: 'full' }, 'duplex: "full"'],
] as [RequestInit, string][]) {
  test(`${text} is refused by its name`, () => throws(() => new ours.Request(url, option), { name: 'TypeError', message: `Request: ${text} is not supported here` }))
}

for (const option of [
  { mode: 'cors' }, { credentials: 'omit' }, { credentials: 'same-origin' }, { cache: 'no-store' }, { cache: 'force-cache' }, { keepalive: false }, { integrity: '' }, { window: null }, { referrer: '' },
  { referrer: 'about:client' }, { referrerPolicy: 'no-referrer' }, { priority: 'high' }, { duplex: 'half' }, { unknown: 1 },
] as RequestInit[]) {
  test(`${JSON.stringify(option)} changes nothing`, () => equal(new ours.Request(url, option).method, 'GET'))
}

for (const option of [{ mode: 'x' }, { cache: 'x' }, { credentials: '' }, { redirect: 'x' }, { referrerPolicy: 'x' }, { duplex: '' }] as unknown[]) {
  test(`${JSON.stringify(option)} is no option`, () => same('', ({ Request }) => new Request(url, option as RequestInit)))
}
