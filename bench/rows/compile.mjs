import { blake3 } from '@noble/hashes/blake3.js';
import { midmean, ratio, spread, us } from '../numbers.mjs';

const ascii = (text) => new TextEncoder().encode(text);

/** The identity of a task as a third hand computes it, from the baseline's canonical text. */
const idOf = (text) => `task:b3:${Buffer.from(blake3(ascii(text), { context: ascii('taskyon 2026 task v1') })).toString('hex')}`;

/** Compiling against an RFC 8785 package and BLAKE3 of another program in the same page, every task a new one. */
export async function compile(host, report) {
  const page = await host.page();
  const { same, bytes, ...samples } = await page.evaluate(() => bench.compile({ rounds: 30, batch: 200 }));
  for (const { text, id } of same) {
    if (idOf(text) !== id) throw new Error(`compile: the baseline's text is not what ${id} names: ${text}`);
  }
  await report.keep('compile-task', samples);
  const object = ratio(samples.object, samples.objectBaseline, midmean);
  const text = ratio(samples.text, samples.textBaseline, midmean);
  report.row('compile-task', object.value, 1, `${spread(object)}; ${bytes} bytes of arguments; ours ${us(midmean(samples.object))}, canonicalize + hash-wasm ${us(midmean(samples.objectBaseline))}; ` +
    `from JSON text ${text.value.toFixed(2)}: ours ${us(midmean(samples.text))}, baseline ${us(midmean(samples.textBaseline))}`);
  await page.close();
}
