import { test, expect } from './fixtures.js';
import type { ProviderCall } from '../wasm/loader/taskyon.js';

const definition = {
  name: 'weather',
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] },
  code: '({ city, days = 1 }) => ({ city, days, at: new Date(0) })',
} as const;

test("each provider's own call becomes a draft, runs, and its result is written into the chat from the record", async ({ host }) => {
  const calls: Record<string, ProviderCall> = {
    'openai-chat': { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Ulm","days":2}' } },
    'openai-responses': { id: 'fc_1', call_id: 'call_1', type: 'function_call', name: 'weather', arguments: '{"city":"Ulm","days":2}' },
    anthropic: { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Ulm', days: 2 } },
    gemini: { functionCall: { name: 'weather', args: { city: 'Ulm', days: 2 } } },
    mcp: { method: 'tools/call', params: { name: 'weather', arguments: { city: 'Ulm', days: 2 } } },
    'json-schema': { name: 'weather', arguments: { city: 'Ulm', days: 2 } },
  };
  const seen = await host.evaluate(async ([definition, calls]) => {
    await ty.tools.install(definition, { activate: true });
    const root = await ty.tasks.compile({ role: 'user', content: { message: 'weather?' } });
    const out = [];
    for (const [format, call] of Object.entries(JSON.parse(calls) as Record<string, ProviderCall>)) {
      const draft = await ty.tools.draft(format as 'mcp', { ...call, parent: root });
      const task = await ty.tasks.compile(draft);
      await ty.tasks.run(task);
      const answer = await ty.tasks.answer(task);
      out.push({ format, label: task.label, parent: answer.parent === task.id, result: answer.content.toolResult?.result });
    }
    return out;
  }, [definition, JSON.stringify(calls)] as const);
  const result = { city: 'Ulm', days: 2, at: { $t: 'date', v: '1970-01-01T00:00:00.000Z' } };
  expect(seen).toEqual(Object.keys(calls).map((format) => ({ format, ...(['gemini', 'mcp', 'json-schema'].includes(format) ? {} : { label: ['call:call_1'] }), parent: true, result })));
});

test('the answer of a failed call says why, of one that never ran there is none, and nobody writes another shape', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const revision = await harness.install('() => { throw new RangeError("too far") }');
    const task = await harness.compile(revision);
    const early = await harness.refusal(() => ty.tasks.answer(task));
    await ty.tasks.run(task);
    const answer = await ty.tasks.answer(task.id);
    const forged = (result: unknown) =>
      harness.refusal(() => ty.tasks.compile({ role: 'function', parent: task.id, content: { toolResult: { call: task.id, outcome: 'ok', result } } }));
    return { early, answer: answer.content.toolResult, forged: [await forged({ $t: 'money' }), await forged({ $t: 'date', v: 'soon' })] };
  });
  expect(seen.early).toMatchObject({ code: 'not_found', message: expect.stringContaining('run it first') });
  expect(seen.answer).toMatchObject({ outcome: 'tool_error', result: null, error: 'RangeError: too far' });
  for (const refused of seen.forged) expect(refused).toMatchObject({ code: 'invalid_draft', path: '$.content.toolResult.result' });
});

test('a fresh root is a chat of its own, also when it begins with the same words', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const hello = { role: 'user', content: { message: 'hello' } } as const;
    const [plain, same] = [await ty.tasks.compile(hello), await ty.tasks.compile(hello)];
    const [one, other] = [await ty.tasks.compile(hello, { fresh: true }), await ty.tasks.compile(hello, { fresh: true })];
    await ty.tasks.compile({ ...hello, parent: other.id });
    await ty.tasks.erase(one);
    return { plain: plain.id === same.id, label: one.label, ids: new Set([plain.id, one.id, other.id]).size, kept: (await ty.tasks.children(other)).length };
  });
  expect(seen).toMatchObject({ plain: true, label: [expect.stringMatching(/^chat:[0-9a-f]{32}$/)], ids: 3, kept: 1 });
});

test('a tool whose settings are missing is not shown to a model, with a note', async ({ host }) => {
  const seen = await host.evaluate(async (definition) => {
    await ty.tools.install({ ...definition, settings: { type: 'object', required: ['key'] } }, { activate: true });
    const without = await ty.tools.signatures('json-schema');
    await ty.settings.set(await ty.tools.lookup('weather'), { key: 1 });
    return { without, shown: (await ty.tools.signatures('json-schema')).tools.length };
  }, definition);
  expect(seen.without).toMatchObject({ tools: [], notes: [{ tool: 'weather', refused: true, text: expect.stringContaining('settings') }] });
  expect(seen.shown).toBe(1);
});

test('what is no call and what is no list is refused in words, and a thing is as good as its id', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const revision = await harness.install('() => 1', { name: 'one' });
    const task = await harness.compile(revision);
    return {
      call: await harness.refusal(() => ty.tools.draft('anthropic', { type: 'text', text: 'no call' })),
      list: await harness.refusal(() => ty.tasks.put('{}' as never)),
      missing: await harness.refusal(() => ty.tasks.get(undefined as never)),
      same: [(await ty.tasks.get(task)).id === task.id, (await ty.tools.lookup(revision)).id === revision.id, (await ty.tools.manifest(revision)).id === revision.id],
    };
  });
  expect(seen.call).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('{ name, arguments, parent? }') });
  expect(seen.list).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('import') });
  expect(seen.missing).toMatchObject({ code: 'invalid_request', path: '$.task' });
  expect(seen.same).toEqual([true, true, true]);
});
