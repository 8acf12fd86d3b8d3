import type { Definition, Revision } from '../wasm/loader/taskyon.js';
import { expect, test, type Web } from './hostile.js';

const stores = { needs: { storage: true } };

/** Installs a tool that does one thing with its storage, as its arguments say. */
const keeper = (web: Web, more: Partial<Definition> = {}): Promise<Revision> =>
  web.install(`return said(context.storage[args.op](...args.with))`, { ...stores, name: 'keeper', ...more });

const does = (op: string, ...values: unknown[]) => ({ op, with: values });

test('what a tool stores survives its sandbox and a reload, as what it was', async ({ web, page }) => {
  await web.load({ store: 'indexeddb' });
  const writer = await web.install(`
    const { storage } = context;
    const before = [await storage.get('a'), await storage.list(), await storage.delete('a')];
    await storage.set('a', { list: [1, null, 'ü'], bytes: new Uint8Array([0, 255]), big: 10n ** 30n, at: new Date(5), none: undefined, map: new Map([[1, 2]]) });
    await storage.set('a/b', null);
    await storage.set('z', 'last');
    return [before, await storage.list('a'), await storage.delete('z'), await storage.get('z')];
  `, { ...stores, name: 'writer' });
  const reader = await web.install(`const a = await context.storage.get(args.key); return [a, a?.bytes instanceof Uint8Array, a?.at instanceof Date, a?.map instanceof Map && a.map.get(1), 'none' in (a ?? {})]`, { ...stores, name: 'reader' });
  expect(await web.result(writer)).toEqual([[undefined, [], false], ['a', 'a/b'], true, undefined]);
  // Another revision has its own.
  expect(await web.result(reader, { key: 'a' })).toEqual([undefined, false, false, false, false]);
  await page.evaluate(() => ty.sandboxes.clear());
  await page.reload();
  await web.load({ store: 'indexeddb' });
  const usage = await page.evaluate(() => ty.storage.list());
  expect(usage).toEqual([{ revision: writer.id, keys: 2, bytes: expect.any(Number) }]);
  expect(usage[0]!.bytes).toBeGreaterThan(50);
  await page.evaluate(([from, to]) => ty.storage.carry(from, to), [writer, reader] as const);
  expect(await web.result(reader, { key: 'a' })).toEqual([
    { list: [1, null, 'ü'], bytes: new Uint8Array([0, 255]), big: 10n ** 30n, at: new Date(5), none: undefined, map: expect.anything() }, true, true, 2, true,
  ]);
  expect(await web.result(reader, { key: 'a/b' })).toEqual([null, false, false, false, false]);
  const values = await page.evaluate((revision) => ty.storage.read(revision), writer);
  expect(values.map(({ partition, key }) => [partition, key])).toEqual([['', 'a'], ['', 'a/b']]);
  expect((await page.evaluate(([from, to]) => harness.refusal(() => ty.storage.carry(from, to)), [writer, reader] as const)).code).toBe('invalid_request');
});

test('partitions and revisions have storage of their own, and erasing a tool erases it', async ({ web, page }) => {
  await web.load({ store: 'indexeddb' });
  const first = await keeper(web);
  const second = await keeper(web, { description: 'changed' });
  const at = async (revision: Revision, partition: string, args: object) => (await web.run(revision, args, { partition })).result;
  await at(first, 'alice', does('set', 'k', 'of alice'));
  await at(first, 'bob', does('set', 'k', 'of bob'));
  await at(second, 'alice', does('set', 'k', 'changed'));
  expect(await at(first, 'alice', does('get', 'k'))).toBe('of alice');
  expect(await at(first, 'bob', does('get', 'k'))).toBe('of bob');
  expect(await at(first, '', does('get', 'k'))).toBe(undefined);
  expect(await at(second, 'alice', does('get', 'k'))).toBe('changed');
  expect((await page.evaluate(() => ty.storage.list())).map(({ revision, keys }) => [revision, keys]).sort()).toEqual([[first.id, 2], [second.id, 1]].sort());
  await page.evaluate((revision) => ty.storage.clear(revision), second);
  expect(await at(second, 'alice', does('get', 'k'))).toBe(undefined);
  expect(await at(first, 'alice', does('get', 'k'))).toBe('of alice');
  // What nobody is pinned to any more can be erased, and its storage goes with it.
  await page.evaluate(async (id) => {
    for (const task of await ty.tasks.children()) if (task.content.functionCall?.tool === id) await ty.tasks.erase(task);
    await ty.tools.erase(id);
  }, first.id);
  expect(await page.evaluate(() => ty.storage.list())).toEqual([]);
});

test('storage that is full, undeclared or asked for nonsense says so and keeps what it has', async ({ web }) => {
  await web.load({ limits: { storageBytes: 2000, storageKeys: 3, storageKeyBytes: 16 } });
  const revision = await keeper(web);
  const code = async (...[op, ...values]: [string, ...unknown[]]) => ((await web.result(revision, does(op, ...values))) as { failed: string } | undefined)?.failed;
  expect(await code('set', 'a', 'x')).toBe(undefined);
  expect(await code('set', 'a', 'x'.repeat(3000))).toBe('too_large');
  expect(await code('set', 'k'.repeat(17), 1)).toBe('too_large');
  expect(await code('set', '', 1)).toBe('invalid_request');
  expect(await code('set', 5, 1)).toBe('invalid_request');
  expect(await code('set', 'a')).toBe('invalid_request');
  expect(await code('set', 'b', 1)).toBe(undefined);
  expect(await code('set', 'c', 1)).toBe(undefined);
  expect(await code('set', 'd', 1)).toBe('too_large');
  expect(await web.result(revision, does('get', 'a'))).toBe('x');
  expect(await web.result(await web.install(`return said(context.storage.set('f', () => 1))`, stores))).toMatchObject({ failed: 'invalid_value' });
  const record = await web.run(await web.install(`return said(context.storage.get('a'))`, { needs: {} }));
  expect(record.result).toMatchObject({ failed: 'denied' });
  expect(record.asks).toMatchObject([{ capability: 'storage', decision: 'denied', sent: false }]);
  expect(await web.asked()).toEqual([]);
});

test('calls that write at once lose nothing', async ({ web }) => {
  await web.load({ store: 'indexeddb' });
  const revision = await web.install(`await Promise.all(Array.from({ length: 20 }, (_, i) => context.storage.set(args.n + '-' + i, i))); return (await context.storage.list()).length`, stores);
  await Promise.all(Array.from({ length: 5 }, (_, n) => web.page.evaluate(([revision, n]) => harness.runRevision(revision, { n }, { disposable: true }), [revision, n] as const)));
  expect(await web.result(revision, { n: 5 })).toBe(120);
});
