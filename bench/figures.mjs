// `make figures`: what a tool can do to its page, in three engines, as rows `engine:name value limit ok|MISSED`. ENGINES=firefox
// chooses some, `node bench/figures.mjs kills` subjects. Wants a quiet machine: another program's work counts as a stall of the page.
import { loadavg } from 'node:os';
import { Report } from './report.mjs';
import { Room } from './figures/room.mjs';
import { bombs } from './figures/bombs.mjs';
import { kills } from './figures/kills.mjs';
import { places } from './figures/places.mjs';
import { stalls } from './figures/stalls.mjs';

const subjects = { places, stalls, kills, bombs };

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in subjects));
if (unknown.length > 0) throw new Error(`no such subject: ${unknown}; there are ${Object.keys(subjects)}`);
const engines = (process.env.ENGINES ?? 'chromium,firefox,webkit').split(',').filter(Boolean);

const report = new Report();
for (const engine of engines) {
  for (const [name, subject] of Object.entries(subjects)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const [load] = loadavg();
    if (load > 1.5) console.log(`# the machine is busy, its load is ${load.toFixed(1)}: what else it does counts too`);
    const room = await Room.open(engine);
    try {
      await subject(room, report);
    } finally {
      await room.close();
    }
  }
}
if (report.missed > 0) {
  console.log(`${report.missed} limit${report.missed === 1 ? '' : 's'} missed`);
  process.exitCode = 1;
}
