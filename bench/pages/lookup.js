import { loadTaskyon } from '/taskyon.js';
import { batches, definition, many } from '/common.js';

/** Ten names are asked for again and again, evenly spread over all that there are. */
const ASKED = 10;
/** A step that meets every number below 1,000 and 100,000 before it meets one again. */
const STEP = 7919;

/**
 * Milliseconds a lookup among so many revisions. They are spread over as many names, or are the history of one. For names there is
 * also `cold1000` and `cold100000`: every lookup is of a name that at least 999 others were asked for after.
 */
export async function lookup({ sizes, rounds, batch, spreading }) {
  const engines = new Map();
  const nameOf = spreading === 'names' ? (i) => `tool-${i}` : () => 'tool';
  for (const size of sizes) {
    const ty = await loadTaskyon({ store: 'memory' });
    await many(size, (i) => ty.tools.install(definition(nameOf(i), i), { activate: true }));
    await installed(ty, size, spreading);
    engines.set(size, ty);
  }
  const subject = (size, numberOf) => async (i) => {
    const number = numberOf(i);
    const revision = await engines.get(size).tools.lookup(nameOf(number));
    const want = spreading === 'names' ? number : size - 1;
    if (revision.definition.description !== `number ${want}`) throw new Error(JSON.stringify(revision));
  };
  const hot = sizes.map((size) => [size, subject(size, (i) => (i % ASKED) * (size / ASKED))]);
  const samples = await batches(Object.fromEntries(hot), { warmup: 10, rounds, batch });
  if (spreading === 'names') {
    const cold = [1000, 100_000].map((size) => [`cold${size}`, subject(size, (i) => (i * STEP) % size)]);
    Object.assign(samples, await batches(Object.fromEntries(cold), { warmup: 10, rounds, batch }));
  }
  for (const ty of engines.values()) await ty.close();
  return samples;
}

async function installed(ty, size, spreading) {
  const { length } = spreading === 'names' ? await ty.tools.list() : await ty.tools.history('tool');
  if (length !== size) throw new Error(`${length} revisions are bound, not ${size}`);
}
