import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { site } from '../host.mjs';
import { least, median, ms, ratio, spread, us } from '../numbers.mjs';

const mib = 1 << 20;

/** What tools ask for through the engine, against the page's own fetch of the same server. */
export async function fetches(host, report) {
  const remote = await Remote.open();
  const { origin } = remote;
  try {
    await smallAndLarge(host, report, origin);
    await memory(host, report, origin);
  } finally {
    remote.close();
  }
  const page = await host.page();
  const decided = await report.keep('policy', await page.evaluate(() => bench.policy({ rounds: 9 })));
  const decision = ratio(decided.ours, decided.parse, median);
  await page.close();
  report.row('policy', 1000 * least(decided.ours), 20, `µs a decision at best, median ${us(median(decided.ours))}; new URL ${(1000 * median(decided.parse)).toFixed(2)} µs, ratio ${decision.value.toFixed(2)}, ${spread(decision)}`);
}

async function smallAndLarge(host, report, origin) {
  const page = await host.page();
  const small = await report.keep('fetch-1k', await page.evaluate((o) => bench.small(o), { origin, rounds: 30, batch: 20 }));
  const floor = small.direct.map((took, i) => took + small.call[i]);
  const one = ratio(small.ours, floor, median);
  report.row('fetch-1k', one.value, 1.5, `${spread(one)}; ours ${us(median(small.ours))}, direct fetch ${us(median(small.direct))}, warm call ${us(median(small.call))}`);
  await page.close();

  const other = await host.page();
  const bytes = 50 * mib;
  const large = await report.keep('fetch-50m', await other.evaluate((o) => bench.large(o), { origin, rounds: 7, bytes }));
  const whole = ratio(large.ours, large.direct, median);
  const pace = (took) => `${(bytes / mib / (median(took) / 1000)).toFixed(0)} MiB/s`;
  report.row('fetch-50m', whole.value, 1.67, `${spread(whole)}; ours ${ms(median(large.ours))}, ${pace(large.ours)}, direct ${ms(median(large.direct))}, ${pace(large.direct)}`);
  await other.close();
}

/** The memory of every process of the page beyond what it was, at its highest while bodies stream one after another. */
async function memory(host, report, origin) {
  const page = await host.page();
  const bytes = 50 * mib;
  const times = 12;
  let before;
  await page.exposeFunction('begun', async () => {
    before = await host.memory();
  });
  let peak = 0;
  let over = false;
  const streamed = page.evaluate((o) => bench.stream(o), { origin, bytes, times }).finally(() => (over = true));
  while (!over) {
    if (before !== undefined) peak = Math.max(peak, (await host.memory()) - before);
    await new Promise((done) => setTimeout(done, 10));
  }
  await streamed;
  await report.keep('fetch-memory', { before, peak });
  report.row('fetch-memory', peak / (times * bytes), 0.5, `grew by ${(peak / mib).toFixed(0)} MiB at most, above ${(before / mib).toFixed(0)} MiB, while ${times} × 50 MiB streamed`);
  await page.close();
}

/** The server of bench/remote. Its name is one that the host leads to this machine. */
class Remote {
  #process;
  origin;

  static async open() {
    const remote = new Remote();
    remote.#process = spawn(join(site, 'remote'), { stdio: ['pipe', 'pipe', 'inherit'] });
    const port = await new Promise((done, fail) => {
      remote.#process.once('error', fail);
      remote.#process.stdout.once('data', (line) => done(Number(line)));
    });
    remote.origin = `https://api.example.com:${port}`;
    return remote;
  }

  close() {
    this.#process.stdin.end();
  }
}
