import { execFileSync } from 'node:child_process';
import { test, expect } from './fixtures.js';
import type { Page } from '@playwright/test';
import type { Canary } from './canary.js';
import { escape } from './escape.js';

async function escapeFrom(page: Page, canary: Canary): Promise<unknown> {
  return page.evaluate(([code, url]) => harness.run(code, { url }), [escape, canary.origin] as const);
}

/** The guards that the core itself has, by what its contracts say. */
function guardsOfTheCore(): string[] {
  const text = execFileSync('go', ['run', './internal/contracts'], { encoding: 'utf8' });
  const { guards } = JSON.parse(text) as { guards: { name: string; kind: string }[] };
  const names = guards.filter(({ kind }) => kind === 'core').map(({ name }) => name);
  expect(names.length).toBeGreaterThan(25);
  return names;
}

test('no request of a tool reaches the network', async ({ host, canary }) => {
  const record = await escapeFrom(host, canary);
  expect(record).toMatchObject({ outcome: 'ok' });
  expect(canary.hits).toEqual([]);
});

test('no request of a tool reaches the network from a page that has no policy of its own', async ({ page, canary }) => {
  await page.goto(`${canary.origin}/open/blank.html`);
  await page.waitForFunction(() => 'harness' in globalThis);
  await page.evaluate(() => harness.load({ wasmURL: '/open/taskyon.wasm' }));
  expect(await escapeFrom(page, canary)).toMatchObject({ outcome: 'ok' });
  expect(canary.hits).toEqual([]);
});

test('positive control: with the frame policy off and the engine\'s own fetch, the same tool reaches the canary', async ({ page, canary }) => {
  await page.goto(`${canary.origin}/open/blank.html`);
  await page.waitForFunction(() => 'harness' in globalThis);
  await page.evaluate(async () => {
    const taskyonFrame = await (await fetch('/open/frames/frame-own-fetch.js')).text();
    Object.assign(globalThis, { taskyonGuardsOff: ['frame-policy'], taskyonFrame });
    return harness.load({ wasmURL: '/open/taskyon-controls.wasm' });
  });
  expect(await escapeFrom(page, canary)).toMatchObject({ outcome: 'ok', result: { fetch: 'went' } });
  expect(canary.hits).toEqual(expect.arrayContaining(['GET /fetch', 'POST /no-cors']));
});

/**
 * The same frame and the same policy, with a worker in it that has all of its names: what is asked here is the policy alone, since
 * most of these ways are taken from a tool before the policy is asked.
 */
async function escapeByPolicyAlone(page: Page, canary: Canary, guarded: boolean): Promise<{ [way: string]: string }> {
  await page.goto(`${canary.origin}/open/blank.html`);
  await page.waitForFunction(() => 'harness' in globalThis);
  return page.evaluate(
    async ([escape, url, guarded]) => {
      await harness.load({ wasmURL: '/open/taskyon.wasm' });
      await harness.run('() => 1');
      const ours = [...document.querySelectorAll('iframe')].at(-1)!;
      const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(ours.srcdoc)![1]!;
      const worker = `(${escape})({ url: ${JSON.stringify(url)} }).then(postMessage)`;
      const script = `const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(worker)}], { type: 'text/javascript' })));
        worker.onmessage = ({ data }) => parent.postMessage(data, '*')`;
      const hash = btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(script)))));
      const own = policy.replace(/'sha256-[^']*'/, `'sha256-${hash}'`);
      const frame = document.createElement('iframe');
      frame.setAttribute('sandbox', 'allow-scripts');
      frame.srcdoc = `<!doctype html><head>${guarded ? `<meta http-equiv="Content-Security-Policy" content="${own}">` : ''}</head><body><script>${script}</script></body>`;
      const told = new Promise<{ [way: string]: string }>((done) => addEventListener('message', (event) => done(event.data as { [way: string]: string }), { once: true }));
      document.body.append(frame);
      return told;
    },
    [escape, canary.origin, guarded] as const,
  );
}

test('the policy alone keeps a worker with all of its names from the network', async ({ page, canary }) => {
  const heard = await escapeByPolicyAlone(page, canary, true);
  expect(heard).toMatchObject({ fetch: 'TypeError' });
  expect(canary.hits).toEqual([]);
});

test('positive control: without the policy the same worker reaches the network in every way that a browser has', async ({ page, canary }) => {
  const heard = await escapeByPolicyAlone(page, canary, false);
  expect(heard).toMatchObject({ fetch: 'went', xhr: 'went' });
  for (const way of ['GET /fetch', 'POST /no-cors', 'GET /xhr', 'GET /sync-xhr', 'UPGRADE /websocket', 'GET /eventsource', 'GET /importScripts', 'GET /font']) {
    expect.soft(canary.hits).toContain(way);
  }
});

test('the shipped engine has no switch that turns a guard off', async ({ page, canary }) => {
  await page.goto(`${canary.origin}/open/blank.html`);
  await page.waitForFunction(() => 'harness' in globalThis);
  await page.evaluate(() => {
    Object.assign(globalThis, { taskyonGuardsOff: ['frame-policy'], taskyonFrame: 'parent.postMessage("mine", "*")' });
    return harness.load({ wasmURL: '/open/taskyon.wasm' });
  });
  expect(await escapeFrom(page, canary)).toMatchObject({ outcome: 'ok' });
  expect(canary.hits).toEqual([]);
  const wasm = await page.evaluate(async () => new TextDecoder('latin1').decode(await (await fetch('/open/taskyon.wasm')).arrayBuffer()));
  const controls = await page.evaluate(async () => new TextDecoder('latin1').decode(await (await fetch('/open/taskyon-controls.wasm')).arrayBuffer()));
  for (const name of ['taskyonGuardsOff', 'taskyonFrame', ...guardsOfTheCore()]) {
    expect(wasm).not.toContain(name);
    expect(controls).toContain(name);
  }
});

test('a tool lives in an opaque worker: no document, no parent, no storage, no way to evaluate text', async ({ run }) => {
  const { result } = await run(`async () => {
    const probe = async (f) => { try { const v = await f(); return typeof v } catch (e) { return e.name } };
    return {
      origin: self.origin, document: typeof document, window: typeof window, parent: typeof parent,
      localStorage: await probe(() => localStorage.length), cookie: await probe(() => document.cookie),
      indexedDB: await probe(() => new Promise((ok, no) => { const r = indexedDB.open('x'); r.onsuccess = ok; r.onerror = () => no(r.error) })),
      caches: await probe(() => caches.open('x')), opfs: await probe(() => navigator.storage.getDirectory()),
      eval: await probe(() => (0, eval)('1')), Function: await probe(() => new Function('return 1')()),
      constructor: await probe(() => (async () => {}).constructor('return 1')()),
      removed: ['Worker', 'SharedWorker', 'BroadcastChannel', 'importScripts', 'postMessage', 'close'].filter((name) => name in self),
    };
  }`);
  expect(result).toMatchObject({ origin: 'null', document: 'undefined', window: 'undefined', parent: 'undefined', removed: [] });
  for (const [what, seen] of Object.entries(result as { [what: string]: string })) {
    if (['localStorage', 'cookie', 'indexedDB', 'caches', 'opfs', 'eval', 'Function', 'constructor'].includes(what)) {
      expect(seen, what).toMatch(/Error$/);
    }
  }
});

test('the worst a tool can do with forged messages is falsify its own call', async ({ run, host }) => {
  const record = await run(`async () => {
    const shout = (f) => { try { f() } catch {} };
    const proto = Object.getPrototypeOf(Object.getPrototypeOf(self));
    const posts = [self.postMessage, proto && proto.postMessage, globalThis.DedicatedWorkerGlobalScope?.prototype.postMessage, MessagePort.prototype.postMessage];
    const words = [];
    for (let id = 0; id <= 100; id++) for (const kind of ['result', 'log', 'ask', 'ready', 'crashed', 'pong', 'nonsense'])
      words.push({ kind, call: id, value: 'forged', lines: [{ level: 'error', text: 'forged' }], ask: 1, capability: 'fetch', params: {}, tool: 'tool:b3:' + '0'.repeat(64) });
    words.push(null, 'x'.repeat(10 << 20), { get kind() { throw 1 } }, { kind: 'result', call: '1' }, { kind: 'result', call: null });
    for (const post of posts) for (const word of words) {
      shout(() => post.call(self, word)); shout(() => post.call(self, { text: JSON.stringify(word), blobs: [] }));
    }
    self.onmessage = () => { throw new Error('mine') };
    shout(() => close());
    await new Promise((r) => setTimeout(r, 50));
    return 'real';
  }`);
  expect(['ok', 'flooded', 'crashed']).toContain(record.outcome);
  if (record.outcome === 'ok') expect(record.result).toBe('real');
  expect(JSON.stringify(record)).not.toContain('forged');
  expect(await host.evaluate(() => harness.run('() => 1'))).toMatchObject({ outcome: 'ok', result: 1 });
});

test('a tool that patches every primordial it can reach does not break its next call', async ({ host }) => {
  const records = await host.evaluate(async () => {
    const revision = await harness.install(`({ patch, n }) => {
      if (patch) {
        const lie = () => { throw new Error('patched') };
        for (const target of [JSON, Object, Reflect, Array.prototype, Promise.prototype, Map.prototype, Set.prototype, String.prototype, RegExp.prototype,
          Function.prototype, Object.prototype, MessagePort.prototype, EventTarget.prototype, MessageEvent.prototype, Error, Symbol, Math])
          for (const key of Reflect.ownKeys(target)) if (key !== 'constructor' && key !== '__proto__')
            try { Object.defineProperty(target, key, { value: lie, configurable: true, writable: true }) } catch {}
      }
      console.log('hello', { n });
      return { n };
    }`);
    return [await harness.runRevision(revision, { patch: true, n: 1 }), await harness.runRevision(revision, { n: 2 }), await harness.run('() => [1].map((n) => n + 1)')];
  });
  expect(records[1]).toMatchObject({ outcome: 'ok', result: { n: 2 } });
  expect(records[2]).toMatchObject({ outcome: 'ok', result: [2] });
});

test('every frame is opaque, hidden, granted nothing, and a frame that loads again is a crash', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const revision = await harness.install('({ wait }) => wait ? new Promise(() => {}) : 1');
    await harness.runRevision(revision, {});
    const frame = [...document.querySelectorAll('iframe')].at(-1)!;
    const attributes = Object.fromEntries(frame.getAttributeNames().filter((name) => name !== 'srcdoc').map((name) => [name, frame.getAttribute(name)]));
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(frame.srcdoc)?.[1];
    const running = harness.runRevision(revision, { wait: true });
    while ((await ty.sandboxes.list())[0]?.phase !== 'running') await new Promise((done) => setTimeout(done, 5));
    frame.srcdoc = '<script>parent.postMessage("mine", "*")</script>';
    return { attributes, policy, record: await running, next: (await harness.runRevision(revision, {})).result };
  });
  expect(seen.attributes).toMatchObject({ sandbox: 'allow-scripts', allow: '', referrerpolicy: 'no-referrer', hidden: '', inert: '' });
  expect(seen.policy).toMatch(
    /^default-src 'none'; script-src 'sha256-[A-Za-z0-9+/=]+' 'wasm-unsafe-eval'; worker-src blob:; frame-src 'none'; form-action 'none'; base-uri 'none'; webrtc 'block'$/,
  );
  expect(seen.record).toMatchObject({ outcome: 'crashed', started: true });
  expect(seen.next).toBe(1);
});

test('the page is served with the host policy, word for word', async ({ request }) => {
  for (const path of ['/', '/blank.html', '/taskyon.js', '/nothing']) {
    const response = await request.get(path);
    expect(response.headers()['content-security-policy'], path).toMatch(
      /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval' 'sha256-[A-Za-z0-9+/=]+'; worker-src blob:; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self' https:; frame-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'$/,
    );
  }
});

test('a flood of asks ends the sandbox as flooded and not the page', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const revision = await harness.install('async ({ flood }, { resolveInvocation }) => { while (flood) { resolveInvocation("x").catch(() => {}); await null } }');
    const { value, longest } = await harness.longestGap(() => harness.runRevision(revision, { flood: true }), 250, () => harness.runRevision(revision, {}));
    return { value, longest, next: (await harness.run('() => 1')).result };
  });
  expect(seen.value).toMatchObject({ outcome: 'flooded', started: true });
  expect(seen.longest).toBeLessThan(250);
  expect(seen.next).toBe(1);
});

test('progress told in a tight loop is coalesced: an honest tool is not taken for a flood', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const revision = await harness.install('async ({ flood }, { progress }) => { for (let i = 0; flood && i < 1e5; i++) progress(i / 1e5, "step " + i); return "done" }');
    return harness.longestGap(() => harness.runRevision(revision, { flood: true }), 250, () => harness.runRevision(revision, {}));
  });
  expect(seen.value).toMatchObject({ outcome: 'ok', result: 'done' });
  expect(seen.longest).toBeLessThan(250);
});

test('what a tool gets and gives is what was hashed, whatever its keys are', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const args = { $path: '/safe', $$path: '/etc/passwd', $$$path: 3, n: 1, $: 0, $$: 1 };
    const revision = await harness.install('(args) => ({ args, text: JSON.stringify(args), $a: 1, $$a: 2, $$$a: 3 })');
    return { args, record: await harness.runRevision(revision, args) };
  });
  expect(seen.record.result).toEqual({ args: seen.args, text: expect.any(String), $a: 1, $$a: 2, $$$a: 3 });
  expect(JSON.parse((seen.record.result as { text: string }).text)).toEqual(seen.args);
});

test('a schema that nests without end, and a value that goes down it, do not end the engine', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const chain = (n: number, last: object): { [name: string]: object } => {
      const defs: { [name: string]: object } = {};
      for (let i = 0; i < n; i++) defs[`a${i}`] = { $ref: `#/$defs/a${i + 1}` };
      return { ...defs, [`a${n}`]: last };
    };
    const nested = (n: number): unknown => (n === 0 ? 1 : [nested(n - 1)]);
    const told: string[] = [];
    for (const n of [30, 120, 250, 400, 5000]) {
      const parameters = { type: 'object', $defs: chain(n, { items: { $ref: '#/$defs/a0' } }), properties: { v: { $ref: '#/$defs/a0' } } };
      try {
        const revision = await ty.tools.install({ name: `deep-${n}`, description: '', parameters: parameters as never, code: '({ v }) => v' }, { activate: true });
        told.push((await harness.runRevision(revision, { v: nested(55) })).outcome);
      } catch (error) {
        told.push((error as { code: string }).code);
      }
    }
    return { told, alive: (await harness.run('() => 1')).result };
  });
  for (const told of seen.told) expect(['ok', 'invalid_schema', 'too_large', 'invalid_arguments']).toContain(told);
  expect(seen.alive).toBe(1);
});
