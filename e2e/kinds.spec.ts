import { test as base, expect } from './fixtures.js';
import type { Page } from '@playwright/test';
import type { LoadOptions } from '../wasm/loader/taskyon.js';
import { readFile } from 'node:fs/promises';
import { escape } from './escape.js';
import { frameHeaders, framePolicy, hostPolicy, PolicySite, servedPolicy } from './policysite.js';

const test = base.extend<{ readonly site: PolicySite }>({
  site: async ({}, use) => {
    const site = await PolicySite.listen();
    await use(site);
    await site.close();
  },
});

/** Opens a host page whose policy admits a frame of that address and nothing else that a sandbox needs, with an engine of the served kind. */
async function open(page: Page, site: PolicySite, sandbox: string, more: LoadOptions = {}, policy = servedPolicy(sandbox)): Promise<void> {
  await page.goto(site.under(policy));
  await page.waitForFunction(() => 'harness' in globalThis);
  await page.evaluate(([page, more]) => harness.load({ ...more, sandbox: { page } }), [sandbox, more] as const);
}

async function refused(page: Page): Promise<{ readonly code: string; readonly message: string; readonly ms: number }> {
  return page.evaluate(async () => {
    const began = performance.now();
    const { code, message } = await harness.refusal(() => harness.install('() => 1'));
    return { code, message, ms: performance.now() - began };
  });
}

test('a host page that admits no inline script and no worker runs tools in the served page', async ({ page, site }) => {
  const sandbox = site.sandbox();
  await open(page, site, sandbox);
  expect(servedPolicy(sandbox)).not.toMatch(/sha256|blob:.*worker|worker-src/);
  const seen = await page.evaluate(async () => {
    const revision = await harness.install('({ input }) => input.toUpperCase()');
    const records = [await harness.runRevision(revision, { input: 'hello' }), await harness.runRevision(revision, { input: 'again' }, { disposable: true })];
    const digest = await harness.run("async () => new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array())).length");
    const frame = document.querySelector('iframe')!;
    const attributes = Object.fromEntries(frame.getAttributeNames().map((name) => [name, frame.getAttribute(name)]));
    return { results: records.map((record) => record.result), digest: digest.result, attributes, reach: frame.contentDocument };
  });
  expect(seen).toMatchObject({
    results: ['HELLO', 'AGAIN'], digest: 32, reach: null,
    attributes: { sandbox: 'allow-scripts', allow: '', referrerpolicy: 'no-referrer', hidden: '', inert: '', src: sandbox },
  });
  expect(seen.attributes['srcdoc']).toBeUndefined();
  const facts = await page.evaluate(async () => Object.fromEntries((await ty.diagnostics.environment()).map(({ id, ...fact }) => [id, fact])));
  expect(facts).toMatchObject({
    sandbox_kind: { ok: true, detail: expect.stringContaining(sandbox) }, sandbox_frame: { ok: true }, sandbox_worker: { ok: true }, sandbox_crypto: { ok: true },
    policy_script: { ok: true, detail: expect.stringContaining('not needed') }, policy_frame: { ok: true },
  });
});

test('no request of a tool in a served page reaches the network, also where nothing but the file has a policy', async ({ page, site, canary }) => {
  for (const headers of [frameHeaders(), {}]) {
    await open(page, site, site.sandbox(headers));
    const record = await page.evaluate(([code, url]) => harness.run(code, { url }), [escape, canary.origin] as const);
    expect(record).toMatchObject({ outcome: 'ok' });
    expect(canary.hits).toEqual([]);
  }
});

test('positive control: a page whose policy was taken out is refused, and without that guard and with the engine\'s own fetch the same tool reaches the canary', async ({ page, site, canary }) => {
  const body = await (await page.request.get(site.origin + '/sandbox.html')).text();
  const bare = site.at('/bare.html', { headers: { 'content-type': 'text/html' }, body: body.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '') });
  await open(page, site, bare);
  expect(await refused(page)).toMatchObject({ code: 'unavailable', message: expect.stringContaining('is of another version') });
  const frames = await Promise.all(['frame', 'frame-own-fetch'].map((name) => readFile(`build/site/frames/${name}.js`, 'utf8')));
  expect(body).toContain(frames[0]);
  const weak = site.at('/weak.html', { headers: { 'content-type': 'text/html' }, body: body.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '').replace(frames[0]!, () => frames[1]!) });
  await open(page, site, weak);
  await page.evaluate(async (page) => {
    Object.assign(globalThis, { taskyonGuardsOff: ['frame-version'] });
    await harness.load({ wasmURL: '/taskyon-controls.wasm', sandbox: { page } });
  }, weak);
  const record = await page.evaluate(([code, url]) => harness.run(code, { url }), [escape, canary.origin] as const);
  expect(record).toMatchObject({ outcome: 'ok', result: { fetch: 'went' } });
  expect(canary.hits).toEqual(expect.arrayContaining(['GET /fetch', 'POST /no-cors']));
});

test('a page that is not ours is told nothing of a tool', async ({ page, site, canary }) => {
  const word = JSON.stringify({ frame: 'here', origin: 'null', policy: '', crypto: false, violated: [], reason: '' });
  const script = `addEventListener('message', ({ ports: [port] }) => {
    port.onmessage = ({ data }) => typeof data === 'number' || fetch('${canary.origin}/told', { mode: 'no-cors' });
    setTimeout(() => port.postMessage({ frame: ${JSON.stringify(word)} }), 200);
  })`;
  const other = site.at('/other.html', { headers: { 'content-type': 'text/html' }, body: `<!doctype html><title>sandbox</title><script>${script}</script>` });
  await open(page, site, other);
  expect(await refused(page)).toMatchObject({ code: 'unavailable', message: expect.stringContaining('is of another version') });
  expect(canary.hits).toEqual([]);
  // Positive control: believed, it is told, and it tells.
  await page.evaluate(async (page) => {
    Object.assign(globalThis, { taskyonGuardsOff: ['frame-version'] });
    await harness.load({ wasmURL: '/taskyon-controls.wasm', sandbox: { page }, limits: { startMs: 1500 } });
  }, other);
  await refused(page);
  expect(canary.hits).toContain('GET /told');
});

test('a tool in a served page lives in an opaque worker without document, storage or a way to evaluate text', async ({ page, site }) => {
  await open(page, site, site.sandbox());
  const { result } = await page.evaluate(() => harness.run(`async () => {
    const probe = async (f) => { try { return typeof await f() } catch (e) { return e.name } };
    return { origin: self.origin, document: typeof document, parent: typeof parent, eval: await probe(() => (0, eval)('1')), Function: await probe(() => new Function('return 1')()) };
  }`));
  expect(result).toEqual({ origin: 'null', document: 'undefined', parent: 'undefined', eval: 'EvalError', Function: 'EvalError' });
});

test('a served frame that shows anything else is a crash, and the next call works', async ({ page, site }) => {
  await open(page, site, site.sandbox());
  const seen = await page.evaluate(async () => {
    const revision = await harness.install('({ wait }) => wait ? new Promise(() => {}) : 1');
    await harness.runRevision(revision, {});
    const running = harness.runRevision(revision, { wait: true });
    while ((await ty.sandboxes.list())[0]?.phase !== 'running') await new Promise((done) => setTimeout(done, 5));
    for (const frame of document.querySelectorAll('iframe')) frame.srcdoc = 'another';
    return { record: await running, next: (await harness.runRevision(revision, {})).result };
  });
  expect(seen).toMatchObject({ record: { outcome: 'crashed', started: true }, next: 1 });
});

test('a tool that burns its core in a served page is ended at its deadline', async ({ page, site }) => {
  await open(page, site, site.sandbox(), { limits: { callMs: 500 } });
  const records = await page.evaluate(async () => [await harness.run('() => { for (;;); }'), await harness.run('() => 1')]);
  expect(records).toMatchObject([{ outcome: 'timeout' }, { outcome: 'ok', result: 1 }]);
});

const html = { 'content-type': 'text/html; charset=utf-8' };

for (const { title, answer, says } of [
  { title: 'that is missing', answer: { status: 404, headers: html, body: 'no' }, says: 'is answered with status 404; put sandbox.html' },
  { title: 'that is an error of the server', answer: { status: 500, headers: html, body: 'no' }, says: 'is answered with status 500; put sandbox.html' },
  { title: 'with other content', answer: { headers: html, body: '<!doctype html><title>welcome</title><script>1</script>' }, says: 'is not sandbox.html; put that file' },
  { title: 'that is no page', answer: { headers: { 'content-type': 'text/plain' }, body: 'sandbox' }, says: 'is not sandbox.html; put that file' },
  {
    title: 'of a version whose script says nothing', says: 'is of another version; serve the sandbox.html that was built with this engine',
    answer: { headers: html, body: '<!doctype html><title>sandbox</title><script>addEventListener("message", () => {})</script>' },
  },
  {
    title: 'of a version that knows no words of the frame', says: 'is of another version; serve the sandbox.html that was built with this engine',
    answer: { headers: html, body: `<!doctype html><title>sandbox</title><script>addEventListener('message', ({ ports }) => ports[0].postMessage('{"kind":"ready","version":1}'))</script>` },
  },
] as const) {
  test(`a page ${title} is an error within two seconds that says what to do`, async ({ page, site }) => {
    const sandbox = site.at('/frame.html', answer);
    await open(page, site, sandbox);
    const { code, message, ms } = await refused(page);
    expect({ code, message }).toEqual({ code: 'unavailable', message: expect.stringContaining(`the page ${sandbox} ${says}`) });
    expect(ms).toBeLessThan(2000);
  });
}

test('the page of another version is refused by the policy that it names, before anything runs in it', async ({ page, site }) => {
  const body = await (await page.request.get(site.origin + '/sandbox.html')).text();
  const sandbox = site.at('/old.html', { headers: html, body: body.replace("base-uri 'none'; ", '') });
  await open(page, site, sandbox);
  expect(await refused(page)).toMatchObject({ code: 'unavailable', message: expect.stringContaining(`the page ${sandbox} is of another version`) });
});

test('a page with a header that keeps its script from running is given up within the start limit, with what may be wrong', async ({ page, site }) => {
  await open(page, site, site.sandbox({ 'content-security-policy': "script-src 'none'" }));
  const { code, message, ms } = await refused(page);
  expect({ code, message }).toEqual({ code: 'unavailable', message: expect.stringContaining('took no port: it is not sandbox.html, or headers that it is sent with keep its script from running') });
  expect(ms).toBeLessThan(8000);
});

test('a page whose header lets no worker start is told by its directive', async ({ page, site }) => {
  await open(page, site, site.sandbox({ 'content-security-policy': `${framePolicy().replace('worker-src blob:', "worker-src 'none'")}` }));
  expect(await refused(page)).toMatchObject({ code: 'unavailable', message: expect.stringContaining("the sandbox page's own policy blocks it: worker-src lacks blob:") });
});

test('a host page whose policy admits no such frame is told the line to add', async ({ page, site }) => {
  const sandbox = site.sandbox();
  await open(page, site, sandbox, {}, hostPolicy());
  const { code, message, ms } = await refused(page);
  expect({ code, message }).toEqual({ code: 'unavailable', message: expect.stringContaining(`the page's policy blocks it: frame-src does not admit ${sandbox}; add that address to the page's frame-src`) });
  expect(ms).toBeLessThan(2000);
  const facts = await page.evaluate(async () => Object.fromEntries((await ty.diagnostics.environment()).map(({ id, ...fact }) => [id, fact])));
  expect(facts).toMatchObject({ policy_frame: { ok: false, advice: `add ${sandbox} to frame-src` }, sandbox_frame: { ok: false }, sandbox_worker: { ok: false } });
});

test('a page under Trusted Types runs tools in the served page', async ({ page, site }) => {
  const sandbox = site.sandbox();
  await open(page, site, sandbox, {}, `${servedPolicy(sandbox)}; require-trusted-types-for 'script'; trusted-types 'none'`);
  expect(await page.evaluate(() => harness.run('() => 1'))).toMatchObject({ outcome: 'ok', result: 1 });
});

test('a frame that is not sandboxed is refused, since its origin is not opaque', async ({ page, site }) => {
  // Without the sandbox directive, which a file cannot say, and with the attribute off, the page would have the origin of its host.
  const sandbox = site.sandbox({});
  await page.goto(site.under(servedPolicy(sandbox)));
  await page.waitForFunction(() => 'harness' in globalThis);
  await page.evaluate((page) => {
    Object.assign(globalThis, { taskyonGuardsOff: ['frame-sandbox'] });
    return harness.load({ wasmURL: '/taskyon-controls.wasm', sandbox: { page } });
  }, sandbox);
  expect(await refused(page)).toMatchObject({ code: 'unavailable', message: expect.stringContaining(`has the origin ${site.origin} and not an opaque one, so it is not sandboxed`) });
});

test('an address that is none, or not one of a page, is refused by name, and one is taken from where the page is', async ({ page, site }) => {
  const sandbox = site.sandbox();
  await page.goto(site.under(servedPolicy(sandbox)));
  await page.waitForFunction(() => 'harness' in globalThis);
  for (const wrong of ['javascript:alert(1)', 'data:text/html,x', 'blob:null/x', 'about:blank', 'https://:', 7, null]) {
    const refusal = await page.evaluate((page) => harness.refusal(() => harness.load({ sandbox: { page: page as string } })), wrong);
    expect(refusal, String(wrong)).toMatchObject({ code: 'invalid_request', path: '$.sandbox' });
  }
  for (const wrong of ['page', null, {}, 1]) {
    const refusal = await page.evaluate((sandbox) => harness.refusal(() => harness.load({ sandbox: sandbox as 'srcdoc' })), wrong);
    expect(refusal, String(wrong)).toMatchObject({ code: 'invalid_request', path: '$.sandbox' });
  }
  await page.evaluate((page) => harness.load({ sandbox: { page } }), new URL(sandbox).pathname + '#part');
  expect(await page.evaluate(() => harness.run('() => 1'))).toMatchObject({ result: 1 });
});

test('the server sends the sandbox page with its own strict policy, and the build writes it beside', async ({ request }) => {
  const response = await request.get('/sandbox.html');
  expect(response.status()).toBe(200);
  expect(response.headers()).toMatchObject({
    ...frameHeaders(), 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer',
  });
  expect(framePolicy()).toMatch(
    /^default-src 'none'; script-src 'sha256-[A-Za-z0-9+/=]+' 'wasm-unsafe-eval'; worker-src blob:; frame-src 'none'; form-action 'none'; base-uri 'none'; webrtc 'block'; sandbox allow-scripts; frame-ancestors 'self'$/,
  );
  expect(await response.text()).toContain(`content="${framePolicy().replace('; sandbox allow-scripts; frame-ancestors \'self\'', '')}"`);
});

test('the page of our own server is shown by pages of its own origin alone', async ({ page, baseURL, site }) => {
  await open(page, site, `${baseURL}/sandbox.html`);
  expect(await refused(page)).toMatchObject({ code: 'unavailable', message: expect.stringContaining('took no port') });
});

test('an isolated page runs tools in the served page', async ({ page, site }) => {
  const sandbox = site.sandbox({ ...frameHeaders(), 'cross-origin-embedder-policy': 'require-corp', 'cross-origin-resource-policy': 'same-origin' });
  await page.goto(site.page({
    'content-security-policy': servedPolicy(sandbox), 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp',
  }));
  await page.waitForFunction(() => 'harness' in globalThis);
  await page.evaluate((page) => harness.load({ sandbox: { page } }), sandbox);
  expect(await page.evaluate(() => globalThis.crossOriginIsolated)).toBe(true);
  expect(await page.evaluate(() => harness.run('() => 1'))).toMatchObject({ outcome: 'ok', result: 1 });
});
