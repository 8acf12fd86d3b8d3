import { median, ms, ratio, spread } from '../numbers.mjs';

const REVISIONS = 10_000;

/** Start-up against an empty Go program, and with many revisions stored against none. */
export async function start(host, report) {
  const page = await host.page();
  const begun = await report.keep('start', await page.evaluate(() => bench.start({ rounds: 15 })));
  const program = ratio(begun.ours, begun.empty, median);
  report.row('start', program.value, 3, `${spread(program)}; ours ${ms(median(begun.ours))}, empty Go program ${ms(median(begun.empty))}`);
  await page.close();

  const samples = await report.keep('start-10000', await stored(host));
  const filled = ratio(samples.filled, samples.empty, median);
  report.row('start-10000', filled.value, 1.3, `${spread(filled)}; with ${REVISIONS} revisions in IndexedDB ${ms(median(samples.filled))}, with none ${ms(median(samples.empty))}`);
}

/** Two origins, since a database belongs to one. The two take turns, and who is first changes. */
async function stored(host) {
  const pages = { filled: await host.page(), empty: await host.page() };
  const names = await pages.filled.evaluate((count) => bench.fillRevisions(count), REVISIONS);
  if (names !== REVISIONS) throw new Error(`${names} revisions are stored, not ${REVISIONS}`);
  const samples = { filled: [], empty: [] };
  for (let round = -3; round < 25; round++) {
    for (const name of round % 2 === 0 ? ['filled', 'empty'] : ['empty', 'filled']) {
      const took = await pages[name].evaluate(() => bench.startStored());
      if (round >= 0) samples[name].push(took);
    }
  }
  for (const page of Object.values(pages)) await page.close();
  return samples;
}
