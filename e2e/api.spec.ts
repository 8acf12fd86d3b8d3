import { test, expect } from './fixtures.js';

test('a page installs a tool, pins a task to it and runs it', async ({ page }) => {
  await page.goto('/blank.html');
  const seen = await page.evaluate(async () => {
    const url = '/taskyon.js';
    const { loadTaskyon } = (await import(url)) as typeof import('../wasm/loader/taskyon.js');
    const ty = await loadTaskyon({ store: 'memory' });
    const rev = await ty.tools.install(
      {
        name: 'uppercase',
        description: 'x',
        parameters: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
        code: '({input}) => input.toUpperCase()',
      },
      { activate: true },
    );
    const task = await ty.tasks.compile({ role: 'function', content: { functionCall: { name: 'uppercase', arguments: { input: 'hello' } } } });
    const rec = await ty.tasks.run(task);
    return { rev, task, rec, kept: await ty.tasks.get(task.id), records: await ty.tasks.records(task.id), found: await ty.tools.lookup('uppercase') };
  });
  expect(seen.rec).toMatchObject({ outcome: 'ok', result: 'HELLO', logs: [], dropped: 0, started: true, isolation: 'browser' });
  expect(seen.rev.id).toMatch(/^tool:b3:[0-9a-f]{64}$/);
  expect(seen.task.id).toMatch(/^task:b3:[0-9a-f]{64}$/);
  expect(seen.task.content.functionCall?.tool).toBe(seen.rev.id);
  expect(seen.rec).toMatchObject({ task: seen.task.id, tool: seen.rev.id });
  expect(seen.kept).toEqual(seen.task);
  expect(seen.records).toEqual([seen.rec]);
  expect(seen.found).toEqual(seen.rev);
  expect(seen.rev.definition.implementation).toEqual({ class: 'sandboxed-code', language: 'javascript', code: '({input}) => input.toUpperCase()' });
});

test('an old task keeps version 1 after version 2 is active, a new draft gets version 2', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const one = await harness.install('() => "version 1"', { name: 'versioned' });
    const old = await ty.tasks.compile(harness.call('versioned', {}));
    const two = await harness.install('() => "version 2"', { name: 'versioned' });
    const fresh = await ty.tasks.compile(harness.call('versioned', {}));
    const answers = [await ty.tasks.run(old), await ty.tasks.run(fresh), await ty.tasks.run(old)];
    await ty.tools.activate(one);
    const back = await ty.tasks.compile(harness.call('versioned', {}));
    return { one, two, old, fresh, back, answers: answers.map((r) => r.result), history: await ty.tools.history('versioned'), list: await ty.tools.list() };
  });
  expect(seen.answers).toEqual(['version 1', 'version 2', 'version 1']);
  expect(seen.old.content.functionCall?.tool).toBe(seen.one.id);
  expect(seen.fresh.content.functionCall?.tool).toBe(seen.two.id);
  expect(seen.back.id).toBe(seen.old.id);
  expect(seen.history.map((b) => [b.id, b.active])).toEqual([
    [seen.one.id, false],
    [seen.two.id, false],
    [seen.one.id, true],
  ]);
  expect(seen.list.map((b) => [b.name, b.id])).toEqual([['versioned', seen.one.id]]);
});

test('tasks form a tree that can be walked both ways', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    await harness.install('() => 1', { name: 'leaf' });
    const root = await ty.tasks.compile({ role: 'user', content: { message: 'please' } });
    const child = await ty.tasks.compile({ ...harness.call('leaf', {}), parent: root.id });
    return { root, child, lineage: await ty.tasks.lineage(child.id), children: await ty.tasks.children(root.id) };
  });
  expect(seen.lineage).toEqual([seen.root, seen.child]);
  expect(seen.children).toEqual([seen.child]);
});

test('a definition given as an object and as JSON text is the same revision', async ({ host }) => {
  const ids = await host.evaluate(async () => {
    const definition = { name: 'same', description: 'é\u2028"', code: '() => 1' };
    return [(await ty.tools.install(definition)).id, (await ty.tools.install(JSON.stringify(definition, null, 2))).id];
  });
  expect(ids[0]).toBe(ids[1]);
});

test('loading leaves no global behind in the page', async ({ page }) => {
  await page.goto('/blank.html');
  await page.waitForFunction(() => 'harness' in globalThis);
  const before = await page.evaluate(() => Reflect.ownKeys(globalThis).map(String));
  const after = await page.evaluate(async () => {
    await harness.load();
    const { result } = await harness.run('() => 1');
    return { keys: Reflect.ownKeys(globalThis).map(String), result };
  });
  expect(after.result).toBe(1);
  const frames = /^\d+$/;
  expect(after.keys.filter((key) => !before.includes(key) && key !== 'ty' && !frames.test(key))).toEqual([]);
  expect(before).not.toEqual(expect.arrayContaining(['Go']));
});

test('close ends open runs as aborted, removes every frame, and later requests are refused', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const revision = await harness.install('() => new Promise(() => {})');
    const open = harness.runRevision(revision);
    while ((await ty.sandboxes.list())[0]?.phase !== 'running') await new Promise((done) => setTimeout(done, 5));
    const frames = document.querySelectorAll('iframe').length;
    await ty.close();
    await ty.close();
    return { frames, left: document.querySelectorAll('iframe').length, open: (await open).outcome, later: await harness.refusal(() => ty.tools.list()) };
  });
  expect(seen.frames).toBeGreaterThan(0);
  expect(seen).toMatchObject({ left: 0, open: 'aborted', later: { name: 'TaskyonError', code: 'closed' } });
});

test('a closed engine leaves nothing behind that could fail later', async ({ host }) => {
  await host.evaluate(async () => {
    await harness.run('() => 1');
    await ty.close();
  });
  await host.waitForTimeout(11_000); // every timer of the engine would have fired; the fixture fails on a page error
});

test('a stored task runs by its id, and options that do not exist are refused before anything runs', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const task = await harness.compile(await harness.install('() => 7'));
    const refuse = (options: unknown) => harness.refusal(() => ty.tasks.run(task, options as never));
    return {
      byID: (await ty.tasks.run(task.id)).result,
      refused: [await refuse({ disposible: true }), await refuse({ signal: new AbortController() }), await refuse({ onLog: 'x' }), await refuse(null), await refuse(7)],
      install: await harness.refusal(() => ty.tools.install('{}', { activated: true } as never)),
      unknown: await harness.refusal(() => ty.tasks.run(`task:b3:${'1'.repeat(64)}`)),
      records: (await ty.tasks.records(task.id)).length,
    };
  });
  expect(seen.byID).toBe(7);
  for (const refusal of [...seen.refused, seen.install]) expect(refusal).toMatchObject({ name: 'TaskyonError', code: 'invalid_request' });
  expect(seen.refused[0]?.message).toContain('disposible');
  expect(seen.unknown).toMatchObject({ code: 'not_found' });
  expect(seen.records).toBe(1);
});

test('when the engine dies, whatever waits is refused at once, later requests too, and another engine works', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const revision = await harness.install('() => new Promise(() => {})');
    const open = harness.refusal(() => harness.runRevision(revision));
    while ((await ty.sandboxes.list())[0]?.phase !== 'running') await new Promise((done) => setTimeout(done, 5));
    // Go is not guarded while it reads a property: a getter that throws then unwinds the program, as an exhausted stack does.
    const plain = Object.getOwnPropertyDescriptor(globalThis, 'Error')!;
    Object.defineProperty(globalThis, 'Error', { configurable: true, get: () => { throw new RangeError('unwound') } });
    const deadly = harness.refusal(() => ty.tools.lookup('nothing'));
    await new Promise((done) => setTimeout(done, 50));
    Object.defineProperty(globalThis, 'Error', plain);
    const refused = await Promise.all([deadly, open, harness.refusal(() => ty.tools.list())]);
    const frames = document.querySelectorAll('iframe').length;
    await harness.load();
    return { refused, frames, again: (await harness.run('() => 1')).result };
  });
  expect(seen.refused.map((r) => [r.name, r.code])).toEqual(Array.from({ length: 3 }, () => ['TaskyonError', 'internal']));
  expect(seen.frames, 'its sandboxes are gone with it').toBe(0);
  expect(seen.again).toBe(1);
});

test('two engines in one page do not know each other', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const first = ty;
    await harness.install('() => 1', { name: 'mine' });
    await harness.load();
    const unknown = await harness.refusal(() => ty.tools.lookup('mine'));
    await ty.close();
    return { unknown, still: (await first.tools.lookup('mine')).name };
  });
  expect(seen).toMatchObject({ unknown: { code: 'not_found' }, still: 'mine' });
});

test('nested calls inside log listeners and many engines calls at once all settle', async ({ host }) => {
  const results = await host.evaluate(async () => {
    const inner = await harness.install('({ n }) => n * 2');
    const outer = await harness.install('async () => { console.log("now"); await new Promise((r) => setTimeout(r, 120)); return 1 }');
    const nested: Promise<unknown>[] = [];
    const record = await harness.runRevision(outer, {}, { onLog: () => nested.push(harness.runRevision(inner, { n: 21 }).then((r) => r.result)) });
    return { record: record.result, nested: await Promise.all(nested) };
  });
  expect(results).toEqual({ record: 1, nested: [42] });
});
