import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, expect, test as base, type Page } from '@playwright/test';
import type { EnvironmentFact, LoadOptions, Taskyon, TaskRecord } from '../wasm/loader/taskyon.js';
import { framePolicy } from './policysite.js';

declare global {
  var loadTaskyon: (options?: LoadOptions) => Promise<Taskyon>;
  var attempt: (sandbox?: LoadOptions['sandbox']) => Promise<{ record?: TaskRecord; refusal?: string; facts: readonly EnvironmentFact[] }>;
  var sandboxPage: string;
}

/** The packed extension of docs/embedding.md, with a page that loads an engine. */
async function pack(dir: string): Promise<void> {
  for (const name of ['taskyon.js', 'taskyon.wasm', 'sandbox.html']) await copyFile(join('build/site', name), join(dir, name));
  await writeFile(join(dir, 'manifest.json'), JSON.stringify({
    manifest_version: 3, name: 'host', version: '1',
    background: { service_worker: 'background.js' },
    sandbox: { pages: ['sandbox.html'] },
    content_security_policy: {
      extension_pages: "script-src 'self' 'wasm-unsafe-eval'; object-src 'none'",
      sandbox: framePolicy().replace("; frame-ancestors 'self'", ''),
    },
  }));
  await writeFile(join(dir, 'background.js'), '');
  await writeFile(join(dir, 'host.html'), '<!doctype html><title>host</title><script type="module" src="host.js"></script>');
  await writeFile(join(dir, 'host.js'), `
    import { loadTaskyon } from './taskyon.js';
    globalThis.sandboxPage = chrome.runtime.getURL('sandbox.html');
    globalThis.loadTaskyon = loadTaskyon;
    globalThis.attempt = async (sandbox) => {
      const ty = await loadTaskyon({ sandbox });
      try {
        const code = "async () => ({ origin: self.origin, chrome: typeof chrome, browser: typeof browser, digest: (await crypto.subtle.digest('SHA-256', new Uint8Array())).byteLength })";
        const revision = await ty.tools.install({ name: 'probe', description: '', code }, { activate: true });
        const task = await ty.tasks.compile({ role: 'function', content: { functionCall: { name: 'probe', arguments: {} } } });
        return { record: await ty.tasks.run(task), facts: await ty.diagnostics.environment() };
      } catch (error) {
        return { refusal: error.code + ': ' + error.message, facts: await ty.diagnostics.environment() };
      } finally {
        await ty.close();
      }
    };`);
}

const test = base.extend<{ readonly host: Page }>({
  host: async ({}, use) => {
    const dir = await mkdtemp(join(tmpdir(), 'extension-'));
    await pack(dir);
    const context = await chromium.launchPersistentContext('', {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      ignoreDefaultArgs: ['--disable-extensions'],
      args: [
        '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync',
        `--disable-extensions-except=${dir}`, `--load-extension=${dir}`, '--disable-features=DisableLoadExtensionCommandLineSwitch',
      ],
    });
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    const page = await context.newPage();
    await page.goto(new URL('/host.html', worker.url()).href);
    await page.waitForFunction(() => 'attempt' in globalThis);
    await use(page);
    await context.close();
    await rm(dir, { recursive: true, force: true });
  },
});

test('in an extension the sandbox is its sandbox page, opaque and without a way to the extension', async ({ host }) => {
  const { record, facts, refusal } = await host.evaluate(() => attempt({ page: sandboxPage }));
  expect(refusal).toBeUndefined();
  expect(record).toMatchObject({ outcome: 'ok', result: { origin: 'null', chrome: 'undefined', browser: 'undefined', digest: 32 } });
  expect(facts.filter(({ ok }) => !ok).map(({ id }) => id)).toEqual(['storage_persisted', 'cross_origin_isolated']);
});

test('a frame without an address is refused in an extension at once, by what its policy lacks', async ({ host }) => {
  const { seen, ms } = await host.evaluate(async () => {
    const began = performance.now();
    const seen = await attempt();
    return { seen, ms: performance.now() - began };
  });
  expect(seen.record).toBeUndefined();
  expect(seen.refusal).toMatch(/^unavailable: .*the page's policy blocks it: script-src lacks 'sha256-/);
  // The facts take a trial of their own.
  expect(ms).toBeLessThan(5000);
});

/** Runs a tool that waits, in an engine of a window's own. */
async function waiting(window: Page, ms: number): Promise<TaskRecord> {
  return window.evaluate(async (ms) => {
    const ty = await loadTaskyon({ sandbox: { page: sandboxPage }, store: 'indexeddb' });
    const code = 'let calls = 0; export default ({ ms }) => new Promise((done) => { calls++; setTimeout(() => done(calls), ms) })';
    const revision = await ty.tools.install({ name: 'waiting', description: '', code }, { activate: true });
    const task = await ty.tasks.compile({ role: 'function', content: { functionCall: { name: 'waiting', arguments: { ms } } } });
    const record = ty.tasks.run(task);
    while (!(await ty.sandboxes.list()).some(({ revision: id, phase }) => id === revision.id && phase === 'running')) await new Promise((done) => setTimeout(done, 5));
    Object.assign(globalThis, { running: true });
    return record;
  }, ms);
}

test('a call outlives the service worker of its extension, and another window of it, and runs once', async ({ host }) => {
  const context = host.context();
  const [worker] = context.serviceWorkers();
  const other = await context.newPage();
  await other.goto(host.url());
  await other.waitForFunction(() => 'attempt' in globalThis);
  const record = waiting(host, 4000);
  void waiting(other, 60_000).catch(() => {});
  for (const window of [host, other]) await window.waitForFunction(() => 'running' in globalThis);
  // The browser says of each worker whether it runs.
  const session = await context.newCDPSession(host);
  const stopped = new Promise<void>((done) => {
    session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      if (versions.some(({ scriptURL, runningStatus }) => scriptURL === worker!.url() && runningStatus === 'stopped')) done();
    });
  });
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.stopAllWorkers');
  await stopped;
  await other.close();
  expect(await record).toMatchObject({ outcome: 'ok', result: 1 });
  await host.reload();
  await host.waitForFunction(() => 'attempt' in globalThis);
  expect(await waiting(host, 100), 'nothing is made up for').toMatchObject({ outcome: 'ok', result: 1 });
});
