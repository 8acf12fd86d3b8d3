import { median } from '../numbers.mjs';

/**
 * Other programs that run code of strangers in a page, each in a page of its own, doing the same: @cloudflare/codemode (a fresh frame
 * for each run) and quickjs-emscripten (an interpreter in WebAssembly on the page's thread). Printed side by side, with no limit.
 */
export async function peers(host, report) {
  const names = ['ours', 'codemode', 'quickjs'];
  const samples = {};
  for (const name of names) {
    const page = await host.page('peers.html');
    samples[name] = await page.evaluate((name) => bench.peer(name, { rounds: 15 }), name);
    await page.close();
  }
  await report.keep('peers', samples);
  const rows = Object.keys(samples.ours);
  const show = (found) => (found === undefined ? '' : Array.isArray(found) ? median(found).toFixed(2) : typeof found === 'number' ? found.toFixed(0) : String(found));
  const table = [['peers', ...names], ...rows.map((row) => [row, ...names.map((name) => show(samples[name][row]))])];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const row of table) console.log(row.map((cell, column) => cell.padEnd(widths[column])).join('  ').trimEnd());
}
