import type { Page } from '@playwright/test';
import { test, expect } from './fixtures.js';
import type { NativeContext } from '../wasm/loader/taskyon.js';

/** Collects what nothing holds any more. */
async function collectGarbage(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.detach();
}

test('a function of the page runs as a tool: arguments with bytes, context, log, progress and any result that can travel', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const contexts: NativeContext[] = [];
    const received: unknown[] = [];
    const revision = await harness.native(
      (args, context) => {
        contexts.push(context);
        received.push(args['raw'] instanceof Uint8Array && [...args['raw']], args['$x']);
        context.log('n is %d', 7, { a: 1 });
        context.warn(new TypeError('careful'));
        context.progress(0.5, 'half');
        return { date: new Date(0), map: new Map([[1n, new Set(['a'])]]), bytes: new Uint8Array([1, 255]), none: undefined, nan: NaN, $d: -0 };
      },
      { parameters: { type: 'object', properties: { raw: { type: 'string', contentEncoding: 'base64' } } } },
    );
    const heard: unknown[] = [];
    const task = await harness.compile(revision, { raw: 'AQID', $x: [1] });
    const record = await ty.tasks.run(task, { onLog: (line) => heard.push(line), onProgress: (progress) => heard.push(progress) });
    const result = record.result as { date: Date; map: Map<bigint, Set<string>>; bytes: Uint8Array; none: unknown; nan: number; $d: number };
    const context = contexts[0]!;
    return {
      record: { ...record, result: null },
      result: [result.date.getTime(), [...result.map].map(([k, v]) => [k.toString(), ...v]), [...result.bytes], 'none' in result && result.none === undefined, Number.isNaN(result.nan), Object.is(result.$d, -0)],
      received,
      heard,
      context: [context.task === task.id, context.tool === revision.id, context.settings, context.signal.aborted, Object.isFrozen(context)],
      later: ((await ty.tasks.records(task.id))[0]!.result as { date: Date }).date.getTime(),
    };
  });
  expect(seen.record).toMatchObject({ outcome: 'ok', started: true, isolation: 'host', dropped: 0 });
  expect(seen.record.logs).toEqual([{ level: 'log', text: 'n is 7 { a: 1 }' }, { level: 'warn', text: expect.stringContaining('TypeError: careful') }]);
  expect(seen.heard).toEqual([...seen.record.logs, { fraction: 0.5, text: 'half' }]);
  expect(seen.result).toEqual([0, [['1', 'a']], [1, 255], true, true, true]);
  expect(seen.received).toEqual([[1, 2, 3], [1]]);
  expect(seen.context).toEqual([true, true, {}, false, true]);
  expect(seen.later).toBe(0);
});

test('what a function says arrives in order and before its end, however much it is', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const revision = await harness.native(async (_, { log, progress }) => {
      for (let i = 0; i < 300; i++) {
        log(i);
        if (i % 50 === 0) await null;
        if (i % 70 === 0) progress(i / 300);
      }
      return 'end';
    });
    const heard: string[] = [];
    const record = await harness.runRevision(revision, {}, { onLog: ({ text }) => heard.push(text) });
    return { kept: record.logs.map((line) => line.text), heard, dropped: record.dropped };
  });
  const all = Array.from({ length: 300 }, (_, i) => String(i));
  expect(seen).toEqual({ kept: all, heard: all, dropped: 0 });
});

test('what a function throws keeps name, message and stack; what is no error keeps its value', async ({ host }) => {
  const failures = await host.evaluate(async () => {
    class Refused extends RangeError {
      override name = 'Refused';
    }
    const thrown: unknown[] = [new Refused('no'), { code: 7 }, 'text', null, undefined, Symbol('s'), () => 1, { get name() { throw 1 } }];
    const sync = await harness.native(({ i }) => { throw thrown[i as number] });
    const later = await harness.native(async ({ i }) => Promise.reject(thrown[i as number]), { name: 'later' });
    const thenable = await harness.native(() => ({ get then() { throw new TypeError('then') } }), { name: 'thenable' });
    const out = [];
    for (let i = 0; i < thrown.length; i++) for (const revision of [sync, later]) out.push(await harness.runRevision(revision, { i }));
    return [...out, await harness.runRevision(thenable)].map(({ outcome, error }) => [outcome, error?.name, error?.message, /\n +at .*\d+:\d+/.test(error?.stack ?? ''), error && 'value' in error ? [error.value] : 'none']);
  });
  const twice = (row: unknown) => [row, row];
  expect(failures).toEqual([
    ...twice(['tool_error', 'Refused', 'no', true, 'none']),
    ...twice(['tool_error', 'Thrown', 'an object', false, [{ code: 7 }]]),
    ...twice(['tool_error', 'Thrown', 'text', false, ['text']]),
    ...twice(['tool_error', 'Thrown', 'null', false, 'none']),
    ...twice(['tool_error', 'Thrown', 'undefined', false, [undefined]]),
    ...twice(['tool_error', 'Thrown', 'a symbol', false, 'none']),
    ...twice(['tool_error', 'Thrown', 'a function', false, 'none']),
    ...twice(['tool_error', 'Thrown', 'an object', false, 'none']),
    ['tool_error', 'TypeError', 'then', true, 'none'],
  ]);
});

test('a result that cannot travel, or that the declared schema refuses, is invalid with its path', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const results: unknown[] = [{ a: [() => 1] }, { cb: Symbol('s') }, Promise.resolve({ half: '\ud800' }), { get x() { throw new Error('getter') } }];
    const any = await harness.native(({ i }) => results[i as number]);
    const strict = await harness.native(() => ({ n: 'one' }), { name: 'strict', returns: { type: 'object', properties: { n: { type: 'number' } } } });
    const records = [];
    for (let i = 0; i < results.length; i++) records.push(await harness.runRevision(any, { i }));
    return [...records, await harness.runRevision(strict)].map(({ outcome, error, result }) => [outcome, error?.code, error?.path, result]);
  });
  expect(seen).toEqual(['$.a[0]', '$.cb', '$.half', '$.x', '$.n'].map((path) => ['invalid_result', 'invalid_result', path, undefined]));
});

for (const [title, outcome, options] of [
  ['the deadline', 'timeout', { limits: { timeoutMs: 100 } }],
  ['the abort of the caller', 'aborted', {}],
] as const) {
  test(`${title} reaches a function by its signal, ends the call at once, and what comes later is ignored`, async ({ host }) => {
    const seen = await host.evaluate(async ([outcome, options]) => {
      let finish = (_: unknown) => {};
      const events: unknown[] = [];
      const revision = await harness.native((_, { signal, log, progress }) => {
        signal.addEventListener('abort', () => events.push('signal'));
        log('begun');
        return new Promise((resolve) => {
          finish = (value) => {
            log('late');
            progress(1);
            resolve(value);
          };
        });
      }, options);
      const task = await harness.compile(revision);
      const controller = new AbortController();
      const heard: unknown[] = [];
      const running = ty.tasks.run(task, {
        signal: controller.signal,
        onProgress: (p) => heard.push(p),
        onLog: (l) => {
          heard.push(l.text);
          if (outcome === 'aborted') controller.abort();
        },
      });
      const record = await running;
      await new Promise((done) => setTimeout(done));
      events.push('record');
      finish('late');
      await new Promise((done) => setTimeout(done, 50));
      const again = harness.runRevision(revision);
      while (heard.length === 0) await null;
      finish('in time');
      await new Promise((done) => setTimeout(done));
      finish('in time');
      return { record, events, heard, records: await ty.tasks.records(task.id), again: await again };
    }, [outcome, options] as const);
    expect(seen.record).toMatchObject({ outcome, started: true, isolation: 'host', result: undefined, logs: [{ level: 'log', text: 'begun' }] });
    expect(seen.events).toEqual(['signal', 'record']);
    expect(seen.heard).toEqual(['begun']);
    expect(seen.records[0]).toEqual(seen.record);
    expect(seen.again, 'the next call is a call of its own').toMatchObject({ outcome: 'ok', result: 'in time' });
  });
}

test('a function that settles twice, never, or long after its end leaves nothing behind', async ({ host }) => {
  await host.evaluate(async () => {
    const kept: unknown[] = [];
    const refs: WeakRef<object>[] = [];
    Object.assign(globalThis, { kept, refs });
    const twice = await harness.native((args, context) => {
      refs.push(new WeakRef(args), new WeakRef(context));
      return { then(ok: (v: unknown) => void, no: (v: unknown) => void) { kept.push(ok, no); ok(1); no(2); ok(3); } };
    }, { name: 'twice' });
    const never = await harness.native((args, context) => {
      refs.push(new WeakRef(args), new WeakRef(context));
      return { then(ok: unknown, no: unknown) { kept.push(ok, no) } };
    }, { name: 'never', limits: { timeoutMs: 50 } });
    const outcomes = [await harness.runRevision(twice), await harness.runRevision(never)].map((r) => [r.outcome, r.result]);
    if (JSON.stringify(outcomes) !== '[["ok",1],["timeout",null]]') throw new Error(JSON.stringify(outcomes));
  });
  await collectGarbage(host);
  const seen = await host.evaluate(async () => {
    const { kept, refs } = globalThis as unknown as { kept: ((v: unknown) => void)[]; refs: WeakRef<object>[] };
    for (const settle of kept) settle('late');
    await new Promise((done) => setTimeout(done, 20));
    return { refs: refs.map((ref) => ref.deref() !== undefined), kept: kept.length, next: (await harness.run('() => 7')).result };
  });
  expect(seen).toEqual({ refs: [false, false, false, false], kept: 4, next: 7 });
});

test('a closed engine ends open calls as aborted, tells their functions, and lets go of all of them', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const events: string[] = [];
    const revision = await (async () => {
      const fn = (_: unknown, { signal }: NativeContext) => {
        signal.addEventListener('abort', () => events.push('signal'));
        return new Promise(() => {});
      };
      Object.assign(globalThis, { fn: new WeakRef(fn) });
      return harness.native(fn);
    })();
    const task = await harness.compile(revision);
    const running = ty.tasks.run(task);
    await new Promise((done) => setTimeout(done, 20));
    await ty.close();
    return { outcome: (await running).outcome, events, later: await harness.refusal(() => harness.native(() => 1)) };
  });
  expect(seen).toMatchObject({ outcome: 'aborted', events: ['signal'], later: { code: 'closed' } });
  await collectGarbage(host);
  expect(await host.evaluate(() => (globalThis as unknown as { fn: WeakRef<object> }).fn.deref() !== undefined && typeof ty)).toBe(false);
});

test('a task runs the version that it is pinned to or says which one is here; one version is registered once', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const definition = (version: string) => ({ name: 'clock', description: '', implementation: { class: 'trusted-native', native: 'clock', version } as const });
    const one = await ty.natives.register(definition('1'), () => 'one');
    const old = await harness.compile(one);
    const two = await ty.natives.register(definition('2'), () => 'two', { activate: false });
    const active = await ty.tools.lookup('clock');
    const three = await ty.tools.install(definition('3'));
    const missing = await harness.compile(three);
    return {
      results: [(await ty.tasks.run(old)).result, (await harness.runRevision(two)).result],
      active: active.id === one.id,
      missing: await ty.tasks.run(missing),
      manifest: (await ty.tools.manifest(three.id)).missing,
      again: await harness.refusal(() => ty.natives.register(definition('1'), () => 'forged')),
      still: (await ty.tasks.run(old)).result,
      refused: [
        await harness.refusal(() => ty.natives.register(definition('4'), 'x' as never)),
        await harness.refusal(() => ty.natives.register({ name: 'x', description: '', code: '() => 1' }, () => 1)),
        await harness.refusal(() => ty.natives.register(definition('4'), () => 1, { activ: true } as never)),
      ],
    };
  });
  expect(seen).toMatchObject({ results: ['one', 'two'], active: true, again: { code: 'conflict' }, still: 'one' });
  expect(seen.missing).toMatchObject({ outcome: 'unavailable', started: false, isolation: '', error: { message: expect.stringContaining('in version "1" and "2", not "3"') } });
  expect(seen.manifest).toBe(seen.missing.error?.message);
  expect(seen.refused.map((r) => [r.code, r.path])).toEqual([['invalid_request', undefined], ['invalid_definition', '$.implementation.class'], ['invalid_request', undefined]]);
});

test('a function may run tools, other functions and itself while it runs', async ({ host }) => {
  const result = await host.evaluate(async () => {
    const double = await harness.install('({ n }) => n * 2');
    const sum = await harness.native(async ({ n }, { task }): Promise<unknown> => {
      if (n === 0) return 0;
      const below = await ty.tasks.compile({ ...harness.call('sum', { n: n - 1 }), parent: task });
      return ((await ty.tasks.run(below)).result as number) + ((await harness.runRevision(double, { n })).result as number);
    }, { name: 'sum' });
    return (await harness.runRevision(sum, { n: 4 })).result;
  });
  expect(result).toBe(20);
});

test('a function gets the settings that its task is pinned to', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const revision = await harness.native((_, { settings }) => settings, { settings: { type: 'object', required: ['$k'] } });
    const missing = await harness.refusal(() => harness.compile(revision));
    await ty.settings.set(revision, { $k: [1] });
    const old = await harness.compile(revision);
    await ty.settings.set(revision, { $k: [2] });
    return { missing, results: [(await ty.tasks.run(old)).result, (await harness.runRevision(revision)).result] };
  });
  expect(seen).toMatchObject({ missing: { code: 'invalid_settings' }, results: [{ $k: [1] }, { $k: [2] }] });
});

test('when the engine dies, functions that run are told, and another engine may register them again', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const events: string[] = [];
    const wait = (_: unknown, { signal }: NativeContext) => new Promise(() => signal.addEventListener('abort', () => events.push('signal')));
    const open = harness.refusal(async () => harness.runRevision(await harness.native(wait, { name: 'wait' })));
    await new Promise((done) => setTimeout(done, 50));
    // A getter that throws while Go reads a property unwinds the program.
    const plain = Object.getOwnPropertyDescriptor(globalThis, 'Error')!;
    Object.defineProperty(globalThis, 'Error', { configurable: true, get: () => { throw new RangeError('unwound') } });
    const deadly = harness.refusal(() => ty.tools.lookup('nothing'));
    await new Promise((done) => setTimeout(done, 50));
    Object.defineProperty(globalThis, 'Error', plain);
    const codes = [(await open).code, (await deadly).code];
    await harness.load();
    return { codes, events, again: (await harness.runRevision(await harness.native(() => 'again', { name: 'wait' }))).result };
  });
  expect(seen).toEqual({ codes: ['internal', 'internal'], events: ['signal'], again: 'again' });
});
