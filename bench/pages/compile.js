import { loadTaskyon } from '/taskyon.js';
import canonicalize from '/canonicalize.js';
import { createBLAKE3 } from '/hash-wasm.js';
import { batches, draft } from '/common.js';

const parameters = {
  type: 'object',
  properties: {
    number: { type: 'integer' },
    query: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    options: { type: 'object', properties: { limit: { type: 'integer' }, ratio: { type: 'number' }, exact: { type: 'boolean' } } },
    rows: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' }, title: { type: 'string' } }, required: ['id'] } },
  },
  required: ['number', 'query'],
};

/** Arguments of 1 KiB as JSON text, or a few bytes more, like those that a model sends. Each number makes another task. */
const args = (number) => ({
  query: 'which of these were written after the last release, and by whom? '.repeat(5),
  tags: ['release', 'author', 'größer', 'naïve', 'third'],
  options: { limit: 25, ratio: 0.75, exact: true, after: '2026-01-31T12:00:00Z', before: null },
  rows: Array.from({ length: 7 }, (_, i) => ({ id: 1000 + i, title: `the title of the row ${i}`, weight: i / 8, tags: ['a', 'b'] })),
  number: 1_000_000 + number,
});

/** What an independent program does to give a draft its identity: pin, canonicalise, hash, name. It checks and keeps nothing. */
async function baseline(tools) {
  const hash = await createBLAKE3();
  const pinned = (node) => {
    const { functionCall } = node.content;
    return { ...node, content: { ...node.content, functionCall: { ...functionCall, tool: tools.get(functionCall.name) } } };
  };
  return {
    text: (node) => canonicalize(pinned(node)),
    compile: async (node) => {
      const task = pinned(node);
      return { id: `task:b3:${hash.init().update(canonicalize(task)).digest('hex')}`, ...task };
    },
  };
}

/** Means of batches in milliseconds a task; `same` holds texts of the baseline and the ids that the engine gave. */
export async function compile({ rounds, batch }) {
  const ty = await loadTaskyon({ store: 'memory' });
  const revision = await ty.tools.install({ name: 'search', description: '', parameters, code: '(args) => args' }, { activate: true });
  const raw = await baseline(new Map([['search', revision.id]]));
  const warmup = 10;
  const total = (warmup + rounds) * batch;
  const drafts = (from) => Array.from({ length: total }, (_, i) => draft('search', args(from + i)));
  const objects = drafts(0);
  const texts = drafts(total).map((node) => JSON.stringify(node));
  const named = (task) => {
    if (task.id.length !== 'task:b3:'.length + 64 || task.content.functionCall.tool !== revision.id) throw new Error(JSON.stringify(task));
  };
  const samples = await batches({
    object: async (i) => named(await ty.tasks.compile(objects[i])),
    objectBaseline: async (i) => named(await raw.compile(objects[i])),
    text: async (i) => named(await ty.tasks.compile(texts[i])),
    textBaseline: async (i) => named(await raw.compile(JSON.parse(texts[i]))),
  }, { warmup, rounds, batch });
  const same = await Promise.all([objects[0], objects[total - 1], texts[7]].map(async (given) => ({
    text: raw.text(typeof given === 'string' ? JSON.parse(given) : given),
    id: (await ty.tasks.compile(given)).id,
  })));
  await ty.close();
  return { ...samples, same, bytes: new TextEncoder().encode(JSON.stringify(args(0))).length };
}
