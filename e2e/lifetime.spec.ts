import type { Page } from '@playwright/test';
import { test, expect } from './fixtures.js';
import type { Revision, TaskRecord } from '../wasm/loader/taskyon.js';

const loops = [
  ['a plain loop', '() => { for (;;); }'],
  ['a loop in a promise callback', '() => Promise.resolve().then(() => { for (;;); })'],
  ['endless microtasks', 'async () => { for (;;) await null }'],
  ['a loop that catches everything', 'async () => { for (;;) { try { await (async () => { for (;;); })() } catch {} } }'],
  ['a promise that never settles', '() => new Promise(() => {})'],
] as const;

for (const [title, code] of loops) {
  test(`${title} is ended by its deadline, the page stays alive and the next call works`, async ({ host }) => {
    const seen = await host.evaluate(async (code) => {
      await ty.close();
      await harness.load({ store: 'memory', limits: { callMs: 500 } });
      const limited = await harness.install(`({ loop }) => loop ? (${code})() : "alive"`);
      let took = 0;
      const { value, longest } = await harness.longestGap(async () => {
        const started = performance.now();
        const record = await harness.runRevision(limited, { loop: true });
        took = performance.now() - started;
        return record;
      }, 100, () => harness.runRevision(limited, {}));
      return { value, longest, took, next: await harness.runRevision(limited, {}) };
    }, code);
    expect(seen.value).toMatchObject({ outcome: 'timeout', started: true, error: { code: 'timeout' } });
    expect(seen.took).toBeGreaterThan(450);
    expect(seen.took).toBeLessThan(2000);
    expect(seen.longest).toBeLessThan(100);
    expect(seen.next).toMatchObject({ outcome: 'ok', result: 'alive' });
  });
}

for (const [title, code] of [
  ['a loop at the top level', 'if (!globalThis.never) for (;;); export default () => 1'],
  ['a wait at the top level that never ends', 'await new Promise(() => {}); export default () => 1'],
  ['a loop in what listens for the end of the call', '(args, { signal }) => { signal.addEventListener("abort", () => { for (;;); }); return 1 }'],
  ['a loop in what listens for errors', '() => { addEventListener("error", () => { for (;;); }); reportError(new Error("x")); return 1 }'],
] as const) {
  test(`${title} is ended by its deadline, also the second time`, async ({ host }) => {
    const records = await host.evaluate(async (code) => {
      await ty.close();
      await harness.load({ store: 'memory', limits: { callMs: 500 } });
      const looping = await harness.install(code);
      return [await harness.runRevision(looping), await harness.runRevision(looping), await harness.run('() => 1')];
    }, code);
    for (const record of records.slice(0, 2)) expect(record).toMatchObject({ outcome: 'timeout', result: undefined });
    expect(records[2]).toMatchObject({ outcome: 'ok', result: 1 });
  });
}

test('a tool may ask for less time than the engine gives', async ({ host }) => {
  const record = await host.evaluate(async () => {
    const implementation = { class: 'sandboxed-code' as const, language: 'javascript' as const, code: '() => { for (;;); }' };
    const revision = await ty.tools.install({ name: 'short', description: '', implementation, limits: { timeoutMs: 200 } }, { activate: true });
    return harness.runRevision(revision);
  });
  expect(record.outcome).toBe('timeout');
});

test('abort ends a running call at once, and the next call works', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const revision = await harness.install('({ loop }) => { while (loop); return "alive" }');
    await harness.runRevision(revision, {});
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const started = performance.now();
    const record = await harness.runRevision(revision, { loop: true }, { signal: controller.signal });
    const took = performance.now() - started;
    return { record, took, next: await harness.runRevision(revision, {}), already: await harness.runRevision(revision, {}, { signal: AbortSignal.abort() }) };
  });
  expect(seen.record).toMatchObject({ outcome: 'aborted', started: true });
  expect(seen.took).toBeLessThan(1000);
  expect(seen.next).toMatchObject({ outcome: 'ok', result: 'alive' });
  expect(seen.already).toMatchObject({ outcome: 'aborted' });
});

test('aborting a queued call removes just that call', async ({ host }) => {
  const outcomes = await host.evaluate(async () => {
    const revision = await harness.install('({ ms, id }) => new Promise((r) => setTimeout(r, ms, id))');
    const controller = new AbortController();
    const runs = [
      harness.runRevision(revision, { ms: 200, id: 1 }),
      harness.runRevision(revision, { ms: 0, id: 2 }, { signal: controller.signal }),
      harness.runRevision(revision, { ms: 0, id: 3 }),
    ];
    setTimeout(() => controller.abort(), 50);
    return (await Promise.all(runs)).map((r) => [r.outcome, r.result, r.started]);
  });
  expect(outcomes).toEqual([
    ['ok', 1, true],
    ['aborted', undefined, false],
    ['ok', 3, true],
  ]);
});

test('five concurrent calls with different delays are answered one after the other, each with its own answer', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const revision = await harness.install(`let busy = 0;
      export default async ({ id, ms }) => {
        const others = busy++;
        await new Promise((r) => setTimeout(r, ms));
        busy--;
        return { id, others };
      }`);
    const settled: number[] = [];
    const delays = [80, 5, 40, 1, 20];
    const tasks = await Promise.all(delays.map((ms, id) => harness.compile(revision, { id, ms })));
    const records = await Promise.all(tasks.map((task, id) => ty.tasks.run(task).finally(() => settled.push(id))));
    return { settled, results: records.map((r) => r.result) };
  });
  expect(seen.settled).toEqual([0, 1, 2, 3, 4]);
  expect(seen.results).toEqual([0, 1, 2, 3, 4].map((id) => ({ id, others: 0 })));
});

test('state is kept for the second call of one revision and never seen by another revision, partition or disposable call', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const code = 'let count = 0; export default () => { globalThis.shared = (globalThis.shared ?? 0) + 1; return [++count, globalThis.shared] }';
    const one = await harness.install(code);
    const other = await harness.install(`// other\n${code}`);
    const run = async (revision: typeof one, options = {}) => (await harness.runRevision(revision, {}, options)).result;
    const out = [await run(one), await run(one), await run(other), await run(one, { partition: 'b' }), await run(one, { disposable: true }), await run(one)];
    const open = await ty.sandboxes.list();
    await ty.sandboxes.terminate(one);
    const after = await run(one);
    await ty.sandboxes.clear();
    return { out, open: open.filter(({ disposable }) => !disposable).length, after, cleared: document.querySelectorAll('iframe').length, again: await run(one) };
  });
  expect(seen.out).toEqual([[1, 1], [2, 2], [1, 1], [1, 1], [1, 1], [3, 3]]);
  expect(seen).toMatchObject({ open: 3, after: [1, 1], again: [1, 1] });
  expect(seen.cleared, 'only the syntax checker is left').toBeLessThanOrEqual(1);
});

test('what a call leaves running is dead when the call has ended', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const revision = await harness.install(`({ first }) => {
      if (!first) return new Promise((r) => setTimeout(r, 150, 'b'));
      Promise.reject(new Error('late'));
      setTimeout(() => { throw 1 }, 20);
      setInterval(() => console.log('tick'), 10);
      setTimeout(() => console.log('tock'), 60);
      return 'ok';
    }`);
    return [await harness.runRevision(revision, { first: true }), await harness.runRevision(revision, {})];
  });
  expect(seen[0]).toMatchObject({ outcome: 'ok', result: 'ok' });
  expect(seen[1]).toMatchObject({ outcome: 'ok', result: 'b', logs: [] });
});

// What a call leaves behind, and what becomes of the sandbox: kept, since all of it ended with the call, or made new, since code went on.
const leftovers = [
  ['an interval', 'setInterval(tick, 5)', 'kept'],
  ['a channel that talks to itself', 'const { port1, port2 } = new MessageChannel(); port1.onmessage = () => { tick(); port2.postMessage(1) }; port2.postMessage(1)', 'kept'],
  ['a chain of microtasks', 'const go = () => { queueMicrotask(go) }; go()', 'kept'],
  ['a signal with a time', 'AbortSignal.timeout(10).addEventListener("abort", tick)', 'kept'],
  ['a listener of the worker', 'addEventListener("error", tick); setTimeout(() => reportError(new Error("x")), 10)', 'kept'],
  ['a late rejection', 'Promise.reject(new Error("late")); new Blob(["x"]).text().then(() => { throw new Error("later") })', 'kept'],
  ['a loop of work that the browser does', 'const go = async () => { for (;;) { await new Blob(["x"]).text(); tick() } }; go()', 'new'],
  ['a channel of the top level', 'channel.port1.onmessage = () => { tick(); channel.port2.postMessage(1) }; channel.port2.postMessage(1)', 'kept'],
  ['a loop of promises', 'const go = async () => { for (;;) await null }; go()', 'new'],
] as const;

for (const [title, leave, then] of leftovers) {
  test(`${title} that a call leaves behind is not heard, and the next call finds its sandbox ${then}`, async ({ host }) => {
    const seen = await host.evaluate(async (leave) => {
      const revision = await harness.install(`
        const channel = new MessageChannel();
        let calls = 0;
        const tick = () => console.log('tick');
        export default async ({ first }) => {
          calls++;
          if (!first) { await new Promise((r) => setTimeout(r, 80)); return calls }
          ${leave};
          return 'left';
        }`);
      const first = await harness.runRevision(revision, { first: true });
      await new Promise((done) => setTimeout(done, 100));
      const started = performance.now();
      const second = await harness.runRevision(revision, {});
      return { first, second, took: performance.now() - started, third: await harness.runRevision(revision, {}), open: (await ty.sandboxes.list()).length };
    }, leave);
    expect(seen.first).toMatchObject({ outcome: 'ok', result: 'left' });
    expect(seen.second).toMatchObject({ outcome: 'ok', result: then === 'kept' ? 2 : 1, logs: [] });
    expect(seen.third).toMatchObject({ outcome: 'ok', result: then === 'kept' ? 3 : 2, logs: [] });
    expect(seen.took).toBeLessThan(5000);
    expect(seen.open).toBe(1);
  });
}

test('a tool that computes for two thirds of its time is not ended', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    await ty.close();
    await harness.load({ store: 'memory', limits: { callMs: 1500 } });
    return harness.run('() => { const end = Date.now() + 1000; while (Date.now() < end); return "computed" }');
  });
  expect(seen).toMatchObject({ outcome: 'ok', result: 'computed' });
});

test('activating another revision ends the old sandbox after its running call', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const one = await harness.install('({ ms }) => new Promise((r) => setTimeout(r, ms, 1))', { name: 'changing' });
    const running = harness.runRevision(one, { ms: 200 });
    while ((await ty.sandboxes.list())[0]?.phase !== 'running') await new Promise((done) => setTimeout(done, 5));
    await harness.install('() => 2', { name: 'changing' });
    const during = (await ty.sandboxes.list()).length;
    const record = await running;
    return { during, record, after: (await ty.sandboxes.list()).length, again: (await harness.runRevision(one, { ms: 0 })).result };
  });
  expect(seen).toMatchObject({ during: 1, record: { outcome: 'ok', result: 1 }, after: 0, again: 1 });
});

/** Ends the process of the sandboxes, once the test runner knows every frame: it takes a frame that is just coming for a part of the page. */
async function crashFrames(host: Page): Promise<void> {
  const count = await host.evaluate(() => document.querySelectorAll('iframe').length);
  const sessions = () => Promise.all(host.frames().slice(1).map((frame) => host.context().newCDPSession(frame).catch(() => undefined)));
  await expect.poll(async () => (await sessions()).filter(Boolean).length).toBe(count);
  void (await sessions()).at(-1)!.send('Page.crash').catch(() => {});
}

test('a sandbox whose process dies is a crash within seconds, and the next call works', async ({ host }) => {
  await host.evaluate(async () => {
    const revision = await harness.install('({ wait }) => wait ? new Promise(() => {}) : 1', { name: 'mortal' });
    await harness.runRevision(revision, {});
    while ((await ty.sandboxes.warm()) === 0) await new Promise((done) => setTimeout(done, 5));
    Object.assign(globalThis, { running: harness.runRevision(revision, { wait: true }) });
    while ((await ty.sandboxes.list())[0]?.phase !== 'running') await new Promise((done) => setTimeout(done, 5));
  });
  // All sandbox frames of a page share one process in Chromium, apart from the page's. The test runner takes the death of that
  // process for the page's, so the page is asked by another way.
  const page = await host.context().newCDPSession(host);
  await crashFrames(host);
  const { result } = await page.send('Runtime.evaluate', {
    awaitPromise: true,
    returnByValue: true,
    expression: `(async () => {
      const started = performance.now();
      const record = await running;
      const took = performance.now() - started;
      const next = await ty.tasks.run(await ty.tasks.compile(harness.call('mortal', {})));
      return { record, took, next, other: await harness.run('() => 2') };
    })()`,
  });
  const seen = result.value as { record: TaskRecord; took: number; next: TaskRecord; other: TaskRecord };
  expect(seen.record).toMatchObject({ outcome: 'crashed', started: true });
  expect(seen.took).toBeLessThan(15_000);
  expect(seen.next).toMatchObject({ outcome: 'ok', result: 1 });
  expect(seen.other).toMatchObject({ outcome: 'ok', result: 2 });
});

test('no more sandboxes are retained than may be, and the least recently used goes', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    await ty.close();
    await harness.load({ store: 'memory', limits: { retained: 2, warm: 0 } });
    const revisions = [];
    for (const n of [1, 2, 3]) revisions.push(await harness.install(`let count = 0; export default () => [${n}, ++count]`));
    const [a, b, c] = revisions as [Revision, Revision, Revision];
    const frames = () => document.querySelectorAll('iframe[data-taskyon]').length - 1; // that of the syntax checker
    const out = [];
    for (const revision of [a, b, a, c, a, b]) {
      out.push([...((await harness.runRevision(revision)).result as number[]), (await ty.sandboxes.list()).length, frames()]);
    }
    return out;
  });
  // [revision, calls of its sandbox, sandboxes, frames]
  expect(seen).toEqual([[1, 1, 1, 1], [2, 1, 2, 2], [1, 2, 2, 2], [3, 1, 2, 2], [1, 3, 2, 2], [2, 1, 2, 2]]);
});

test('a sandbox that is not used for long ends, the warm one and the syntax checker too', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    await ty.close();
    await harness.load({ store: 'memory', limits: { idleMs: 1500 } });
    const revision = await harness.install('let count = 0; export default () => ++count');
    const first = await harness.runRevision(revision);
    const [info] = await ty.sandboxes.list();
    const frames = () => document.querySelectorAll('iframe[data-taskyon]').length;
    const during = frames();
    while (frames() > 0) await new Promise((done) => setTimeout(done, 20));
    return { first: first.result, info, during, list: await ty.sandboxes.list(), warm: await ty.sandboxes.warm(), next: (await harness.runRevision(revision)).result };
  });
  expect(seen).toMatchObject({ first: 1, info: { phase: 'idle', calls: 1, queued: 0, disposable: false }, list: [], warm: 0, next: 1 });
  expect(seen.during).toBeGreaterThan(0);
  expect(Date.parse(seen.info!.lastUsed!)).toBeGreaterThanOrEqual(Date.parse(seen.info!.since));
});

test('the first call of another revision finds a warm sandbox', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const one = await harness.install('() => 1');
    const other = await harness.install('() => { globalThis.seen = (globalThis.seen ?? 0) + 1; return globalThis.seen }');
    const frames = () => [...document.querySelectorAll('iframe[data-taskyon]')];
    const before = frames().length;
    await harness.runRevision(one);
    while ((await ty.sandboxes.warm()) === 0) await new Promise((done) => setTimeout(done, 5));
    const warm = frames();
    const listed = (await ty.sandboxes.list()).length;
    const record = await harness.runRevision(other);
    const same = frames().length === warm.length && frames().every((frame, i) => frame === warm[i]);
    while ((await ty.sandboxes.warm()) === 0) await new Promise((done) => setTimeout(done, 5));
    const disposable = await harness.runRevision(other, {}, { disposable: true });
    await ty.sandboxes.clear();
    return { before, warm: warm.length, listed, same, results: [record.result, disposable.result], after: await ty.sandboxes.warm(), left: frames().length };
  });
  expect(seen).toEqual({ before: 1, warm: 3, listed: 1, same: true, results: [1, 1], after: 0, left: 1 });
});

test('a loop that an ended call left behind costs the next call nothing but its memory', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const revision = await harness.install(`let count = 0;
      export default ({ leave }) => {
        if (leave) Promise.resolve().then(async () => { for (;;) { console.log('left'); await null } });
        return ++count;
      }`);
    const first = await harness.runRevision(revision, { leave: true });
    while ((await ty.sandboxes.list()).length > 0) await new Promise((done) => setTimeout(done, 20));
    return { first, next: await harness.runRevision(revision, {}) };
  });
  expect(seen.first).toMatchObject({ outcome: 'ok', result: 1 });
  expect(seen.next).toMatchObject({ outcome: 'ok', result: 1, logs: [] });
});

test('sandboxes whose process died while they were idle cost the next calls a restart and no more', async ({ host }) => {
  await host.evaluate(async () => {
    Object.assign(globalThis, { one: await harness.install('let count = 0; export default () => ++count'), other: await harness.install('() => 2') });
    await harness.runRevision((globalThis as unknown as { one: Revision }).one);
    while ((await ty.sandboxes.warm()) === 0) await new Promise((done) => setTimeout(done, 5));
  });
  const page = await host.context().newCDPSession(host);
  await crashFrames(host);
  const { result } = await page.send('Runtime.evaluate', {
    awaitPromise: true,
    returnByValue: true,
    expression: `(async () => {
      await new Promise((done) => setTimeout(done, 2500));
      const started = performance.now();
      const records = await Promise.all([harness.runRevision(one), harness.runRevision(other)]);
      return { took: performance.now() - started, records };
    })()`,
  });
  const seen = result.value as { took: number; records: TaskRecord[] };
  expect(seen.records[0]).toMatchObject({ outcome: 'ok', result: 1 });
  expect(seen.records[1]).toMatchObject({ outcome: 'ok', result: 2 });
  expect(seen.took).toBeLessThan(10_000);
});

test('a warm sandbox whose process has died is replaced within seconds also when nobody calls', async ({ host }) => {
  await host.evaluate(async () => {
    const revision = await harness.install('() => 1');
    await harness.runRevision(revision);
    await ty.sandboxes.terminate(revision);
    while ((await ty.sandboxes.warm()) === 0) await new Promise((done) => setTimeout(done, 5));
  });
  const page = await host.context().newCDPSession(host);
  await crashFrames(host);
  const { result } = await page.send('Runtime.evaluate', {
    awaitPromise: true,
    returnByValue: true,
    expression: `(async () => {
      const dead = [...document.querySelectorAll('iframe[data-taskyon]')];
      const started = performance.now();
      while (dead.some((frame) => frame.isConnected) || (await ty.sandboxes.warm()) === 0) await new Promise((done) => setTimeout(done, 20));
      return { dead: dead.length, took: performance.now() - started, list: await ty.sandboxes.list() };
    })()`,
  });
  const seen = result.value as { dead: number; took: number; list: unknown[] };
  expect(seen).toMatchObject({ dead: 2, list: [] });
  expect(seen.took, 'a frame that died before it ever spoke is given 20 seconds').toBeLessThan(30_000);
});
