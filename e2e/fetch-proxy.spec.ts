import { api, expect, needs, test } from './hostile.js';
import { hostPolicy, PolicySite } from './policysite.js';

const proxyURL = 'https://proxy.example.org/fetch-proxy';

interface Failed {
  readonly failed: string;
  readonly message: string;
}

test('with a proxy every request goes through it, and without one straight to its server', async ({ web, hostile, page }) => {
  await web.load({ proxyURL, proxyToken: 'the-token' });
  const visit = await web.install(`
    const sent = await (await fetch('${api}/echo', { method: 'PUT', body: new Uint8Array([0, 10, 255, 10]), headers: { 'x-own': 'a', 'x-say': 'b' } })).json();
    let streamed = 0;
    for await (const piece of (await fetch('${api}/stream?n=3000000')).body) streamed += piece.length;
    return { sent, streamed, none: await said(fetch('${api}/cors/none').then((r) => r.json())), empty: (await fetch('${api}/status/204')).status };
  `);
  interface Got {
    readonly sent: { readonly method: string; readonly headers: Record<string, string>; readonly body: string };
    readonly streamed: number;
    readonly none: object;
    readonly empty: number;
  }
  const through = await web.result<Got>(visit);
  expect(through).toMatchObject({ sent: { method: 'PUT', headers: { 'x-own': 'a', via: '1.1 hostile' }, body: 'AAr/Cg==' }, streamed: 3_000_000, none: { private: true }, empty: 204 });
  for (const name of ['origin', 'authorization', 'referer', 'sec-fetch-mode']) expect(through.sent.headers).not.toHaveProperty(name);
  const seen = await hostile.requests();
  expect(seen.map(({ method, host }) => `${method} ${host}`)).toEqual(
    ['PUT', 'GET', 'GET', 'GET'].flatMap((method) => ['POST proxy.example.org', `${method} api.example.com`]),
  );
  for (const { host, headers, path } of seen) {
    expect(headers['authorization']).toBe(host === 'proxy.example.org' ? 'Bearer the-token' : undefined);
    expect(headers).not.toHaveProperty('cookie');
    if (host === 'proxy.example.org') expect(path).toBe('/fetch-proxy');
  }
  await page.evaluate(() => ty.close());
  await hostile.forget();
  await web.load();
  const straight = await web.result<Got>(await web.install(`return { sent: await (await fetch('${api}/echo')).json(), none: await said(fetch('${api}/cors/none')) }`));
  expect(straight.sent.headers).toMatchObject({ origin: new URL(page.url()).origin, 'sec-fetch-mode': 'cors' });
  expect(straight.sent.headers).not.toHaveProperty('via');
  expect(straight.none).toMatchObject({ failed: 'network' });
  expect(new Set((await hostile.requests()).map(({ host }) => host))).toEqual(new Set(['api.example.com']));
});

test('what a proxy refuses keeps its code, and redirects and broken bodies are what they are without one', async ({ web, hostile }) => {
  await web.load({ proxyURL });
  const got = await web.result<Record<string, Failed>>(`
    const got = {};
    for (const path of ['/refuse/address', '/refuse/host_name', '/redirect/302?to=/json', '/length/long', '/chunked/cut', '/raw/nothing']) got[path] = await said(fetch('${api}' + path).then((r) => r.text()));
    return got;
  `);
  expect(Object.fromEntries(Object.entries(got).map(([path, { failed }]) => [path, failed]))).toEqual({
    '/refuse/address': 'address', '/refuse/host_name': 'host_name', '/redirect/302?to=/json': 'redirect_blocked', '/length/long': 'network', '/chunked/cut': 'network', '/raw/nothing': 'network',
  });
  expect(got['/refuse/address']!.message).toBe('fetch: the proxy says address');
  expect((await hostile.lines()).filter((line) => line.endsWith('.com/json'))).toEqual([]);
});

test('a proxy that is none, or is not there, is said to be', async ({ web, page }) => {
  for (const bad of [`${proxyURL}/silent`, `${proxyURL}/words`, 'https://proxy.example.org/cors/none', 'https://nobody.invalid/']) {
    await web.load({ proxyURL: bad });
    const got = await web.result<Failed>(`return said(fetch('${api}/json'))`);
    expect(got, bad).toMatchObject({ failed: 'network', message: expect.stringContaining('proxy') });
    await page.evaluate(() => ty.close());
  }
  for (const bad of ['http://proxy.example.org/', 'data:,x', 'proxy', '', null]) {
    const refused = await page.evaluate((proxyURL) => harness.refusal(() => harness.load({ store: 'memory', proxyURL: proxyURL! })), bad);
    expect(refused, `${bad}`).toMatchObject({ code: 'invalid_request', path: expect.stringContaining('proxyURL') });
  }
});

test('a tool cannot reach the proxy itself, and one that gives up reaches through it', async ({ web, hostile }) => {
  await web.load({ proxyURL });
  const self = await web.install(`return said(fetch('${proxyURL}', { method: 'POST', body: '{}' }))`, {
    needs: { fetch: [...needs.fetch, { origin: 'https://proxy.example.org', access: 'write' }] },
  });
  expect(await web.result(self)).toMatchObject({ failed: 'self' });
  expect(await hostile.lines()).toEqual([]);
  const got = await web.result(`
    const controller = new AbortController();
    const r = await fetch('${api}/drip', { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    return said(r.text());
  `);
  expect(got).toMatchObject({ kind: 'AbortError' });
  await expect.poll(async () => (await hostile.requests()).map(({ state }) => state)).toEqual(['cut', 'cut']);
});

// A service worker is the application's own code, between its page and the network. It can be registered only where the application admits it
// (worker-src), and is trusted as the page is.
test("a service worker of the page's own sees requests, and what it hands on from elsewhere is no answer", async ({ web, hostile, page }) => {
  const site = await PolicySite.listen();
  try {
    site.at('/sw.js', {
      headers: { 'content-type': 'text/javascript' },
      body: `
        const seen = [];
        self.addEventListener('install', () => self.skipWaiting());
        self.addEventListener('activate', (event) => event.waitUntil(clients.claim()));
        self.addEventListener('message', ({ source }) => source.postMessage(seen));
        self.addEventListener('fetch', (event) => {
          const { url, method, mode, credentials, redirect, referrer, cache } = event.request;
          if (!url.startsWith('${api}')) return;
          seen.push({ url, method, mode, credentials, redirect, referrer, cache });
          if (url.endsWith('made-up')) event.respondWith(new Response('x'.repeat(2 << 20)));
          else if (url.endsWith('follows')) event.respondWith(fetch('${api}/redirect/302?to=/json'));
          else if (url.endsWith('opaque')) event.respondWith(fetch('${api}/json', { mode: 'no-cors' }));
          else if (url.endsWith('error')) event.respondWith(Response.error());
          else event.respondWith(fetch(event.request));
        });`,
    });
    await page.goto(site.under(hostPolicy().replace('worker-src blob:', "worker-src 'self' blob:")));
    await web.load({ limits: { fetchBytes: 1 << 20 } });
    await page.evaluate(async () => {
      const controlled = new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
      await navigator.serviceWorker.register('/sw.js');
      await controlled;
    });
    const got = await web.result(`
      const got = {};
      for (const path of ['/json', '/redirect/302?to=/json', '/made-up', '/follows', '/opaque', '/error']) got[path] = await said(fetch('${api}' + path).then((r) => r.text()));
      return got;
    `);
    expect(got).toMatchObject({
      '/json': '{"ok":true,"list":[1,2,3]}', '/redirect/302?to=/json': { failed: 'redirect_blocked' }, '/made-up': { failed: 'too_large' },
      '/follows': { failed: 'network' }, '/opaque': { failed: 'network' }, '/error': { failed: 'network' },
    });
    const heard = await page.evaluate(
      () =>
        new Promise<object[]>((resolve) => {
          navigator.serviceWorker.addEventListener('message', ({ data }) => resolve(data as object[]));
          navigator.serviceWorker.startMessages();
          navigator.serviceWorker.controller!.postMessage(0);
        }),
    );
    expect(heard).toHaveLength(6);
    for (const one of heard) expect(one).toMatchObject({ mode: 'cors', credentials: 'omit', redirect: 'manual', referrer: '', cache: 'no-store' });
    await page.evaluate(async () => (await navigator.serviceWorker.ready).unregister());
    for (const { headers } of await hostile.requests()) expect(headers).not.toHaveProperty('cookie');
  } finally {
    await site.close();
  }
});

test('what a proxy says of an answer is held to what an answer can be', async ({ web, page }) => {
  const head = (more: object) => JSON.stringify({ status: 200, statusText: 'OK', headers: [], ...more });
  const lines: readonly (readonly [string, Record<string, unknown>])[] = [
    [head({}), { status: 200, text: 'body' }],
    [head({ headers: [['x-a', '1'], ['X-A', '2'], ['set-cookie', 'a=1'], ['x-own', 'mine']] }), { status: 200, a: '1, 2', names: ['x-a', 'x-own'] }],
    [head({ headers: [['bad name', '1']] }), { failed: 'network' }],
    [head({ headers: [['x-line', 'a\r\nx-b: c']] }), { failed: 'network' }],
    [head({ headers: [['x-text', 'grüß \u2603']] }), { failed: 'network' }],
    [head({ headers: [['x-a']] }), { failed: 'network' }],
    [head({ headers: [[1, 2]] }), { failed: 'network' }],
    [head({ headers: {} }), { failed: 'network' }],
    [head({ status: 0 }), { failed: 'network' }],
    [head({ status: 302 }), { failed: 'redirect_blocked' }],
    [head({ status: 101 }), { failed: 'network' }],
    [head({ status: 99999 }), { failed: 'network' }],
    [head({ status: -1 }), { failed: 'network' }],
    [head({ status: 200.5 }), { failed: 'network' }],
    [head({ status: '200' }), { failed: 'network' }],
    [head({ statusText: 'a\nb' }), { failed: 'network' }],
    [head({ url: 'https://other.example.com/' }), { failed: 'network' }],
    ['{}', { failed: 'network' }],
    ['', { failed: 'network' }],
    ['[]', { failed: 'network' }],
    [JSON.stringify({ error: { code: 'too_large', message: 'm' } }), { failed: 'too_large' }],
    [JSON.stringify({ error: { code: '', message: '' } }), { failed: 'network' }],
    [JSON.stringify({ error: { code: 'aborted\u0000"<b>', message: 'm' } }), { failed: 'network' }],
  ];
  const tool = `return said(fetch('${api}/json').then(async (r) => ({ status: r.status, text: await r.text(), a: r.headers.get('x-a'), names: [...r.headers.keys()] })))`;
  for (const [line, want] of lines) {
    await web.load({ proxyURL: `${proxyURL}/says?line=${encodeURIComponent(line)}` });
    expect(await web.result<Failed>(tool), line).toMatchObject(want);
    await page.evaluate(() => ty.close());
  }
});
