import { api, expect, h2, origins, test, type Web } from './hostile.js';

/** What a tool is told of a request that fails. */
interface Failed {
  readonly failed: string;
  readonly kind: string;
  readonly message: string;
}

/** A tool that fetches each path and says what it got. */
const visit = (paths: readonly string[], init = '{}', origin = api): string => `
  const got = {};
  for (const path of ${JSON.stringify(paths)}) got[path] = await said(fetch('${origin}' + path, ${init}).then(async (r) => ({ status: r.status, type: r.type, text: await r.text() })));
  return got;
`;

/** Runs after whatever a server did: the page, the engine and the very same sandbox live on. */
async function livesOn(web: Web): Promise<void> {
  expect(await web.result(`return (await fetch('${api}/json')).status`)).toBe(200);
}

test('no redirect is followed, of any kind, to anywhere', async ({ web, hostile }) => {
  await web.load();
  const targets = [`${api}/json?led`, 'https://other.example.com/json?led', 'http://api.example.com/json?led', 'https://127.0.0.1/json?led', 'data:text/plain,led', '/json?led', '//other.example.com/json?led', 'about:blank', ''];
  const paths = [
    ...[301, 302, 303, 307, 308].flatMap((code) => targets.map((to) => `/redirect/${code}?to=${encodeURIComponent(to)}`)),
    '/status/300', '/status/305', '/redirect/302?to=/redirect/302',
  ];
  const got = await web.result<Record<string, Failed>>(visit(paths));
  for (const path of paths) expect(got[path], path).toMatchObject({ failed: expect.stringMatching(/^redirect_blocked$/), kind: 'TypeError' });
  const posted = await web.result<Record<string, Failed>>(visit(['/redirect/307?to=/echo', '/redirect/308?to=/echo'], `{ method: 'POST', body: 'mine' }`));
  for (const one of Object.values(posted)) expect(one.failed).toBe('redirect_blocked');
  const seen = await hostile.lines();
  expect(seen.filter((line) => /led|echo$/.test(line.replace(/to=\S*/, '')))).toEqual([]);
  expect(seen).toHaveLength(paths.length + 2);
  // What leads elsewhere from within a page is text here.
  expect(await web.result(visit(['/refresh/meta', '/refresh/header', '/html', '/json/html']))).toMatchObject({
    '/refresh/meta': { status: 200, text: expect.stringContaining('http-equiv="refresh"') }, '/refresh/header': { status: 200, text: 'wait' },
    '/html': { text: expect.stringContaining('<script>') }, '/json/html': { text: expect.stringContaining('<img') },
  });
  expect(await web.result(`return said(fetch('${api}/json/html').then((r) => r.json()))`)).toMatchObject({ failed: 'SyntaxError' });
  expect((await hostile.lines()).filter((line) => line.includes('?led'))).toEqual([]);
});

test('a redirect that a tool asks to follow or to see is refused or blocked all the same', async ({ web, hostile }) => {
  await web.load();
  for (const mode of ['follow', 'error', 'manual']) {
    const got = await web.result<Failed>(`return said(fetch('${api}/redirect/302?to=/json', { redirect: '${mode}' }))`);
    expect(got, mode).toMatchObject({ kind: 'TypeError' });
  }
  expect((await hostile.lines()).filter((line) => !line.includes('/redirect/'))).toEqual([]);
});

test('a body ends at its cap in decoded bytes, whatever it is packed in', async ({ web, hostile }) => {
  await web.load({ limits: { fetchBytes: 1 << 20 } });
  const paths = ['/bomb/gzip', '/bomb/br', '/bomb/twice', '/endless', `/bytes?n=${(1 << 20) + 1}`, `/stream?n=${(1 << 20) + 1}`];
  const got = await web.result<Record<string, Failed>>(visit(paths));
  for (const path of paths) expect(got[path], path).toMatchObject({ failed: 'too_large', kind: 'TypeError' });
  // Exactly as much as is allowed comes whole.
  expect(await web.result(`return (await (await fetch('${api}/stream?n=${1 << 20}')).arrayBuffer()).byteLength`)).toBe(1 << 20);
  await expect.poll(async () => (await hostile.requests()).filter(({ path }) => /gzip|br|endless/.test(path)).map(({ state }) => state)).toEqual(Array(3).fill('cut'));
  await livesOn(web);
});

test('what is never whole ends with its time, and the server is hung up on', async ({ web, hostile }) => {
  await web.load({ limits: { fetchMs: 400 } });
  const paths = ['/hold/headers', '/hold/body', '/drip', '/chunked/endless'];
  const got = await web.result<Record<string, Failed>>(visit(paths));
  for (const path of paths) expect(got[path], path).toMatchObject({ failed: 'timeout', kind: 'TypeError' });
  await expect.poll(async () => (await hostile.requests()).map(({ path, state }) => [path, state])).toEqual(paths.map((path) => [path, 'cut']));
  const { asks } = await web.run(visit(['/drip']));
  expect(asks).toMatchObject([{ decision: 'failed', reason: 'timeout', sent: true }]);
  await livesOn(web);
});

test('an answer that is broken, or lies about itself, is an error of the network and nothing else', async ({ web, hostile }) => {
  await web.load();
  const broken = ['/length/long', '/length/two', '/chunked/cut', '/chunked/bad', '/raw/nothing', '/raw/headers', '/reset', '/gzip/broken', '/raw/zero', '/auth/407'];
  const got = await web.result<Record<string, Failed>>(visit([...broken, '/length/short', '/length/negative', '/length/huge', '/raw/words', '/raw/status', '/raw/informed']));
  for (const path of broken) expect(got[path], path).toMatchObject({ failed: 'network', kind: 'TypeError' });
  // What can be read without taking the server at its word is.
  expect(got).toMatchObject({ '/length/short': { text: 'longe' }, '/length/negative': { text: 'words' }, '/raw/informed': { status: 200, text: 'ok' }, '/raw/status': { status: 999, text: 'x' }, '/length/huge': { text: 'words' }, '/raw/words': { failed: 'network' } });
  expect(await web.result(`const r = await fetch('${api}/raw/status'); return [r.status, r.ok, r.headers.get('x-bad')]`)).toEqual([999, false, '\u00c3(']);
  await expect.poll(async () => (await hostile.requests()).find(({ path }) => path === '/raw/headers')).toMatchObject({ state: 'cut' });
  await livesOn(web);
});

test('statuses without a body, hints, and challenges are answers like others', async ({ web, hostile, page }) => {
  await web.load();
  // A dialog of the browser would ask the user for a password in the server's words.
  page.on('dialog', () => expect('a dialog').toBe('none'));
  const got = await web.result(visit(['/status/204', '/status/205', '/status/304', '/status/404', '/status/418', '/status/500', '/status/599', '/empty', '/hints', '/auth/401']));
  expect(got).toMatchObject({
    '/status/204': { status: 204, text: '' }, '/status/205': { status: 205, text: '' }, '/status/304': { status: 304, text: '' },
    '/status/404': { status: 404, text: 'status 404' }, '/status/418': { status: 418 }, '/status/500': { status: 500 }, '/status/599': { status: 599 },
    '/empty': { status: 200, text: '' }, '/hints': { status: 200, text: 'after hints' }, '/auth/401': { status: 401, text: 'no' },
  });
  expect(await web.result(`const r = await fetch('${api}/json', { method: 'HEAD' }); return [r.status, r.body, await r.text()]`)).toEqual([200, null, '']);
  expect((await hostile.lines()).filter((line) => line.includes('led'))).toEqual([]);
});

test('text is read as UTF-8 whatever a server calls it, and what is none shows', async ({ web }) => {
  await web.load();
  expect(await web.result(visit(['/utf8/bad', '/charset/wrong']))).toMatchObject({
    '/utf8/bad': { text: 'a\ufffd\ufffdb\ufffd(\ufffd\ufffd\ufffd' }, '/charset/wrong': { text: 'grüß' },
  });
});

test('a server that does not admit the page is not read, and one whose preflight fails is not reached', async ({ web, hostile }) => {
  await web.load();
  const paths = ['/cors/none', '/cors/other', '/cors/twice', '/cors/credentials'];
  const got = await web.result<Record<string, Failed>>(visit(paths));
  for (const path of paths.slice(0, 3)) expect(got[path], path).toMatchObject({ failed: 'network', message: expect.stringContaining('CORS') });
  expect(got['/cors/credentials']).toMatchObject({ status: 200, text: 'x' });
  await hostile.forget();
  expect(await web.result(visit(['/preflight/fail'], `{ method: 'PUT', body: 'mine' }`))).toMatchObject({ '/preflight/fail': { failed: 'network' } });
  expect(await hostile.requests()).toEqual([]);
  // Positive control: the preflight itself was there.
  expect((await hostile.seen()).requests).toMatchObject([{ method: 'OPTIONS', path: '/preflight/fail' }]);
});

test('HTTP/2 carries requests like HTTP/1.1', async ({ web, hostile }) => {
  await web.load();
  const got = await web.result(visit(['/json', '/stream?n=5', '/redirect/302?to=/json?led', '/status/204'], '{}', h2));
  expect(got).toMatchObject({ '/json': { status: 200 }, '/redirect/302?to=/json?led': { failed: 'redirect_blocked' }, '/status/204': { status: 204 } });
  expect((await hostile.requests()).map(({ proto }) => proto)).toEqual(Array(4).fill('HTTP/2.0'));
});

test('a tool that aborts, before the answer or in its body, hangs up on the server', async ({ web, hostile }) => {
  await web.load();
  for (const origin of [api, h2]) {
    await hostile.forget();
    const got = await web.result(`
      const before = new AbortController();
      const waiting = said(fetch('${origin}/hold/headers', { signal: before.signal }));
      setTimeout(() => before.abort(), 50);
      const during = new AbortController();
      const r = await fetch('${origin}/drip', { signal: during.signal });
      const reader = r.body.getReader();
      await reader.read();
      during.abort(new RangeError('enough'));
      const never = new AbortController();
      never.abort();
      const cancelled = await fetch('${origin}/endless');
      await cancelled.body.cancel();
      return [await waiting, await said(reader.read().then(async function more({ done }) { if (!done) return reader.read().then(more); })), await said(fetch('${origin}/json?never', { signal: never.signal }))];
    `);
    expect(got).toMatchObject([{ kind: 'AbortError' }, { kind: 'RangeError' }, { kind: 'AbortError' }]);
    const cut = ['cut /drip', 'cut /endless', 'cut /hold/headers'];
    await expect.poll(async () => (await hostile.requests()).map(({ path, state }) => `${state} ${path}`).sort()).toEqual(cut);
  }
});

test("a run's signal, its time, its own end, and the end of the engine hang up on the server", async ({ web, hostile, page }) => {
  await web.load({ limits: { wallMs: 1000 } });
  const held = `await fetch('${api}/hold/headers'); return 1`;
  const revision = await web.install(held);
  const cut = async (n: number) => expect.poll(async () => (await hostile.requests()).map(({ state }) => state)).toEqual(Array(n).fill('cut'));
  const aborted = page.evaluate(async (revision) => {
    const controller = new AbortController();
    Object.assign(globalThis, { stop: () => controller.abort() });
    return harness.runRevision(revision, {}, { signal: controller.signal });
  }, revision);
  await expect.poll(() => hostile.lines()).toHaveLength(1);
  await page.evaluate(() => (globalThis as unknown as { stop: () => void }).stop());
  expect(await aborted).toMatchObject({ outcome: 'aborted', asks: [{ decision: 'open', sent: true }] });
  await cut(1);
  expect(await web.run(revision)).toMatchObject({ outcome: 'timeout' });
  await cut(2);
  // A tool that returns without waiting leaves nothing behind.
  expect(await web.run(`fetch('${api}/hold/headers').catch(() => {}); await new Promise((r) => setTimeout(r, 100)); return 1`)).toMatchObject({ outcome: 'ok' });
  await cut(3);
  const last = page.evaluate((revision) => harness.runRevision(revision).then(({ outcome }) => outcome), revision);
  await expect.poll(() => hostile.lines()).toHaveLength(4);
  await page.evaluate(() => ty.close());
  expect(await last).toBe('aborted');
  await cut(4);
});

test('what a page puts in the place of its fetch is not called', async ({ web, hostile, page }) => {
  const patch = () => {
    Object.assign(globalThis, { patched: 0 });
    globalThis.fetch = () => {
      (globalThis as unknown as { patched: number }).patched++;
      return Promise.reject(new Error('patched'));
    };
  };
  await web.load();
  await page.evaluate(patch);
  expect(await web.result(`return (await fetch('${api}/json')).status`)).toBe(200);
  // Positive control: the page has it.
  expect(await page.evaluate(() => fetch('/blank.html').catch((error: Error) => error.message))).toBe('patched');
  expect(await page.evaluate(() => (globalThis as unknown as { patched: number }).patched)).toBe(1);
  expect(await hostile.lines()).toHaveLength(1);
});

test('addresses that no tool may reach are refused before anything leaves', async ({ web, hostile }) => {
  await web.load();
  const { connections } = await hostile.seen();
  const urls = ['http://api.example.com/', 'https://127.0.0.1/', 'https://u:p@api.example.com/', 'https://localhost/', 'https://api.example.com:25/', 'data:text/plain,x', 'https://evil.example.net/'];
  const got = await web.result<Failed[]>(`const got = []; for (const url of ${JSON.stringify(urls)}) got.push(await said(fetch(url))); return got`);
  expect(got.map(({ failed }) => failed)).toEqual(['scheme', 'address', 'TypeError', 'host_name', 'port', 'scheme', 'need']);
  for (const name of ['cookie', 'host', 'origin', 'referer', 'x-http-method-override', 'x_forwarded_for', 'sec-fetch-site', 'proxy-authorization']) {
    const got = await web.result<Failed>(`return said(fetch('${api}/echo', { headers: { '${name}': 'a' } }).then((r) => r.json()))`);
    expect(got, name).toMatchObject({ failed: 'header' });
  }
  for (const method of ['TRACE', 'connect', 'TRACK']) expect(await web.result(`return said(fetch('${api}/echo', { method: '${method}' }))`)).toMatchObject({ kind: 'TypeError' });
  expect(await hostile.lines()).toEqual([]);
  expect((await hostile.seen()).connections).toBe(connections);
  expect(origins).toHaveLength(4);
});
