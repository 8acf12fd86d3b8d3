import { loadTaskyon } from '/taskyon.js';
import { openDirect, openSupervised } from '/raw.js';
import { batches, draft, timed } from '/common.js';

/** Means of batches, the three subjects interleaved batch by batch, in milliseconds a call. */
export async function warm({ rounds, batch }) {
  const ty = await loadTaskyon({ store: 'memory' });
  const revision = await ty.tools.install({ name: 'echo', description: '', code: '({ text }) => text' }, { activate: true });
  const task = await ty.tasks.compile(draft('echo', { text: 'hello' }, revision.id));
  const direct = await openDirect();
  const supervised = await openSupervised();
  const text = JSON.stringify({ kind: 'call', call: 1, args: { text: 'hello' } });
  const samples = await batches({
    ours: async () => {
      const record = await ty.tasks.run(task);
      if (record.result !== 'hello') throw new Error(JSON.stringify(record));
    },
    supervised: () => supervised.ask(text),
    direct: () => direct.ask(text),
  }, { warmup: 40, rounds, batch });
  direct.close();
  supervised.close();
  await ty.close();
  return samples;
}

/** First call of a new revision against a raw frame with a worker, interleaved, in milliseconds. */
export async function first({ rounds }) {
  const ty = await loadTaskyon({ store: 'memory' });
  const samples = { ours: [], raw: [] };
  for (let round = -3; round < rounds; round++) {
    const revision = await ty.tools.install({ name: `first-${round + 3}`, description: '', code: `() => ${round}` }, { activate: true });
    const task = await ty.tasks.compile(draft(revision.name, {}, revision.id));
    const ours = await timed(async () => {
      const record = await ty.tasks.run(task);
      if (record.result !== round) throw new Error(JSON.stringify(record));
    });
    await ty.sandboxes.terminate(revision);
    let place;
    const raw = await timed(async () => {
      place = await openDirect();
    });
    place.close();
    if (round >= 0) {
      samples.ours.push(ours);
      samples.raw.push(raw);
    }
    await new Promise((done) => setTimeout(done, 20));
  }
  await ty.close();
  return samples;
}
