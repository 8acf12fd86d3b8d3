import { expect, type Page } from '@playwright/test';
import { test } from './profile.js';
import type { Task, TaskID, ToolID } from '../wasm/loader/taskyon.js';

const greeting = {
  name: 'greet',
  description: '',
  parameters: { type: 'object', properties: { who: { type: 'string' } } },
  settings: { type: 'object', properties: { word: { type: 'string' }, $k: {} }, required: ['word'], additionalProperties: false },
  code: '({ who }, { settings }) => `${settings.word} ${who}`',
} as const;

test('settings are pinned into the task, reach the tool, and change nothing that was compiled before', async ({ host }) => {
  const seen = await host.evaluate(async (greeting) => {
    const revision = await ty.tools.install(greeting, { activate: true });
    const hello = await ty.settings.set(revision, { word: 'hello', $k: [1] });
    const old = await ty.tasks.compile(harness.call('greet', { who: 'you' }));
    const bye = await ty.settings.set(revision.id, '{"word":"bye"}');
    const fresh = await ty.tasks.compile(harness.call('greet', { who: 'you' }));
    const chosen = await ty.tasks.compile({ role: 'function', content: { functionCall: { name: 'greet', arguments: { who: 'you' }, settings: hello.id } } });
    const run = async (task: Task) => (await ty.tasks.run(task)).result;
    const results = [await run(old), await run(fresh), await run(chosen)];
    const current = await ty.settings.get(revision);
    await ty.settings.remove(revision);
    const other = await ty.tools.install({ ...greeting, description: 'another revision' });
    return {
      revision, hello, bye, results, current, old, fresh, chosen,
      after: await run(old),
      none: (await ty.settings.get(revision)) === undefined,
      found: await ty.settings.lookup(hello.id),
      history: (await ty.settings.history(revision)).map((row) => [row.tool, row.id, row.active]),
      inherited: (await ty.settings.get(other)) === undefined,
      foreign: await harness.refusal(() => ty.tasks.compile({ role: 'function', content: { functionCall: { name: 'greet', tool: other.id, settings: hello.id } } })),
    };
  }, greeting);
  expect(seen.hello).toMatchObject({ id: expect.stringMatching(/^settings:b3:[0-9a-f]{64}$/), tool: seen.revision.id, values: { word: 'hello', $k: [1] } });
  expect(seen.results).toEqual(['hello you', 'bye you', 'hello you']);
  expect(seen.old.content.functionCall?.settings).toBe(seen.hello.id);
  expect(seen.fresh.content.functionCall?.settings).toBe(seen.bye.id);
  expect(seen.chosen.id, 'the same call with the same pins is the same task').toBe(seen.old.id);
  expect(seen).toMatchObject({ current: seen.bye, after: 'hello you', none: true, found: seen.hello, inherited: true });
  expect(seen.history).toEqual([[seen.revision.id, seen.hello.id, false], [seen.revision.id, seen.bye.id, false], [seen.revision.id, null, false]]);
  expect(seen.foreign).toMatchObject({ code: 'invalid_draft', path: '$.content.functionCall.settings' });
});

test('required settings that are missing, and settings that break the schema, are refused with their path', async ({ host }) => {
  const seen = await host.evaluate(async (greeting) => {
    const revision = await ty.tools.install(greeting, { activate: true });
    const plain = await harness.install('() => 1');
    return [
      await harness.refusal(() => ty.tasks.compile(harness.call('greet', {}))),
      await harness.refusal(() => ty.settings.set(revision, { word: 7 })),
      await harness.refusal(() => ty.settings.set(revision, { word: 'a', more: 1 })),
      await harness.refusal(() => ty.settings.set(revision, { word: undefined } as never)),
      await harness.refusal(() => ty.settings.set(revision, '[]')),
      await harness.refusal(() => ty.settings.set(plain, { word: 'a' })),
      await harness.refusal(() => ty.settings.set(`tool:b3:${'1'.repeat(64)}`, {})),
    ].map(({ code, path }) => [code, path]);
  }, greeting);
  expect(seen.slice(0, 4)).toEqual([['invalid_settings', expect.any(String)], ['invalid_settings', '$.word'], ['invalid_settings', expect.any(String)], ['invalid_settings', '$.word']]);
  expect(seen.slice(4).map(([code]) => code)).toEqual(['invalid_settings', 'invalid_settings', 'not_found']);
});

test('an old revision stays callable after another one is active, with its settings, also when the browser was closed and opened', async ({ profile }) => {
  const page = await profile.page();
  const before = await page.evaluate(async (greeting) => {
    const one = await ty.tools.install(greeting, { activate: true });
    await ty.settings.set(one, { word: 'one' });
    const old = await ty.tasks.compile(harness.call('greet', { who: 'old' }));
    const two = await ty.tools.install({ ...greeting, code: '() => "two"', settings: { type: 'object' } }, { activate: true });
    return { one, two, old, result: (await ty.tasks.run(old)).result };
  }, greeting);
  await profile.restart();
  const again = await profile.page();
  const after = await again.evaluate(async ([one, old]) => ({
    store: ty.store,
    active: (await ty.tools.lookup('greet')).id,
    kept: (await ty.tasks.run(old)).result,
    called: (await ty.tasks.run(await ty.tasks.compile(harness.call('greet', { who: 'now' }, one)))).result,
    settings: (await ty.settings.get(one))?.values,
    history: (await ty.tools.history('greet')).map((row) => row.id),
    revisions: await ty.tools.revisions('greet'),
  }), [before.one.id, before.old.id] as const);
  expect(before.result).toBe('one old');
  const both = [before.one.id, before.two.id];
  expect(after).toEqual({ store: 'indexeddb', active: before.two.id, kept: 'one old', called: 'one now', settings: { word: 'one' }, history: both, revisions: both });
});

test('a native is unavailable after a reload until the page registers it again', async ({ profile }) => {
  const page = await profile.page();
  const task = await page.evaluate(async () => {
    const task = await harness.compile(await harness.native(() => 'here', { name: 'mine' }));
    if ((await ty.tasks.run(task)).result !== 'here') throw new Error('it did not run');
    return task.id;
  });
  await profile.restart();
  const seen = await (await profile.page()).evaluate(async (task) => {
    const gone = await ty.tasks.run(task);
    await harness.native(() => 'back', { name: 'mine' });
    return { gone, back: (await ty.tasks.run(task)).result };
  }, task);
  expect(seen).toMatchObject({ gone: { outcome: 'unavailable', started: false, error: { message: expect.stringContaining('not registered') } }, back: 'back' });
});

test('a blocked revision is refused at every door, also where a task pins it and after a reload, until the block is taken back', async ({ profile }) => {
  const page = await profile.page();
  const before = await page.evaluate(async () => {
    const revision = await harness.install('() => "ran"', { name: 'bad' });
    const task = await harness.compile(revision);
    await ty.tasks.run(task);
    const open = (await ty.sandboxes.list()).length;
    await ty.tools.block(revision, 'leaks');
    return { revision: revision.id, task: task.id, open, left: (await ty.sandboxes.list()).length };
  });
  expect(before).toMatchObject({ open: 1, left: 0 });
  const look = async ({ revision, task }: { revision: ToolID; task: TaskID }) => ({
    run: await ty.tasks.run(task),
    refused: [
      await harness.refusal(() => ty.tasks.compile(harness.call('bad', {}))),
      await harness.refusal(() => ty.tasks.compile(harness.call('bad', {}, revision))),
      await harness.refusal(() => ty.tools.activate(revision)),
      await harness.refusal(() => ty.tools.install({ name: 'bad', description: '', code: '() => "ran"' })),
    ],
    lookup: (await ty.tools.lookup('bad')).blocked,
    manifest: await ty.tools.manifest(revision),
    blocks: (await ty.tools.blocks()).map(({ revision, reason }) => [revision, reason]),
    shown: (await ty.tools.signatures('mcp')).notes,
  });
  const check = async (at: Page) => {
    const seen = await at.evaluate(look, before);
    expect(seen.run).toMatchObject({ outcome: 'denied', started: false, error: { code: 'denied', message: expect.stringContaining('leaks') } });
    expect(seen.refused.map((r) => r.code)).toEqual(['denied', 'denied', 'denied', 'denied']);
    expect(seen).toMatchObject({ lookup: 'leaks', manifest: { blocked: true, blockReason: 'leaks', active: true } });
    expect(seen.blocks).toEqual([[before.revision, 'leaks']]);
    expect(seen.shown).toEqual([expect.objectContaining({ tool: 'bad', refused: true })]);
  };
  await check(page);
  await profile.restart();
  const again = await profile.page();
  await check(again);
  const after = await again.evaluate(async ({ revision, task }) => {
    await ty.tools.unblock(revision);
    return { result: (await ty.tasks.run(task)).result, blocked: 'blocked' in (await ty.tools.lookup('bad')), blocks: await ty.tools.blocks() };
  }, before);
  expect(after).toEqual({ result: 'ran', blocked: false, blocks: [] });
});

test('a removed name means nothing, its revisions stay, what is pinned runs, and activating brings it back', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const revision = await harness.install('() => 1', { name: 'gone' });
    const task = await harness.compile(revision);
    const unused = await ty.tools.install({ name: 'gone', description: 'never used', code: '() => 2' });
    await ty.tools.remove('gone');
    const removed = {
      lookup: await harness.refusal(() => ty.tools.lookup('gone')),
      draft: await harness.refusal(() => ty.tasks.compile(harness.call('gone', {}))),
      again: await harness.refusal(() => ty.tools.remove('gone')),
      list: await ty.tools.list(),
      history: (await ty.tools.history('gone')).map((row) => [row.id, row.active]),
      revisions: await ty.tools.revisions('gone'),
      result: (await ty.tasks.run(task)).result,
    };
    const erased = await ty.tools.eraseUnpinned();
    const kept = await ty.tools.revisions('gone');
    await ty.tools.activate(revision);
    return { revision, unused, removed, erased, kept, back: (await ty.tools.lookup('gone')).id };
  });
  expect(seen.removed).toMatchObject({ lookup: { code: 'not_found' }, draft: { code: 'not_found' }, again: { code: 'not_found' }, list: [], result: 1 });
  expect(seen.removed.history).toEqual([[seen.revision.id, false], [null, false]]);
  expect(seen.removed.revisions).toEqual([seen.revision.id, seen.unused.id]);
  expect(seen).toMatchObject({ erased: [seen.unused.id], kept: [seen.revision.id], back: seen.revision.id });
});

test('how two revisions differ is data', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const one = await ty.tools.install({ name: 'a', description: 'x', code: '() => 1', needs: { storage: true } });
    const two = await ty.tools.install({ name: 'a', description: 'x', code: '() => 2', parameters: { type: 'object', properties: { n: {} } } });
    return { there: await ty.tools.diff(one, two.id), same: await ty.tools.diff(one, one), unknown: await harness.refusal(() => ty.tools.diff(one, `tool:b3:${'1'.repeat(64)}`)) };
  });
  expect(seen.there).toEqual([
    { path: '$.implementation.code', kind: 'changed', before: '() => 1', after: '() => 2' },
    { path: '$.needs', kind: 'removed', before: { storage: true }, after: null },
    { path: '$.parameters.properties', kind: 'added', before: null, after: { n: {} } },
  ]);
  expect(seen).toMatchObject({ same: [], unknown: { code: 'not_found' } });
});

test('a manifest tells of a tool all but its code', async ({ host }) => {
  const seen = await host.evaluate(async (greeting) => {
    const revision = await ty.tools.install({ ...greeting, longDescription: 'long', returns: { type: 'string' }, needs: { secrets: ['KEY'] } }, { activate: true });
    const python = await ty.tools.install({ name: 'snake', description: '', implementation: { class: 'sandboxed-code', language: 'python', code: 'def f(): pass' } });
    const settings = await ty.settings.set(revision, { word: 'a' });
    return { revision, settings, byName: await ty.tools.manifest('greet'), list: await ty.tools.manifests(), other: await ty.tools.manifest(python.id) };
  }, greeting);
  const { settings, parameters } = greeting;
  expect(seen.byName).toEqual({
    id: seen.revision.id, name: 'greet', description: '', longDescription: 'long', class: 'sandboxed-code', language: 'javascript', parameters,
    returns: { type: 'string' }, needs: { secrets: ['KEY'] }, settingsSchema: settings, settings: seen.settings.id, active: true, blocked: false,
  });
  expect(seen.list).toEqual([seen.byName]);
  expect(seen.other).toMatchObject({ active: false, language: 'python', missing: expect.stringContaining('python') });
});

test('activating another revision ends the sandbox of the old one after its running call, and its state is gone', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const one = await harness.install('let n = 0; export default async ({ ms }) => { await new Promise((r) => setTimeout(r, ms)); return ++n }', { name: 'changing' });
    await harness.runRevision(one, { ms: 0 });
    const running = harness.runRevision(one, { ms: 200 });
    while ((await ty.sandboxes.list())[0]?.phase !== 'running') await new Promise((done) => setTimeout(done, 5));
    const two = await harness.install('() => "two"', { name: 'changing' });
    const during = (await ty.sandboxes.list()).map((s) => s.revision === one.id);
    const result = (await running).result;
    return { during, result, after: await ty.sandboxes.list(), again: (await harness.runRevision(one, { ms: 0 })).result, two: (await harness.runRevision(two)).result };
  });
  expect(seen).toEqual({ during: [true], result: 2, after: [], again: 1, two: 'two' });
});
