import { median, ms } from '../numbers.mjs';

/** The longest stall of the page while a tool floods, against a silent busy loop in the same place. The worst kind of flood counts. */
export async function stalls(room, report) {
  const samples = await report.keep(`${room.name}-stalls`, await room.ask('stalls', { rounds: 5, ms: 3000, restMs: room.name === 'chromium' ? 2500 : 300 }, 300_000));
  const { silent, ...floods } = samples;
  const medians = Object.entries(floods).map(([kind, took]) => [kind, median(took)]).sort(([, a], [, b]) => b - a);
  const [[, worst]] = medians;
  const note = `${medians.map(([kind, took]) => `${kind} ${ms(took)}`).join(', ')}; silent loop ${ms(median(silent))}`;
  report.row(`${room.name}:flood-stall`, worst / median(silent), 1.5, note);
  report.row(`${room.name}:flood-stall-ms`, worst, 100, `the longest of all rounds ${ms(Math.max(...Object.values(floods).flat()))}`);
}
