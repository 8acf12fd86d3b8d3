// `make bench`: prints `name value limit ok|MISSED` for each row, as a ratio against a raw baseline of the same page and run,
// keeps the raw samples in bench/samples, and fails on a miss. `node bench/run.mjs compile lookup` runs those subjects only,
// `peers` among them, which is not part of the rest.
import { Host } from './host.mjs';
import { Report } from './report.mjs';
import { calls } from './rows/calls.mjs';
import { compile } from './rows/compile.mjs';
import { fetches } from './rows/fetch.mjs';
import { lineage } from './rows/lineage.mjs';
import { lookup } from './rows/lookup.mjs';
import { peers } from './rows/peers.mjs';
import { size } from './rows/size.mjs';
import { start } from './rows/start.mjs';

const subjects = { calls, start, size, compile, lookup, lineage, fetch: fetches };
/** Others' programs beside this one: figures without a limit, so only when asked for. */
const asked = { peers };

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in subjects || name in asked));
if (unknown.length > 0) throw new Error(`no such subject: ${unknown}; there are ${Object.keys({ ...subjects, ...asked })}`);

const report = new Report();
const host = await Host.open();
try {
  for (const [name, subject] of Object.entries({ ...subjects, ...asked })) {
    if (wanted.includes(name) || (wanted.length === 0 && name in subjects)) await subject(host, report);
  }
} finally {
  await host.close();
}
if (report.missed > 0) {
  console.log(`${report.missed} limit${report.missed === 1 ? '' : 's'} missed`);
  process.exitCode = 1;
}
