import { loadTaskyon } from '/taskyon.js';
import { draft } from '/common.js';
import { wait, warmed } from '/watch.js';

export async function ours() {
  const limits = { callMs: 30_000, restartsPerMinute: 1000 };
  const cold = await loadTaskyon({ store: 'memory', limits: { ...limits, warm: 0 } });
  const ty = await loadTaskyon({ store: 'memory', limits });
  let count = 0;
  const task = async (engine, code, more = {}) => {
    const revision = await engine.tools.install({ name: `tool-${count++}`, description: '', code, ...more }, { activate: true });
    return engine.tasks.compile(draft(revision.name, {}, revision.id));
  };
  const result = async (engine, made, options) => {
    const record = await engine.tasks.run(await made, options);
    if (record.outcome !== 'ok') throw new Error(JSON.stringify(record));
    return record.result;
  };
  const run = async (code, limit) => (await ty.tasks.run(await task(ty, code, { limits: { timeoutMs: limit } }))).outcome;
  await result(cold, task(cold, '() => 0'));
  await result(ty, task(ty, '() => 0'));
  return {
    between: async () => {
      await warmed(ty);
      await wait(50);
    },
    // Installing, which parses and hashes, is part of what a new text costs.
    cold: async (code) => result(cold, task(cold, code), { disposable: true }),
    pooled: async (code) => result(ty, task(ty, code), { disposable: true }),
    warm: async (code) => {
      const made = await task(ty, code);
      await result(ty, made);
      return () => result(ty, made);
    },
    endless: run,
    flood: (ms) => run("async (_, { resolveInvocation }) => { for (;;) { resolveInvocation('x').catch(() => {}); await null } }", ms),
    close: async () => {
      await cold.close();
      await ty.close();
    },
  };
}
