import { median, ms, ratio, spread } from '../numbers.mjs';

const LENGTH = 10_000;

/** A long lineage in one pass, against reading, parsing and hashing the same rows by hand. */
export async function lineage(host, report) {
  const page = await host.page();
  const { requests, ...samples } = await page.evaluate((length) => bench.lineage({ lengths: [100, length], rounds: 9 }), LENGTH);
  await report.keep('lineage-10000', { requests, ...samples });
  const [short, long] = [requests[100], requests[LENGTH]];
  if (!(short > 0) || long > short) {
    throw new Error(`lineage: ${long} IndexedDB requests for ${LENGTH} tasks, ${short} for 100; their number must not grow with the length`);
  }
  const whole = ratio(samples.ours, samples.raw, median);
  report.row('lineage-10000', whole.value, 2, `${spread(whole)}; ours ${ms(median(samples.ours))} in ${long} IndexedDB requests, getAll + JSON.parse + hash-wasm ${ms(median(samples.raw))}`);
  await page.close();
}
