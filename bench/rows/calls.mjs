import { mean, median, ms, ratio, spread } from '../numbers.mjs';

/** A warm call and the first call of a revision, each against raw frames and workers. */
export async function calls(host, report) {
  const page = await host.page();
  const warm = await report.keep('warm', await page.evaluate(() => bench.warm({ rounds: 40, batch: 50 })));
  const call = ratio(warm.ours, warm.supervised, mean);
  report.row('warm-call', call.value, 1.6, `${spread(call)}; ours ${ms(mean(warm.ours))}, frame + supervisor + echo worker ${ms(mean(warm.supervised))}, direct frame worker ${ms(mean(warm.direct))}`);

  const first = await report.keep('first', await page.evaluate(() => bench.first({ rounds: 25 })));
  const opened = ratio(first.ours, first.raw, median);
  report.row('first-call', opened.value, 1.8, `${spread(opened)}; ours ${ms(median(first.ours))}, raw frame + worker ${ms(median(first.raw))}`);
  await page.close();
}
