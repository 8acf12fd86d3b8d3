import { loadTaskyon } from '/taskyon.js';
import { batches, draft, interleaved } from '/common.js';

const mib = 1 << 20;

const code = `async ({ url }) => {
  const { body } = await fetch(url)
  const reader = body.getReader()
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return bytes
    bytes += value.byteLength
  }
}`;

/** Reads as the tool does, in the page. */
async function direct(url) {
  const { body } = await fetch(url, { cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer' });
  const reader = body.getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return bytes;
    bytes += value.byteLength;
  }
}

/** An engine with a tool that reads from that origin, which the user has allowed for the session. */
async function opened(origin) {
  const ty = await loadTaskyon({ store: 'memory', limits: { fetchBytes: 1024 * mib, fetchMs: 120_000, callMs: 120_000 }, onPermission: () => 'session' });
  const needs = { fetch: [{ origin, access: 'read' }] };
  const reader = await ty.tools.install({ name: 'reader', description: '', needs, code }, { activate: true });
  const echo = await ty.tools.install({ name: 'echo', description: '', code: '({ text }) => text' }, { activate: true });
  const run = async (task, want) => {
    const record = await ty.tasks.run(task);
    if (record.result !== want) throw new Error(JSON.stringify(record));
  };
  const task = (n) => ty.tasks.compile(draft('reader', { url: `${origin}/bytes?n=${n}` }, reader.id));
  return { ty, run, task, echo: await ty.tasks.compile(draft('echo', { text: 'hello' }, echo.id)) };
}

/** A small fetch in a tool, a small fetch of the page, and a warm call, interleaved batch by batch, in milliseconds each. */
export async function small({ origin, rounds, batch }) {
  const { ty, run, task, echo } = await opened(origin);
  const [bytes, url] = [1024, `${origin}/bytes?n=1024`];
  const read = await task(bytes);
  const samples = await batches({
    ours: () => run(read, bytes),
    direct: async () => {
      if ((await direct(url)) !== bytes) throw new Error('short');
    },
    call: () => run(echo, 'hello'),
  }, { warmup: 10, rounds, batch });
  await ty.close();
  return samples;
}

/** A large body streamed into a tool, and read by the page, in milliseconds. */
export async function large({ origin, rounds, bytes }) {
  const { ty, run, task } = await opened(origin);
  const read = await task(bytes);
  const samples = await interleaved({
    ours: () => run(read, bytes),
    direct: async () => {
      if ((await direct(`${origin}/bytes?n=${bytes}`)) !== bytes) throw new Error('short');
    },
  }, { warmup: 1, rounds });
  await ty.close();
  return samples;
}

/** Streams bodies one after another into a tool, for somebody who watches memory from outside; `begun` tells that it is about to. */
export async function stream({ origin, bytes, times }) {
  const { ty, run, task } = await opened(origin);
  await run(await task(mib), mib);
  await globalThis.begun();
  const read = await task(bytes);
  for (let i = 0; i < times; i++) await run(read, bytes);
  await ty.close();
}

const url = 'https://api.example.com/v1/weather?city=Vienna&units=metric';

/** One decision of the policy in a Go program, and one `new URL` of the page, in milliseconds each. */
export async function policy({ rounds }) {
  const samples = { ours: [], parse: [] };
  for (let round = -1; round < rounds; round++) {
    const took = Number(await printed('/policy.wasm')) / 1000;
    if (!(took > 0)) throw new Error('the policy program did not say how long it took');
    const count = 20_000;
    const before = performance.now();
    let length = 0;
    for (let i = 0; i < count; i++) length += new URL(url).href.length;
    if (length !== count * url.length) throw new Error('another URL');
    if (round < 0) continue;
    samples.ours.push(took);
    samples.parse.push((performance.now() - before) / count);
  }
  return samples;
}

/** The line that a Go program says. */
async function printed(program) {
  const go = new globalThis.GoOfTheBench();
  const { instance } = await WebAssembly.instantiateStreaming(fetch(program), go.importObject);
  const line = new Promise((done) => {
    globalThis.fsOfTheBench.up = (bytes) => done(new TextDecoder().decode(bytes));
  });
  for (const name of ['fs', 'process', 'path']) globalThis[name] = globalThis[`${name}OfTheBench`];
  await go.run(instance);
  for (const name of ['fs', 'process', 'path']) delete globalThis[name];
  return line;
}
