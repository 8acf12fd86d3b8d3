import { median, ms, quantile } from '../numbers.mjs';

/**
 * How long after its deadline an endless call settles, and how fast the next one is. A killed loop burns its core for two seconds more
 * in Chromium; so that an engine takes no more than three minutes, kills follow one another faster than that, and these burn beside
 * what is measured. SPACING=2500 waits them out.
 */
export async function kills(room, report) {
  const slotMs = Number(process.env.SPACING ?? 1100);
  for (const kind of ['loop', 'microtasks', 'wasm']) {
    let samples;
    try {
      samples = await room.ask('kills', { kind, rounds: 50, callMs: 250, slotMs }, 60_000 + 50 * (slotMs + 2000));
    } catch (error) {
      report.row(`${room.name}:kill-${kind}-ms`, NaN, 100, error.message.slice(0, 300));
      continue;
    }
    const { first, late, next, cold } = await report.keep(`${room.name}-kill-${kind}`, samples);
    report.row(`${room.name}:kill-${kind}-ms`, quantile(late, 0.99), 100, `p99 of ${late.length}; median ${ms(median(late))}`);
    report.row(`${room.name}:call-after-kill-${kind}`, median(next) / median(first), 2, `${ms(median(next))}, p90 ${ms(quantile(next, 0.9))}; first call in a warm sandbox ${ms(median(first))}`);
    report.row(`${room.name}:cold-after-kill-${kind}`, cold, 0, `calls of ${next.length} that did not find a warm sandbox`);
  }
}
