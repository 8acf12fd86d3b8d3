import { loadTaskyon } from '/taskyon.js';
import { draft, timed } from '/common.js';
import { wait, warmed } from '/watch.js';

// (module (func (export "f") (loop (br 0))))
const wasm = '0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,102,0,0,10,9,1,7,0,3,64,12,0,11,11';

const codes = {
  loop: '({ go }) => { for (; go;); return 1 }',
  microtasks: 'async ({ go }) => { while (go) await null; return 1 }',
  wasm: `({ go }) => { if (go) new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array([${wasm}]))).exports.f(); return 1 }`,
};

/** A warm sandbox that was taken is replaced so much later, and never sooner; a call that finds none opens a frame at once. */
const REST_MS = 100;

/** Gives a function that tells how many milliseconds from now on the first frame came into the page. */
function firstFrame() {
  const began = performance.now();
  let after = Infinity;
  const observer = new MutationObserver((records) => {
    if (records.some(({ addedNodes }) => addedNodes.length > 0)) after = Math.min(after, performance.now() - began);
  });
  observer.observe(document.body, { childList: true });
  return () => {
    observer.disconnect();
    return after;
  };
}

/**
 * Milliseconds from a call's deadline, counted from when the page asked for it, until it settled; of the call after it; and, in between, of
 * the first call of a new revision in a warm sandbox. `cold` counts the calls after a kill for which a frame was opened.
 */
export async function kills({ kind, rounds, callMs, slotMs }) {
  const ty = await loadTaskyon({ store: 'memory', limits: { callMs, restMs: REST_MS, restartsPerMinute: 100_000 } });
  const one = async (task) => {
    const record = await ty.tasks.run(task);
    if (record.outcome !== 'ok') throw new Error(JSON.stringify(record));
  };
  const { id } = await ty.tools.install({ name: kind, description: '', code: codes[kind] }, { activate: true });
  const short = await ty.tasks.compile(draft(kind, {}, id));
  const endless = await ty.tasks.compile(draft(kind, { go: true }, id));
  await one(short);
  const samples = { first: [], late: [], next: [], cold: 0 };
  for (let round = 0; round < rounds; round++) {
    const slot = wait(slotMs);
    await warmed(ty);
    samples.first.push(await firstCall(ty, round, one));
    await one(short);
    await warmed(ty);
    const before = performance.now();
    const record = await ty.tasks.run(endless);
    samples.late.push(performance.now() - before - callMs);
    const opened = firstFrame();
    samples.next.push(await timed(() => one(short)));
    if (record.outcome !== 'timeout') throw new Error(JSON.stringify(record));
    if (opened() < REST_MS) samples.cold++;
    await slot;
  }
  await ty.close();
  return samples;
}

async function firstCall(ty, round, one) {
  const revision = await ty.tools.install({ name: `first-${round}`, description: '', code: `() => ${round}` }, { activate: true });
  const task = await ty.tasks.compile(draft(revision.name, {}, revision.id));
  const took = await timed(() => one(task));
  await ty.sandboxes.terminate(revision);
  return took;
}
