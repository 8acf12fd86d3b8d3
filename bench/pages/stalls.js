import { loadTaskyon } from '/taskyon.js';
import { draft } from '/common.js';
import { wait, warmed, watch } from '/watch.js';

const codes = {
  silent: '({ go }) => { while (go); }',
  /** More messages than any tool may send: the supervisor ends it. */
  messages: "async ({ go }, { resolveInvocation }) => { while (go) { resolveInvocation('x').catch(() => {}); await null } }",
  /** Lines without end, until the deadline. */
  lines: "({ go }) => { while (go) console.log('a line that a tool writes without end '.repeat(5)) }",
  /** Half as much as a tool may send, for as long as it may run. */
  steady: `async ({ go }, { resolveInvocation }) => {
    const name = 'x'.repeat(9000);
    while (go) {
      for (let i = 0; i < 50; i++) resolveInvocation(name).catch(() => {});
      await new Promise((done) => setTimeout(done, 100));
    }
  }`,
};
/** How each may end. On a busy machine what was sent over time may arrive at once. */
const ends = { silent: ['timeout'], messages: ['flooded'], lines: ['timeout'], steady: ['timeout', 'flooded'] };

/** The longest stall of the page in each round and kind, in milliseconds, over the time given from the beginning of the call on. */
export async function stalls({ rounds, ms, restMs }) {
  const ty = await loadTaskyon({ store: 'memory', limits: { callMs: ms, restartsPerMinute: 100_000 } });
  const tasks = {};
  for (const [kind, code] of Object.entries(codes)) {
    const { id } = await ty.tools.install({ name: kind, description: '', code }, { activate: true });
    tasks[kind] = { idle: await ty.tasks.compile(draft(kind, {}, id)), go: await ty.tasks.compile(draft(kind, { go: true }, id)) };
  }
  const samples = Object.fromEntries(Object.keys(codes).map((kind) => [kind, []]));
  const order = Object.keys(codes);
  for (let round = 0; round < rounds; round++) {
    for (const kind of order) {
      await ty.sandboxes.clear();
      await ty.tasks.run(tasks[kind].idle);
      await warmed(ty);
      await wait(restMs);
      const stalled = watch();
      const [record] = await Promise.all([ty.tasks.run(tasks[kind].go), wait(ms)]);
      samples[kind].push(stalled());
      if (!ends[kind].includes(record.outcome)) throw new Error(`${kind}: ${JSON.stringify(record).slice(0, 500)}`);
    }
    order.push(order.shift());
  }
  await ty.close();
  return samples;
}
