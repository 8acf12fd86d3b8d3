// `make bench`: prints `name value limit ok|MISSED` for each row, as a ratio against a raw baseline of the same page and run,
// keeps the raw samples in bench/samples, and fails on a miss.
import { readFile, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { chromium } from '@playwright/test';

const site = 'build/bench';

const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.wasm': 'application/wasm' };

async function serve() {
  const server = createServer((request, response) => {
    readFile(join(site, new URL(request.url, 'http://bench').pathname)).then(
      (body) => response.writeHead(200, { 'content-type': types[extname(request.url)] ?? 'text/plain' }).end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const quantile = (numbers, q) => sorted(numbers)[Math.min(numbers.length - 1, Math.floor(numbers.length * q))];
const median = (numbers) => quantile(numbers, 0.5);
const mean = (numbers) => numbers.reduce((a, b) => a + b, 0) / numbers.length;

/** A ratio with its spread: pairs of the same round divided, 10th to 90th percentile. */
function ratio(ours, baseline, middle) {
  const pairs = ours.map((value, i) => value / baseline[i]);
  return { value: middle(ours) / middle(baseline), low: quantile(pairs, 0.1), high: quantile(pairs, 0.9) };
}

let missed = 0;

function row(name, value, limit, note) {
  const verdict = value <= limit ? 'ok' : 'MISSED';
  if (verdict === 'MISSED') missed++;
  console.log(`${name} ${value.toFixed(2)} ${limit} ${verdict}  (${note})`);
}

const spread = (r) => `10-90 %: ${r.low.toFixed(2)} to ${r.high.toFixed(2)}`;
const ms = (n) => `${n.toFixed(2)} ms`;

const server = await serve();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
try {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/bench.html`);
  await page.waitForFunction(() => 'bench' in globalThis);
  const samples = {
    warm: await page.evaluate(() => bench.warm({ rounds: 40, batch: 50 })),
    first: await page.evaluate(() => bench.first({ rounds: 25 })),
    start: await page.evaluate(() => bench.start({ rounds: 15 })),
  };
  await mkdir('bench/samples', { recursive: true });
  for (const [name, numbers] of Object.entries(samples)) await writeFile(`bench/samples/${name}.json`, JSON.stringify(numbers, null, 1));

  const { warm, first, start } = samples;
  const call = ratio(warm.ours, warm.supervised, mean);
  row('warm-call', call.value, 2.5, `${spread(call)}; ours ${ms(mean(warm.ours))}, frame + supervisor + echo worker ${ms(mean(warm.supervised))}, direct frame worker ${ms(mean(warm.direct))}`);
  const opened = ratio(first.ours, first.raw, median);
  row('first-call', opened.value, 1.8, `${spread(opened)}; ours ${ms(median(first.ours))}, raw frame + worker ${ms(median(first.raw))}`);
  const begun = ratio(start.ours, start.empty, median);
  row('start', begun.value, 3, `${spread(begun)}; ours ${ms(median(start.ours))}, empty Go program ${ms(median(start.empty))}`);
  const wasm = await readFile(join(site, 'taskyon.wasm'));
  const packed = brotliCompressSync(wasm, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: wasm.length } });
  row('wasm-brotli-mb', packed.length / 1e6, 1.5, `${(wasm.length / 1e6).toFixed(2)} MB raw`);
} finally {
  await browser.close();
  server.close();
}
if (missed > 0) {
  console.log(`${missed} limit${missed === 1 ? '' : 's'} missed`);
  process.exitCode = 1;
}
