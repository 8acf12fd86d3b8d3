import { readFileSync } from 'node:fs';
import { test as base, expect } from './fixtures.js';
import type { Page } from '@playwright/test';
import { frameHash, hostPolicy, PolicySite } from './policysite.js';
import type { Refusal } from './fixtures.js';

const test = base.extend<{ readonly site: PolicySite }>({
  site: async ({}, use) => {
    const site = await PolicySite.listen();
    await use(site);
    await site.close();
  },
});

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForFunction(() => 'harness' in globalThis);
}

/** What a first install is refused with, and after how many milliseconds. */
async function refused(page: Page): Promise<Refusal & { readonly ms: number }> {
  return page.evaluate(async () => {
    await harness.load();
    const began = performance.now();
    const refusal = await harness.refusal(() => harness.install('() => 1'));
    return { ...refusal, ms: performance.now() - began };
  });
}

type Facts = { [id: string]: { readonly ok: boolean; readonly detail: string; readonly advice?: string } };

async function environment(page: Page): Promise<Facts> {
  return page.evaluate(async () => Object.fromEntries((await ty.diagnostics.environment()).map(({ id, ...fact }) => [id, fact])));
}

const hash = frameHash();
const script = `script-src 'self' 'wasm-unsafe-eval'`;

const cases: readonly { readonly title: string; readonly policy: string; readonly says: string; readonly fact: string }[] = [
  {
    title: 'script-src without the hash', fact: 'policy_script', policy: `${script}; worker-src blob:`,
    says: `script-src lacks ${hash}; add it to the page's script-src`,
  },
  {
    title: 'a nonce in place of the hash', fact: 'policy_script', policy: `${script} 'unsafe-inline' 'nonce-abc'; worker-src blob:`,
    says: `script-src lacks ${hash}; add it to the page's script-src`,
  },
  {
    title: 'only default-src', fact: 'policy_script', policy: `default-src 'self' 'wasm-unsafe-eval' blob:`,
    says: `there is no script-src, and default-src lacks ${hash}; add script-src with ${hash} to the page's policy`,
  },
  {
    title: 'worker-src without blob:', fact: 'policy_worker', policy: `${script} ${hash}; worker-src 'self'`,
    says: "worker-src lacks blob:; add it to the page's worker-src",
  },
  {
    title: 'child-src in the place of worker-src', fact: 'policy_worker', policy: `${script} ${hash}; child-src 'self'`,
    says: "there is no worker-src, and child-src lacks blob:; add worker-src with blob: to the page's policy",
  },
  {
    title: 'script-src in the place of worker-src', fact: 'policy_worker', policy: `${script} ${hash}`,
    says: "there is no worker-src, and script-src lacks blob:; add worker-src with blob: to the page's policy",
  },
  {
    title: 'Trusted Types', fact: 'policy_trusted_types', policy: `${hostPolicy()}; require-trusted-types-for 'script'`,
    says: "require-trusted-types-for 'script' lets no text become a frame; leave it out, or load with sandbox: { page: … }",
  },
];

for (const { title, policy, says, fact } of cases) {
  test(`a page with ${title} is told within two seconds what blocks the sandbox and what to add`, async ({ page, site }) => {
    await open(page, site.under(policy));
    const { code, message, ms } = await refused(page);
    expect({ code, message }).toEqual({ code: 'unavailable', message: expect.stringContaining(`the page's policy blocks it: ${says}`) });
    expect(ms).toBeLessThan(2000);
    const facts = await environment(page);
    expect(facts['sandbox_frame']!.ok && facts['sandbox_worker']!.ok).toBe(false);
    expect(facts[fact]).toMatchObject({ ok: false, detail: expect.any(String), advice: expect.any(String) });
    expect(says).toBe(`${facts[fact]!.detail}; ${facts[fact]!.advice}`);
    for (const other of ['policy_script', 'policy_worker', 'policy_trusted_types', 'policy_frame'].filter((id) => id !== fact)) {
      expect(facts[other], other).toMatchObject({ ok: true });
    }
  });
}

test('two policies that block two things are both told, and a report-only one is not blamed', async ({ page, site }) => {
  await open(page, site.page({
    'content-security-policy': `${script}; worker-src blob:, worker-src 'none'`,
    'content-security-policy-report-only': "script-src-elem 'none'",
  }));
  const { message } = await refused(page);
  expect(message).toContain(`script-src lacks ${hash}; add it to the page's script-src; and worker-src lacks blob:; add it to the page's worker-src`);
  expect(message).not.toContain('script-src-elem');
});

test('a policy in a meta element is told as one in a header', async ({ page, site }) => {
  await open(page, site.page({}, `<meta http-equiv="Content-Security-Policy" content="${script}; worker-src blob:">`));
  expect((await refused(page)).message).toContain(`script-src lacks ${hash}`);
});

test('a page that blocks WebAssembly, or the program, is told so by the loader', async ({ page, site }) => {
  await open(page, site.under(`script-src 'self' ${hash}; worker-src blob:`));
  expect(await page.evaluate(() => harness.refusal(() => harness.load()))).toMatchObject({
    code: 'unavailable', message: expect.stringContaining("the page's policy blocks it: script-src lacks 'wasm-unsafe-eval'; add it to the page's script-src"),
  });
  await open(page, site.under(hostPolicy().replace("connect-src 'self' https:", "connect-src 'none'")));
  expect(await page.evaluate(() => harness.refusal(() => harness.load()))).toMatchObject({
    code: 'unavailable', message: expect.stringContaining('the page\'s policy blocks it: connect-src does not admit http'),
  });
  expect(await page.evaluate(() => harness.refusal(() => harness.load({ wasmURL: '/missing.wasm' })))).toMatchObject({ code: 'unavailable' });
});

test('a slow start is not taken for a policy that blocks, nor from the time of the call: what is tried is refused, and the frame is admitted', async ({ page, site }) => {
  // The port reaches the frame late, so that it is silent for longer than the wall's patience.
  await open(page, site.under(hostPolicy()));
  const record = await page.evaluate(async () => {
    const heard: string[] = [];
    document.addEventListener('securitypolicyviolation', (event) => heard.push(event.effectiveDirective));
    await harness.load({ limits: { callMs: 1000 } });
    const descriptor = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, 'contentWindow')!;
    Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', {
      ...descriptor,
      get(this: HTMLIFrameElement) {
        const window = descriptor.get!.call(this) as Window;
        return { postMessage: (...args: [unknown, string, Transferable[]]) => void setTimeout(() => window.postMessage(...args), 1500) };
      },
    });
    return { record: await harness.run('() => 1'), heard };
  });
  expect(record.record).toMatchObject({ outcome: 'ok', result: 1 });
  expect(record.heard, 'the page was asked meanwhile').toContain('script-src-elem');
});

/** What an install is refused with where the frame finds another Worker than the browser's. */
async function without(page: Page, site: PolicySite, worker: string): Promise<Refusal & { readonly ms: number }> {
  await open(page, site.page({}));
  const frame = `globalThis.Worker = ${worker};\n${readFileSync('sandboxhost/bootstrap/dist/frame.js', 'utf8')}`;
  return page.evaluate(async (frame) => {
    Object.assign(globalThis, { taskyonFrame: frame });
    await harness.load({ wasmURL: '/taskyon-controls.wasm', limits: { startMs: 1500 } });
    const began = performance.now();
    const refusal = await harness.refusal(() => harness.install('() => 1'));
    return { ...refusal, ms: performance.now() - began };
  }, frame);
}

for (const { title, worker, says, within } of [
  {
    title: 'refuses workers to frames', within: 2000, says: 'SecurityError: not here; this browser is not supported',
    worker: `class { constructor() { throw new DOMException('not here', 'SecurityError') } }`,
  },
  {
    title: 'lets a worker fail without a word', within: 2000, says: 'the engine gives no reason; this browser is not supported',
    worker: `class extends EventTarget { constructor() { super(); setTimeout(() => this.onerror(new ErrorEvent('error')), 10) } }`,
  },
  { title: 'never lets a worker stand', within: 4000, says: 'did not start within 1.5s', worker: 'class { postMessage() {} }' },
]) {
  test(`a browser that ${title} is an error within ${within / 1000} seconds that says so`, async ({ page, site }) => {
    const { code, message, ms } = await without(page, site, worker);
    expect({ code, message }).toEqual({ code: 'unavailable', message: expect.stringContaining(says) });
    expect(ms).toBeLessThan(within);
  });
}

test('on a page under the documented policy every fact that a sandbox needs is true', async ({ page, site }) => {
  await open(page, site.under(hostPolicy()));
  await page.evaluate(() => harness.load({ store: 'indexeddb' }));
  const facts = await environment(page);
  expect(Object.keys(facts)).toEqual([
    'secure_context', 'wasm', 'sandbox_kind', 'sandbox_frame', 'sandbox_worker', 'sandbox_crypto', 'policy_script', 'policy_worker', 'policy_trusted_types',
    'policy_frame', 'store', 'indexeddb', 'storage_persisted', 'broadcast_channel', 'cross_origin_isolated', 'version',
  ]);
  for (const [id, { ok, advice }] of Object.entries(facts)) {
    if (id === 'storage_persisted' || id === 'cross_origin_isolated') continue;
    expect(ok, id).toBe(true);
    expect(advice, id).toBeUndefined();
  }
  expect(facts['cross_origin_isolated']!.ok).toBe(false);
  expect(facts['store']!.detail).toContain('indexeddb');
  expect(facts['sandbox_kind']!.detail).toContain('srcdoc');
  expect(facts['version']!.detail).toContain(hash.slice(1, -1));
  expect(await page.locator('iframe').count(), 'what was tried is gone').toBe(0);
  expect(await page.locator('script').count()).toBe(1);
});

test('an isolated page and one with an opaque origin are told what they have, and tools run in both', async ({ page, site }) => {
  await open(page, site.page({ 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' }));
  await page.evaluate(() => harness.load());
  expect(await environment(page)).toMatchObject({ cross_origin_isolated: { ok: true }, sandbox_worker: { ok: true } });
  expect(await page.evaluate(() => harness.run('() => 1'))).toMatchObject({ result: 1 });

  await open(page, site.under('sandbox allow-scripts'));
  await page.evaluate(() => harness.load({ store: 'indexeddb' }));
  const facts = await environment(page);
  expect(facts).toMatchObject({ store: { ok: false, detail: expect.stringContaining('memory') }, indexeddb: { ok: false }, sandbox_worker: { ok: true } });
  expect(await page.evaluate(() => harness.run('() => 1'))).toMatchObject({ result: 1 });
});
