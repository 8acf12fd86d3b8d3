import { loadTaskyon } from '/taskyon.js';
import { openDirect, openSupervised } from '/raw.js';

const draft = (name, args, tool) => ({ role: 'function', content: { functionCall: { name, arguments: args, tool } } });

async function timed(f) {
  const before = performance.now();
  await f();
  return performance.now() - before;
}

/** Means of batches, the three subjects interleaved batch by batch, in milliseconds a call. */
async function warm({ rounds, batch }) {
  const ty = await loadTaskyon({ store: 'memory' });
  const revision = await ty.tools.install({ name: 'echo', description: '', code: '({ text }) => text' }, { activate: true });
  const task = await ty.tasks.compile(draft('echo', { text: 'hello' }, revision.id));
  const direct = await openDirect();
  const supervised = await openSupervised();
  const text = JSON.stringify({ kind: 'call', call: 1, args: { text: 'hello' } });
  const subjects = {
    ours: async () => {
      const record = await ty.tasks.run(task);
      if (record.result !== 'hello') throw new Error(JSON.stringify(record));
    },
    supervised: () => supervised.ask(text),
    direct: () => direct.ask(text),
  };
  const samples = { ours: [], supervised: [], direct: [] };
  for (let round = -40; round < rounds; round++) {
    for (const [name, f] of Object.entries(subjects)) {
      const total = await timed(async () => {
        for (let i = 0; i < batch; i++) await f();
      });
      if (round >= 0) samples[name].push(total / batch);
    }
  }
  direct.close();
  supervised.close();
  await ty.close();
  return samples;
}

/** First call of a new revision against a raw frame with a worker, interleaved, in milliseconds. */
async function first({ rounds }) {
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

/** Instantiate and start, against an empty Go program from the same toolchain, interleaved, in milliseconds. */
async function start({ rounds }) {
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

globalThis.bench = { warm, first, start };
