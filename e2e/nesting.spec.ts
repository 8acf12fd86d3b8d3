import { test, expect } from './fixtures.js';

// Calls that a page makes while it hears of other calls.

test('calls made and awaited in listeners, in handlers of clicks, in reactions of promises and of the same revision all settle', async ({ host }) => {
  await host.evaluate(async () => {
    const inner = await harness.install('({ n }) => n * 2', { name: 'inner' });
    const outer = await harness.install(
      'async ({ quiet }, { progress }) => { if (quiet) return "again"; console.log("now"); progress(0.5); await new Promise((r) => setTimeout(r, 150)); return "outer" }', { name: 'outer' });
    const twice = async (n: number) => (await harness.runRevision(inner, { n })).result as number;
    const heard: { [where: string]: unknown } = {};
    const waiting: Promise<void>[] = [];
    const hear = (where: string, f: () => Promise<unknown>) => void waiting.push(f().then((value) => void (heard[where] = value)));
    const record = harness.runRevision(outer, {}, {
      onLog: () => hear('log', async () => [await twice(1), await twice(2)]),
      onProgress: () => hear('progress', async () => (await harness.runRevision(outer, { quiet: true })).result),
    });
    hear('then', () => record.then(async ({ result }) => [result, await twice(3), (await Promise.all([twice(4), twice(5)])).join()]));
    const button = Object.assign(document.createElement('button'), { textContent: 'call' });
    button.addEventListener('click', () => hear('click', async () => [await twice(6), await twice(7)]));
    document.body.append(button);
    Object.assign(globalThis, { heard, waiting, record });
  });
  await host.getByRole('button', { name: 'call' }).click();
  const seen = await host.evaluate(async () => {
    const { heard, waiting, record } = globalThis as unknown as { heard: object; waiting: Promise<void>[]; record: Promise<unknown> };
    await record;
    await Promise.all(waiting);
    return heard;
  });
  expect(seen).toEqual({ log: [2, 4], progress: 'again', then: ['outer', 6, '8,10'], click: [12, 14] });
});

test('a listener that throws misses nothing else and harms no run', async ({ page }) => {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto('/blank.html');
  await page.waitForFunction(() => 'harness' in globalThis);
  const seen = await page.evaluate(async () => {
    await harness.load();
    const lines: string[] = [];
    const revision = await harness.install('() => { for (let i = 0; i < 100; i++) console.log(i); return "done" }');
    const record = await harness.runRevision(revision, {}, {
      onLog: ({ text }) => {
        lines.push(text);
        if (+text % 50 === 20) throw new Error(`mine ${text}`);
      },
    });
    return { result: record.result, lines: lines.map(Number), next: (await harness.run('() => 1')).result };
  });
  expect(seen).toEqual({ result: 'done', lines: Array.from({ length: 100 }, (_, i) => i), next: 1 });
  expect(errors).toEqual(['mine 20', 'mine 70']);
});

test('twenty sandboxes that start at once each answer and log to their own caller', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    await ty.close();
    await harness.load({ store: 'memory', limits: { retained: 20, startMs: 30_000 } });
    const many = Array.from({ length: 20 }, (_, i) => i);
    const revisions = await Promise.all(many.map((i) => harness.install(`let calls = 0; export default ({ id }) => { console.log(${i}, id); return [${i}, id, ++calls] }`)));
    const tasks = await Promise.all(revisions.map((revision, i) => harness.compile(revision, { id: `call ${i}` })));
    const lines: string[][] = many.map(() => []);
    const records = await Promise.all(tasks.map((task, i) => ty.tasks.run(task, { onLog: ({ text }) => lines[i]!.push(text) })));
    return { results: records.map(({ result }) => result), lines, open: (await ty.sandboxes.list()).length };
  });
  expect(seen.results).toEqual(Array.from({ length: 20 }, (_, i) => [i, `call ${i}`, 1]));
  expect(seen.lines).toEqual(Array.from({ length: 20 }, (_, i) => [`${i} call ${i}`]));
  expect(seen.open).toBe(20);
});
