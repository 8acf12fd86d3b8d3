import { createHash } from 'node:crypto';
import { api, expect, h2, test } from './hostile.js';

test('a tool reads JSON, text, bytes and a stream, by either name of fetch', async ({ web, hostile }) => {
  await web.load();
  const { value: got } = await web.result<{ value: Record<string, unknown> }>(`
    const response = await fetch('${api}/json');
    const streamed = await context.fetch('${api}/stream?n=3000000');
    const pieces = [];
    for await (const piece of streamed.body) pieces.push(piece);
    return { value: {
      instance: response instanceof Response,
      head: [response.ok, response.status, response.statusText, response.url, response.redirected, response.headers.get('content-type')],
      json: await response.json(), used: response.bodyUsed,
      text: await (await context.fetch('${api}/json')).text(),
      bytes: new Uint8Array(await (await fetch(new Request('${api}/bytes?n=70000'))).arrayBuffer()).length,
      blob: await (await fetch('${api}/json')).blob().then(async (blob) => [blob.type, blob.size, await blob.text()]),
      clone: await fetch('${api}/json').then((r) => Promise.all([r.clone().text(), r.text()])),
      stream: [pieces.reduce((n, piece) => n + piece.length, 0), pieces.length > 1, pieces.every((piece) => piece instanceof Uint8Array)],
    } };
  `);
  expect(got).toEqual({
    instance: true, head: [true, 200, 'OK', `${api}/json`, false, 'application/json'], json: { ok: true, list: [1, 2, 3] }, used: true,
    text: '{"ok":true,"list":[1,2,3]}', bytes: 70_000, blob: ['application/json', 26, '{"ok":true,"list":[1,2,3]}'],
    clone: ['{"ok":true,"list":[1,2,3]}', '{"ok":true,"list":[1,2,3]}'], stream: [3_000_000, true, true],
  });
  expect(await hostile.lines()).toHaveLength(6);
});

test('a request carries nothing that the user could be known by', async ({ web, hostile, page }) => {
  const own = (path: string) => page.evaluate((url) => fetch(url, { credentials: 'include', mode: 'no-cors' }).then(() => {}), api + path);
  await own('/cookies');
  await web.load();
  const refused = await web.result<object>(`
    await fetch('${api}/echo', { credentials: 'omit', headers: { 'x-own': 'a' } });
    return said(fetch('${api}/echo', { credentials: 'include' }));
  `);
  expect(refused).toMatchObject({ kind: 'TypeError', message: expect.stringContaining('credentials') });
  // Positive control: the page's own request is known by its cookies.
  await own('/echo?control');
  const [, ours, control] = await hostile.requests();
  expect(control!.headers['cookie']).toBe('a=1; b=2');
  expect(ours!.headers).toMatchObject({ 'x-own': 'a', origin: new URL(page.url()).origin, 'sec-fetch-mode': 'cors', 'cache-control': 'no-cache' });
  expect(Object.keys(ours!.headers).filter((name) => /cookie|referer|authorization|x-client|x-taskyon/.test(name))).toEqual([]);
});

test('cookies that an answer sets are neither kept nor shown, and headers that concern the browser do nothing', async ({ web, hostile, page }) => {
  await web.load();
  const { names, body } = await web.result<{ names: string[]; body: string }>(`
    const names = [];
    for (const path of ['/cookies', '/state']) for (const [name] of (await fetch('${api}' + path)).headers) names.push(name);
    return { names, body: await (await fetch('${api}/echo')).text() };
  `);
  expect(names).toContain('x-seen');
  expect(names.filter((name) => /set-cookie|clear-site-data|alt-svc/.test(name))).toEqual([]);
  expect(body).not.toContain('cookie');
  expect(await page.context().cookies(api)).toEqual([]);
  expect(await hostile.lines()).toHaveLength(3);
});

test('nothing comes from a cache', async ({ web, hostile, page }) => {
  await web.load();
  await web.result(`for (let i = 0; i < 3; i++) await (await fetch('${api}/cache', { cache: 'force-cache' })).text(); return 1`);
  expect(await hostile.lines()).toHaveLength(3);
  // Positive control: the page's own second request is answered by the cache.
  await page.evaluate(async (url) => {
    for (let i = 0; i < 2; i++) await (await fetch(url)).text();
  }, `${api}/cache?control`);
  expect(await hostile.lines()).toHaveLength(4);
});

test('every way to give a body arrives byte for byte, by every method that writes', async ({ web, hostile }) => {
  await web.load();
  const got = await web.result<{ lengths: number[] }>(`
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
    const form = new FormData();
    form.append('a', 'ü\\r\\n"');
    form.append('f', new Blob([bytes], { type: 'image/png' }), 'x.png');
    const bodies = {
      text: 'grüß \\ud800', bytes, view: new DataView(bytes.buffer, 10, 20), buffer: bytes.buffer.slice(0), shorts: new Uint16Array([1, 65535]),
      blob: new Blob(['a', bytes], { type: 'text/x-own' }), search: new URLSearchParams({ q: 'a b&c', ü: '1' }), form,
      stream: new ReadableStream({ start(c) { c.enqueue(bytes); c.enqueue(bytes.subarray(0, 3)); c.close(); } }), empty: '',
    };
    const lengths = [];
    for (const [name, body] of Object.entries(bodies)) {
      const r = await fetch('${api}/echo?' + name, { method: 'POST', body, ...(name === 'stream' ? { duplex: 'half' } : {}) });
      lengths.push(atob((await r.json()).body ?? '').length);
    }
    for (const method of ['PUT', 'PATCH', 'DELETE', 'post', 'REPORT']) await fetch('${api}/echo?' + method, { method, body: bytes });
    for (const method of ['HEAD', 'OPTIONS', 'delete']) await fetch('${api}/echo?none', { method });
    return { lengths };
  `);
  const all = Buffer.from(Uint8Array.from({ length: 256 }, (_, i) => i));
  const requests = await hostile.requests();
  const bodyOf = (name: string) => {
    const { body, headers, method } = requests.find(({ path }) => path === `/echo?${name}`)!;
    return { method, type: headers['content-type'], body: Buffer.from(body ?? '', 'base64') };
  };
  expect(bodyOf('text')).toEqual({ method: 'POST', type: 'text/plain;charset=UTF-8', body: Buffer.from('grüß \ufffd') });
  expect(bodyOf('bytes')).toEqual({ method: 'POST', type: undefined, body: all });
  expect(bodyOf('view').body).toEqual(all.subarray(10, 30));
  expect(bodyOf('buffer').body).toEqual(all);
  expect(bodyOf('shorts').body).toEqual(Buffer.from([1, 0, 255, 255]));
  expect(bodyOf('blob')).toEqual({ method: 'POST', type: 'text/x-own', body: Buffer.concat([Buffer.from('a'), all]) });
  expect(bodyOf('search')).toEqual({ method: 'POST', type: 'application/x-www-form-urlencoded;charset=UTF-8', body: Buffer.from('q=a+b%26c&%C3%BC=1') });
  expect(bodyOf('stream').body).toEqual(Buffer.concat([all, all.subarray(0, 3)]));
  expect(bodyOf('empty').body).toHaveLength(0);
  // A multipart body is read by another hand.
  const form = bodyOf('form');
  const parts = await new Response(form.body, { headers: { 'content-type': form.type! } }).formData();
  expect(parts.get('a')).toBe('ü\r\n"');
  expect(Buffer.from(await (parts.get('f') as File).arrayBuffer())).toEqual(all);
  for (const method of ['PUT', 'PATCH', 'DELETE', 'REPORT']) expect(bodyOf(method)).toMatchObject({ method, body: all });
  expect(bodyOf('post')).toMatchObject({ method: 'POST', body: all });
  expect(requests.filter(({ path }) => path === '/echo?none').map(({ method, bytes }) => [method, bytes])).toEqual([['HEAD', 0], ['OPTIONS', 0], ['DELETE', 0]]);
  expect(got.lengths).toHaveLength(10);
});

test('ten mebibytes go up and come down whole, and a byte more goes nowhere', async ({ web, hostile }) => {
  await web.load();
  const size = 10 << 20;
  const sum = createHash('sha256').update(Uint8Array.from({ length: size }, (_, i) => (i * 7) % 251)).digest('hex');
  const got = await web.result<{ down: string; over: { failed: string } }>(`
    const bytes = Uint8Array.from({ length: ${size} }, (_, i) => i * 7 % 251);
    await fetch('${api}/echo?up', { method: 'POST', body: bytes });
    const down = new Uint8Array(await crypto.subtle.digest('SHA-256', await (await fetch('${api}/bytes?n=${size}')).arrayBuffer()));
    return { down: [...down].map((b) => b.toString(16).padStart(2, '0')).join(''), over: await said(fetch('${api}/echo?over', { method: 'POST', body: new Uint8Array(${size} + 1) })) };
  `);
  expect(got.down).toBe(sum);
  expect(got.over.failed).toMatch(/^(body|too_large)$/);
  const requests = await hostile.requests();
  expect(requests.map(({ path, bytes }) => [path, bytes])).toEqual([['/echo?up', size], [`/bytes?n=${size}`, 0]]);
  expect(requests[0]!.sha256).toBe(sum);
});

test('fifty mebibytes are streamed where the limit admits them', async ({ web, hostile }) => {
  await web.load({ limits: { fetchBytes: 64 << 20 } });
  const size = 50 << 20;
  const got = await web.result<number>(`
    let n = 0;
    for await (const piece of (await fetch('${api}/stream?n=${size}')).body) for (let i = 0; i < piece.length; i += 4096) if (piece[i] !== (n + i) * 7 % 251) return -1; else if (i + 4096 >= piece.length) n += piece.length;
    return n;
  `);
  expect(got).toBe(size);
  await expect.poll(() => hostile.requests()).toMatchObject([{ state: 'answered', sent: size }]);
});

test('what a tool does not read is not fetched for it', async ({ web, hostile }) => {
  await web.load({ limits: { fetchBytes: 1 << 30 } });
  const run = web.run(`const r = await fetch('${api}/endless'); const reader = r.body.getReader(); await reader.read(); await fetch('${api}/hold/headers'); return 1`);
  await expect.poll(() => hostile.lines()).toContain('GET api.example.com/hold/headers');
  // The server writes as long as somebody takes; what stands between it and the tool is bounded.
  const sent = async () => (await hostile.seen()).underWay;
  expect(await sent()).toBe(2);
  await hostile.release();
  expect((await run).outcome).toBe('ok');
  await expect.poll(() => hostile.requests()).toMatchObject([{ state: 'cut' }, { state: 'answered' }]);
  expect((await hostile.requests())[0]!.sent).toBeLessThan(64 << 20);
});

test('six requests are under way at once, and a call makes a hundred', async ({ web, hostile }) => {
  await web.load();
  const run = web.run(`
    const all = Array.from({ length: 105 }, (_, i) => said(fetch('${h2}/hold/headers?' + i).then((r) => r.status)));
    return Promise.all(all);
  `);
  await expect.poll(async () => (await hostile.seen()).underWay).toBe(6);
  for (let done = false; !done; ) {
    await hostile.release();
    done = await Promise.race([run.then(() => true), new Promise<boolean>((next) => setTimeout(next, 5, false))]);
  }
  const { outcome, result } = (await run) as unknown as { outcome: string; result: (number | { failed: string })[] };
  expect(outcome).toBe('ok');
  expect(result.filter((one) => one === 200)).toHaveLength(100);
  expect(result.filter((one) => typeof one === 'object').map((one) => (one as { failed: string }).failed)).toEqual(Array(5).fill('too_many'));
  const { requests, most } = await hostile.seen();
  expect(most).toBe(6);
  expect(requests).toHaveLength(100);
  expect(new Set(requests.map(({ proto }) => proto))).toEqual(new Set(['HTTP/2.0']));
});
