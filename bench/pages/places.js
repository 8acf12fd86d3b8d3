import { loadTaskyon } from '/taskyon.js';
import { openDirect } from '/raw.js';
import { draft, timed } from '/common.js';
import { wait, warmed } from '/watch.js';

/** A disposable call with a warm sandbox ready, against a raw frame with a worker, interleaved, in milliseconds. */
export async function disposable({ rounds }) {
  const ty = await loadTaskyon({ store: 'memory' });
  const revision = await ty.tools.install({ name: 'one', description: '', code: '() => 1' }, { activate: true });
  const task = await ty.tasks.compile(draft('one', {}, revision.id));
  await ty.tasks.run(task);
  const samples = { ours: [], raw: [] };
  for (let round = -3; round < rounds; round++) {
    await warmed(ty);
    await wait(100);
    const ours = await timed(async () => {
      const record = await ty.tasks.run(task, { disposable: true });
      if (record.result !== 1) throw new Error(JSON.stringify(record));
    });
    await warmed(ty);
    await wait(100);
    let place;
    const raw = await timed(async () => {
      place = await openDirect();
    });
    place.close();
    if (round >= 0) {
      samples.ours.push(ours);
      samples.raw.push(raw);
    }
  }
  await ty.close();
  return samples;
}
