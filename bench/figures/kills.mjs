import { median, ms, quantile } from '../numbers.mjs';

/**
 * How long after its deadline an endless call settles, and how fast the next one is. A killed loop burns its core for two seconds more
 * in Chromium; so that an engine takes no more than three minutes, kills follow one another faster than that, and these burn beside
 * what is measured. SPACING=2500 waits them out.
 */
export async function kills(room, report) {
  const slotMs = Number(process.env.SPACING ?? 1100);
  const samples = await report.keep(`${room.name}-kills`, await room.ask('kills', { rounds: 50, callMs: 250, slotMs }, 60_000 + 150 * (slotMs + 2000)));
  const first = median(samples.first);
  for (const [kind, { late }] of Object.entries(samples.kinds)) {
    report.row(`${room.name}:kill-${kind}-ms`, quantile(late, 0.99), 100, `p99 of ${late.length}; median ${ms(median(late))}`);
  }
  const next = Object.values(samples.kinds).flatMap((kind) => kind.next);
  const cold = Object.values(samples.kinds).reduce((sum, kind) => sum + kind.cold, 0);
  report.row(`${room.name}:call-after-kill`, median(next) / first, 2, `${ms(median(next))}, p90 ${ms(quantile(next, 0.9))}; first call in a warm sandbox ${ms(first)}; ${Object.entries(samples.kinds).map(([kind, { next }]) => `${kind} ${ms(median(next))}`).join(', ')}`);
  report.row(`${room.name}:call-after-kill-cold`, cold, 0, `calls of ${next.length} that did not find a warm sandbox`);
}
