import { loadTaskyon } from '/taskyon.js';
import { definition, many, timed } from '/common.js';

/** Instantiate and start, against an empty Go program from the same toolchain, interleaved, in milliseconds. */
export async function start({ rounds }) {
  const samples = { ours: [], empty: [] };
  for (let round = -2; round < rounds; round++) {
    let ty;
    const ours = await timed(async () => {
      ty = await loadTaskyon({ store: 'memory' });
    });
    await ty.close();
    const empty = await timed(startEmpty);
    if (round >= 0) {
      samples.ours.push(ours);
      samples.empty.push(empty);
    }
  }
  return samples;
}

async function startEmpty() {
  const go = new globalThis.GoOfTheBench();
  const { instance } = await WebAssembly.instantiateStreaming(fetch('/empty.wasm'), go.importObject);
  const up = new Promise((done) => {
    globalThis.fsOfTheBench.up = done;
  });
  for (const name of ['fs', 'process', 'path']) globalThis[name] = globalThis[`${name}OfTheBench`];
  void go.run(instance);
  await up;
  for (const name of ['fs', 'process', 'path']) delete globalThis[name];
}

/** Stores that many revisions, each active under a name of its own; returns how many are. */
export async function fillRevisions(count) {
  const ty = await openStored();
  await many(count, (i) => ty.tools.install(definition(`tool-${i}`, i), { activate: true }));
  const { length } = await ty.tools.list();
  await ty.close();
  return length;
}

/** Milliseconds until an engine over this origin's database is open. */
export async function startStored() {
  let ty;
  const took = await timed(async () => {
    ty = await openStored();
  });
  await ty.close();
  return took;
}

async function openStored() {
  const ty = await loadTaskyon({ store: 'indexeddb' });
  if (ty.store !== 'indexeddb') throw new Error(`the store is ${ty.store}`);
  return ty;
}
