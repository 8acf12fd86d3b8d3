import { expect } from '@playwright/test';
import { test } from './profile.js';
import { shelve, shelved } from './shelf.js';
import * as released from './store-released.js';

test('a database of version 1 is upgraded with all that is in it', async ({ profile }) => {
  const before = await profile.bare();
  await before.evaluate(released.makeVersion, [released.versionOne, false] as [typeof released.versionOne, boolean]);
  const page = await profile.page();
  const { version, ...seen } = await page.evaluate(
    async ([chat, task, tool]) => {
      const lineage = await ty.tasks.lineage(task);
      const records = await ty.tasks.records(task);
      const history = await ty.tools.history('twice');
      const again = await ty.tasks.run(task);
      // What is new in version 2 works on what is old.
      await ty.tools.block(tool, 'on trial');
      const blocked = (await ty.tasks.run(task)).outcome;
      await ty.tools.unblock(tool);
      await ty.tools.remove('twice');
      const pinned = (await harness.refusal(() => ty.tools.erase(tool))).code;
      await ty.tasks.erase(chat);
      await ty.tools.erase(tool);
      return {
        version: (await indexedDB.databases()).find(({ name }) => name === 'taskyon')?.version,
        lineage: lineage.map(({ id }) => id), records: records.map(({ result }) => result), history: history.length, again: again.result, blocked, pinned,
      };
    },
    [released.chat, released.task, released.tool] as const,
  );
  expect(version).toBeGreaterThan(1);
  expect(seen).toEqual({ lineage: [released.chat, released.task], records: [42], history: 1, again: 42, blocked: 'denied', pinned: 'conflict' });
});

test('a database of version 2 is upgraded with its settings and blocks, and has an empty shelf', async ({ profile }) => {
  const before = await profile.bare();
  await before.evaluate(released.makeVersion, [released.versionTwo, false] as [typeof released.versionTwo, boolean]);
  const page = await profile.page();
  const { version, ...seen } = await page.evaluate(
    async ([task, tool]) => {
      const settings = await ty.settings.get(tool);
      const blocks = await ty.tools.blocks();
      return {
        version: (await indexedDB.databases()).find(({ name }) => name === 'taskyon')?.version,
        lineage: (await ty.tasks.lineage(task)).length, records: (await ty.tasks.records(task)).map(({ result }) => result),
        again: (await ty.tasks.run(task)).result, setting: settings?.id, theme: String(settings?.values['theme']), blocks: blocks.map(({ revision, reason }) => [revision, reason]),
      };
    },
    [released.task, released.tool] as const,
  );
  expect(version).toBeGreaterThan(2);
  expect(seen).toEqual({ lineage: 2, records: [42], again: 42, setting: released.setting, theme: 'dark', blocks: [[released.blocked, 'leaks']] });
  expect(await page.evaluate(shelved)).toEqual([]);
  // What is new in version 3 works on what is old.
  const kept = [`storage/${released.tool}/a`, `storage/${released.blocked}/a`];
  await page.evaluate(shelve, kept);
  await page.evaluate(async ([chat, tool]) => {
    await ty.tasks.erase(chat);
    await ty.tools.remove('twice');
    await ty.tools.erase(tool);
  }, [released.chat, released.tool] as const);
  expect(await page.evaluate(shelved)).toEqual(kept.slice(1));
});

for (const held of [released.versionOne, released.versionTwo]) {
  test(`a tab that holds version ${held.version} open blocks the upgrade, which says so and loses nothing`, async ({ profile }) => {
    const holder = await profile.bare();
    await holder.evaluate(released.makeVersion, [held, true] as [typeof held, boolean]);
    const page = await profile.bare();
    const refused = await page.evaluate(() => harness.refusal(() => harness.load({ store: 'indexeddb' })));
    expect(refused).toMatchObject({ code: 'unavailable', message: expect.stringContaining('close the other tabs') });
    await holder.close();
    const after = await profile.page();
    expect(await after.evaluate(async (task) => (await ty.tasks.run(task)).result, released.task)).toBe(42);
  });
}
