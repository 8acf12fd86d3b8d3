import { median, ms, ratio, spread } from '../numbers.mjs';

/** A disposable call that finds a warm sandbox, against making a raw frame and worker. */
export async function places(room, report) {
  const samples = await report.keep(`${room.name}-disposable`, await room.ask('disposable', { rounds: 25 }, 120_000));
  const call = ratio(samples.ours, samples.raw, median);
  report.row(`${room.name}:disposable-call`, call.value, 0.3, `${spread(call)}; ours ${ms(median(samples.ours))}, raw frame + worker ${ms(median(samples.raw))}`);
}
