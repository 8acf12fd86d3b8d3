import { midmean, ratio, spread, us } from '../numbers.mjs';

/** Looking a name up among few and many revisions: flat, however they are spread over names. */
export async function lookup(host, report) {
  const options = { sizes: [10, 1000, 100_000], rounds: 40, batch: 100 };
  const samples = {};
  for (const spreading of ['names', 'history']) {
    const page = await host.page(); // a page each, so that the memory of one is gone before the other
    samples[spreading] = await page.evaluate((o) => bench.lookup(o), { ...options, spreading });
    await page.close();
  }
  await report.keep('lookup', samples);
  const { names, history } = samples;
  const most = ratio(names[100_000], names[10], midmean);
  const other = (all, size) => ratio(all[size], all[10], midmean).value.toFixed(2);
  report.row('lookup', most.value, 1.5, `${spread(most)}; 100,000 names ${us(midmean(names[100_000]))}, 10 names ${us(midmean(names[10]))}, 1,000 to 10: ${other(names, 1000)}; ` +
    `all under one name: 100,000 to 10: ${other(history, 100_000)}, 1,000 to 10: ${other(history, 1000)}; ` +
    `a name that was not asked for lately: 100,000 to 1,000: ${ratio(names.cold100000, names.cold1000, midmean).value.toFixed(2)}, ${us(midmean(names.cold100000))}`);
}
