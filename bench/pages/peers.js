import { timed } from '/common.js';
import { codemode } from '/peer-codemode.js';
import { ours } from '/peer-ours.js';
import { quickjs } from '/peer-quickjs.js';
import { watch, wait } from '/watch.js';

const open = { ours, codemode, quickjs };

/** A sort of 100,000 numbers. */
const sort = `() => {
  let seed = 1;
  const numbers = Array.from({ length: 1e5 }, () => (seed = (seed * 48271) % 2147483647));
  numbers.sort((a, b) => a - b);
  return numbers[5e4];
}`;

/** SHA-256 of 1 MiB of zeros, by hand. */
const sha = `() => {
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
  const part = (x) => ((x - Math.floor(x)) * 2 ** 32) | 0;
  const k = primes.map((p) => part(Math.cbrt(p)));
  const h = primes.slice(0, 8).map((p) => part(Math.sqrt(p)));
  const length = 1 << 20;
  const bytes = new Uint8Array(length + 64);
  bytes[length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(length + 60, length * 8);
  const w = new Int32Array(64);
  for (let at = 0; at < bytes.length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + i * 4);
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + w[i - 7] + (((a >>> 7) | (a << 25)) ^ ((a >>> 18) | (a << 14)) ^ (a >>> 3)) + (((b >>> 17) | (b << 15)) ^ ((b >>> 19) | (b << 13)) ^ (b >>> 10));
    }
    let [a, b, c, d, e, f, g, l] = h;
    for (let i = 0; i < 64; i++) {
      const t = (l + (((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))) + ((e & f) ^ (~e & g)) + k[i] + w[i]) | 0;
      const u = ((((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      l = g; g = f; f = e; e = (d + t) | 0; d = c; c = b; b = a; a = (t + u) | 0;
    }
    [a, b, c, d, e, f, g, l].forEach((v, i) => { h[i] = (h[i] + v) | 0 });
  }
  return h.map((v) => (v >>> 0).toString(16).padStart(8, '0')).join('');
}`;

/**
 * What one program does with the same tools. A peer has `cold(code)` (a fresh place, opened, run, closed), `warm(code)` (a tool that has
 * run before, in the place that the program keeps for it, if it keeps any), `endless(code, ms)` and `flood(ms)`,
 * each with how it ended; their time is from the text on, so it includes installing or opening a place.
 */
async function peer(name, { rounds }) {
  const subject = await open[name]();
  const must = (value, want) => {
    if (value !== want) throw new Error(`${name}: ${JSON.stringify(value)}, want ${JSON.stringify(want)}`);
  };
  const many = async (f) => {
    const took = [];
    for (let round = -2; round < rounds; round++) {
      await subject.between?.();
      const one = await timed(() => f(round));
      if (round >= 0) took.push(one);
    }
    return took;
  };
  const found = {};
  found['cold ms'] = await many(async (round) => must(await subject.cold(`() => ${round}`), round));
  found['cold in a warm place ms'] = subject.pooled ? await many(async (round) => must(await subject.pooled(`() => ${round} + 1000`), round + 1000)) : 'has none';
  const echo = await subject.warm('() => 7');
  found['warm ms'] = await many(async () => must(await echo(), 7));
  const sorted = await subject.warm(sort);
  const middle = (0, eval)(sort)();
  found['sort 100,000 ms'] = await many(async () => must(await sorted(), middle));
  const hashed = await subject.warm(sha);
  const zeros = [...new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(1 << 20)))].map((b) => b.toString(16).padStart(2, '0')).join('');
  found['SHA-256 of 1 MiB ms'] = await many(async () => must(await hashed(), zeros));
  for (const [what, run] of [['endless loop', () => subject.endless('() => { for (;;); }', 1000)], ['flood of calls', () => subject.flood(1000)]]) {
    await subject.between?.();
    await wait(500);
    const stalled = watch();
    let ended;
    const took = await timed(async () => (ended = await run()));
    await Promise.race([wait(Math.max(0, 1500 - took))]);
    found[`${what}: ended`] = ended;
    found[`${what}: after ms`] = took;
    found[`${what}: longest stall of the page ms`] = stalled();
    must(await echo(), 7);
  }
  await subject.close();
  return found;
}

globalThis.bench = { peer };
