/**
 * What ends a bomb where the engine sets no bound is its deadline. Arrays and buffers fill gigabytes a second, so theirs is short, but
 * for arrays in Chromium, whose heap has an end.
 */
const callMs = ({ name }, kind) => (kind === 'objects' || (name === 'chromium' && kind === 'arrays') ? 10_000 : 2000);

/** Tools that fill their memory: how many took the page with them, or were not followed by a call that works. */
export async function bombs(room, report) {
  for (const kind of ['objects', 'arrays', 'buffers']) {
    let found;
    try {
      found = await room.ask('bomb', { kind, callMs: callMs(room, kind) }, 90_000);
    } catch (error) {
      found = { lost: 1, outcome: String(error.message) };
    }
    report.row(`${room.name}:memory-bomb-${kind}`, found.lost, 0, `pages lost; ${found.outcome}${found.took === undefined ? '' : ` after ${(found.took / 1000).toFixed(1)} s, the page's longest stall ${found.longest.toFixed(0)} ms`}`);
  }
}
