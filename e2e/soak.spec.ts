import type { Page } from '@playwright/test';
import { test as base, expect } from './fixtures.js';

/** What an engine holds of its page. */
interface Count {
  readonly channels: number;
  readonly urls: number;
  readonly listeners: number;
  readonly frames: number;
  readonly functions: number;
  readonly values: number;
  /** In use after a collection of garbage, and what the engine has taken of memory, which never falls. */
  readonly goMiB: number;
  readonly wasmMiB: number;
}

/** The same with what Chromium counts by itself, after it has collected its garbage. */
interface Census extends Count {
  readonly heapMiB: number;
  readonly documents: number;
  readonly nodes: number;
}

declare global {
  var census: { take(): Promise<Count> };
}

const test = base.extend({
  page: async ({ page }, use) => {
    await page.addInitScript({ path: 'e2e/pages/census.js' });
    await use(page);
  },
});

const rounds = 200;
const third = Math.round(rounds / 3);

/** Counts while nothing but the syntax checker is open: what belongs to sandboxes must have gone with them. */
async function taken(host: Page): Promise<Census> {
  await host.evaluate(async () => {
    await ty.sandboxes.clear();
    await harness.refusal(() => harness.install('() => (', { name: 'refused' }));
    if ((await ty.sandboxes.warm()) !== 0 || (await ty.sandboxes.list()).length !== 0) throw new Error('a sandbox is open');
  });
  const own = await host.evaluate(() => census.take());
  const session = await host.context().newCDPSession(host);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  const metric = (name: string) => metrics.find((one) => one.name === name)?.value ?? NaN;
  return { ...own, heapMiB: metric('JSHeapUsedSize') / 2 ** 20, documents: metric('Documents'), nodes: metric('Nodes') };
}

const show = (name: string, one: Census) =>
  console.log(`  ${name}: ${Object.entries(one).map(([key, value]) => `${key} ${Number.isInteger(value) ? value : (value as number).toFixed(1)}`).join(', ')}`);

test('2,000 calls, 200 sandboxes and 200 aborts leave nothing behind', async ({ host }) => {
  test.setTimeout(180_000);
  await host.evaluate(async () => {
    await ty.close();
    await harness.load({ store: 'memory', limits: { restartsPerMinute: 100_000 } });
    const echo = await harness.install('({ text, blank }) => text + blank');
    const cycled = await harness.install('({ id }) => id');
    const waiting = await harness.install('({ loop }) => { while (loop); return new Promise(() => {}) }');
    // Tasks are kept for good, records up to a bound: so the same tasks run again and again, first, in the rounds before 0, until there
    // are as many records as are kept.
    const texts = Array.from({ length: 8 }, (_, i) => String(i).repeat(100 << 10));
    const tasks = await Promise.all(texts.map((text) => harness.compile(echo, { text, blank: '' })));
    const cycle = await harness.compile(cycled, { id: 1 });
    const waits = await harness.compile(waiting, {});
    const loops = await harness.compile(waiting, { loop: true });
    const must = (ok: boolean, record: object) => {
      if (!ok) throw new Error(JSON.stringify(record).slice(0, 500));
    };
    const round = async (n: number) => {
      const calls = async () => {
        for (let i = 0; i < 10; i++) {
          const which = (n + i + 80) % 8;
          const record = await ty.tasks.run(tasks[which]!, { onLog: () => {} });
          must(record.outcome === 'ok' && record.result === texts[which], record);
        }
      };
      const made = async () => {
        const partition = `round-${n}`;
        const record = await ty.tasks.run(cycle, n % 2 === 0 ? { disposable: true } : { partition });
        must(record.outcome === 'ok', record);
        await ty.sandboxes.terminate(cycled, { partition });
      };
      if (n < 0) return calls();
      // Every tenth abort ends a loop, every other one a call that waits; one in four comes before the call has begun.
      const aborted = async () => {
        const controller = new AbortController();
        const running = ty.tasks.run(n % 10 === 0 ? loops : waits, { signal: controller.signal });
        if (n % 4 !== 3) while (!(await ty.sandboxes.list()).some(({ revision, phase }) => revision === waiting.id && phase === 'running')) await new Promise((done) => setTimeout(done, 5));
        controller.abort();
        must((await running).outcome === 'aborted', await running);
      };
      await Promise.all([calls(), made(), aborted()]);
    };
    Object.assign(globalThis, { round });
  });
  const seen: Census[] = [];
  for (let n = -80; n < rounds; n++) {
    await host.evaluate((n) => (globalThis as unknown as { round: (n: number) => Promise<void> }).round(n), n);
    if (n + 1 === third || n + 1 === 2 * third || n + 1 === rounds) {
      seen.push(await taken(host));
      show(`after ${n + 1} rounds`, seen.at(-1)!);
    }
  }
  const [warm, , end] = seen as [Census, Census, Census];
  for (const name of ['channels', 'urls', 'listeners', 'frames'] as const) expect(end[name], name).toBe(warm[name]);
  // One for each sandbox or each abort would be 133 more.
  for (const name of ['functions', 'values'] as const) expect(end[name], `${name} that Go holds`).toBeLessThanOrEqual(warm[name] + 40);
  expect(end.documents, 'documents').toBeLessThanOrEqual(warm.documents + 5);
  expect(end.nodes, 'nodes').toBeLessThanOrEqual(warm.nodes + 100);
  expect(end.goMiB, 'heap of the engine').toBeLessThanOrEqual(warm.goMiB * 1.1 + 2);
  expect(end.wasmMiB, 'memory of the engine').toBeLessThanOrEqual(warm.wasmMiB * 1.15);
  expect(end.heapMiB, 'heap of the page').toBeLessThanOrEqual(warm.heapMiB * 1.1 + 1);
});

test('a census sees what is left behind', async ({ host }) => {
  test.setTimeout(120_000);
  const seen = await host.evaluate(async () => {
    await ty.close();
    Object.assign(globalThis, { taskyonGuardsOff: ['frame-removal'] });
    await harness.load({ store: 'memory', wasmURL: '/taskyon-controls.wasm', limits: { warm: 0, prepared: 0 } } as never);
    const revision = await harness.install('() => 1');
    const cycles = async (count: number) => {
      for (let i = 0; i < count; i++) await harness.runRevision(revision, {}, { disposable: true });
    };
    await cycles(1);
    const counts = [await census.take()];
    await cycles(5);
    counts.push(await census.take());
    const kept = { channel: new MessageChannel(), url: URL.createObjectURL(new Blob(['x'])), heard: () => {} };
    addEventListener('x', kept.heard);
    counts.push(await census.take());
    kept.channel.port1.close();
    URL.revokeObjectURL(kept.url);
    removeEventListener('x', kept.heard);
    counts.push(await census.take());
    // A registration holds a function of the page, a task is kept by the engine.
    for (let i = 0; i < 30; i++) await harness.native(() => i, { name: `native-${i}` });
    for (let i = 0; i < 64; i++) await ty.tasks.compile({ role: 'user', content: { message: `${i} ${'x'.repeat(1 << 20)}` } });
    counts.push(await census.take());
    return counts;
  });
  const [before, frames, held, released, kept] = seen as [Count, Count, Count, Count, Count];
  expect(frames.frames).toBeGreaterThanOrEqual(before.frames + 5);
  expect(held).toMatchObject({ channels: frames.channels + 1, urls: frames.urls + 1, listeners: frames.listeners + 1 });
  expect(released).toMatchObject({ channels: frames.channels, urls: frames.urls, listeners: frames.listeners });
  expect(kept.goMiB).toBeGreaterThan(before.goMiB + 50);
  expect(kept.wasmMiB).toBeGreaterThan(before.wasmMiB * 1.3);
});
