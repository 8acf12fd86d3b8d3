/** A draft of a function call; without a tool the active one is pinned. */
export const draft = (name, args, tool) => ({ role: 'function', content: { functionCall: { name, arguments: args, ...(tool && { tool }) } } });

/** A definition, as JSON text, that no syntax checker has to read. Its name or its number makes it another one. */
export const definition = (name, number) =>
  `{"name":"${name}","description":"number ${number}","implementation":{"class":"external-service","service":"bench","operation":"none"}}`;

/** Calls f(0) … f(count - 1), some at a time and begun in that order. */
export async function many(count, f) {
  const together = 200;
  for (let i = 0; i < count; i += together) {
    await Promise.all(Array.from({ length: Math.min(together, count - i) }, (_, k) => f(i + k)));
  }
}

export async function timed(f) {
  const before = performance.now();
  await f();
  return performance.now() - before;
}

/**
 * Milliseconds of each subject in each round, one after the other in a round. Which is first changes from round to round, so that
 * none always has the others' garbage. Rounds before 0 warm up.
 */
export async function interleaved(subjects, { warmup, rounds }) {
  const order = Object.keys(subjects);
  const samples = Object.fromEntries(order.map((name) => [name, []]));
  for (let round = -warmup; round < rounds; round++) {
    for (const name of order) {
      const took = await timed(() => subjects[name](round));
      if (round >= 0) samples[name].push(took);
    }
    order.push(order.shift());
  }
  return samples;
}

/** As interleaved, of a batch of calls f(i) where i never repeats; milliseconds a call. */
export async function batches(subjects, { warmup, rounds, batch }) {
  const batched = Object.entries(subjects).map(([name, f]) => [name, async (round) => {
    const first = (round + warmup) * batch;
    for (let i = first; i < first + batch; i++) await f(i);
  }]);
  const samples = await interleaved(Object.fromEntries(batched), { warmup, rounds });
  return Object.fromEntries(Object.entries(samples).map(([name, took]) => [name, took.map((total) => total / batch)]));
}
