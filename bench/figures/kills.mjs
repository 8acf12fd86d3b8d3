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
      samples = kind === 'wasm' && room.name === 'webkit' ? await apart(room, { kind, callMs: 250, slotMs }) : await ask(room, { kind, rounds: 50, callMs: 250, slotMs });
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

const ask = (room, options) => room.ask('kills', options, 60_000 + options.rounds * (options.slotMs + 2000));

/** WebKitGTK does not end a loop in WebAssembly with its worker, so that each kill would be measured beside all before it: these are of two kills a browser. */
async function apart(room, options) {
  const all = { first: [], late: [], next: [], cold: 0 };
  for (let i = 0; i < 25; i++) {
    const { first, late, next, cold } = await ask(room, { ...options, rounds: 2 });
    for (const [name, found] of Object.entries({ first, late, next })) all[name].push(...found);
    all.cold += cold;
    await room.again();
  }
  return all;
}
