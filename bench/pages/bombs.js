import { loadTaskyon } from '/taskyon.js';
import { draft } from '/common.js';
import { watch } from '/watch.js';

const codes = {
  objects: '({ go }) => { const all = []; while (go) all.push({ a: [all.length, all.length + 0.5], b: {} }); return 1 }',
  arrays: '({ go }) => { const all = []; while (go) all.push(new Array(1 << 20).fill(0.5)); return 1 }',
  buffers: '({ go }) => { const all = []; while (go) all.push(new Uint8Array(32 << 20).fill(1)); return 1 }',
};

/** Runs a bomb and then a call that must work. `lost` is 0 when both came to their end. */
export async function bomb({ kind, callMs }) {
  const ty = await loadTaskyon({ store: 'memory', limits: { callMs } });
  const { id } = await ty.tools.install({ name: kind, description: '', code: codes[kind] }, { activate: true });
  await ty.tasks.run(await ty.tasks.compile(draft(kind, {}, id)));
  const stalled = watch();
  const before = performance.now();
  const { outcome, error } = await ty.tasks.run(await ty.tasks.compile(draft(kind, { go: true }, id)));
  const [took, longest] = [performance.now() - before, stalled()];
  const next = await ty.tasks.run(await ty.tasks.compile(draft(kind, {}, id)));
  await ty.close();
  const lost = ['timeout', 'crashed', 'tool_error'].includes(outcome) && next.outcome === 'ok' ? 0 : 1;
  return { lost, outcome: `${outcome} (${error?.message.slice(0, 80)}), next ${next.outcome}`, took, longest };
}
