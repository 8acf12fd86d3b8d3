import { expect } from '@playwright/test';
import { test } from './profile.js';

// Engines of several tabs over one database tell each other what is not so any more.

test('a revision that one tab blocks or replaces ends in the other tabs too', async ({ profile }) => {
  const [one, other] = [await profile.page(), await profile.page()];
  const { stateful, busy } = await one.evaluate(async () => ({
    stateful: (await harness.install('let n = 0; export default () => ++n', { name: 'stateful' })).id,
    busy: (await harness.install('async () => { for (;;) await new Promise((done) => setTimeout(done, 50)) }', { name: 'busy' })).id,
  }));
  const count = () => other.evaluate(async (id) => (await ty.tasks.run(await ty.tasks.compile(harness.call('stateful', {}, id)))).result, stateful);
  expect([await count(), await count()]).toEqual([1, 2]);
  const running = other.evaluate(async (id) => (await ty.tasks.run(await ty.tasks.compile(harness.call('busy', {}, id)))).outcome, busy);
  await expect.poll(() => other.evaluate(async () => (await ty.sandboxes.list()).map((box) => box.phase).sort())).toEqual(['idle', 'running']);

  await one.evaluate(async (id) => ty.tools.block(id, 'known to be bad'), busy);
  expect(await running).not.toBe('ok');
  await one.evaluate(async () => harness.install('() => "another"', { name: 'stateful' }));
  await expect.poll(() => other.evaluate(async () => (await ty.sandboxes.list()).length)).toBe(0);
  expect(await count(), 'the old revision still runs, without the state').toBe(1);
});
