import { test, expect } from './fixtures.js';
import type { Draft, Task, TaskID } from '../wasm/loader/taskyon.js';

// Tools that are defined in a chat: only what stands below their node sees them.

declare global {
  /** Compiles a node below another one. */
  var node: (parent: Task | undefined, content: Draft['content'], role?: Draft['role']) => Promise<Task>;
  var define: (parent: Task | undefined, name: string, code: string) => Promise<Task>;
  /** Calls a tool by name below a node and gives its result. */
  var ask: (parent: Task | undefined, name: string, args?: unknown) => Promise<unknown>;
}

test.beforeEach(async ({ host }) => {
  await host.evaluate(() => {
    globalThis.node = (parent, content, role = 'user') => ty.tasks.compile({ role, content, ...(parent ? { parent: parent.id } : {}) });
    globalThis.define = (parent, name, code) => node(parent, { toolDefinition: { name, description: '', code } }, 'assistant');
    globalThis.ask = async (parent, name, args = {}) => {
      const record = await ty.tasks.run(await node(parent, { functionCall: { name, arguments: args as never } }, 'function'));
      if (record.outcome !== 'ok') throw new Error(JSON.stringify(record.error));
      return record.result;
    };
  });
});

test('the nearest definition wins over outer ones and the registry, and nobody else sees it', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const installed = await harness.install('() => "registry"', { name: 'who' });
    const root = await node(undefined, { message: 'hi' });
    const outer = await define(root, 'who', '() => "outer"');
    const inner = await define(await node(outer, { message: 'more' }), 'who', '({ n }) => `inner ${n}`');
    const sibling = await node(root, { message: 'beside' });
    const secret = await define(root, 'secret', '() => 1');
    return {
      asked: [await ask(inner, 'who', { n: 1 }), await ask(outer, 'who'), await ask(sibling, 'who'), await ask(undefined, 'who')],
      unseen: await harness.refusal(() => ask(sibling, 'secret')),
      seen: await ask(secret, 'secret'),
      definition: inner.content.toolDefinition,
      list: (await ty.tools.list()).map((b) => [b.name, b.id === installed.id]),
      revisions: (await ty.tools.revisions('who')).length,
      lookup: await harness.refusal(() => ty.tools.lookup('secret')),
    };
  });
  expect(seen.asked).toEqual(['inner 1', 'outer', 'registry', 'registry']);
  expect(seen).toMatchObject({ unseen: { code: 'not_found' }, seen: 1, list: [['who', true]], revisions: 1, lookup: { code: 'not_found' } });
  expect(seen.definition, 'in normal form').toEqual({
    name: 'who', description: '', parameters: { type: 'object' },
    implementation: { class: 'sandboxed-code', language: 'javascript', code: '({ n }) => `inner ${n}`' },
  });
});

test('a chat may give an installed revision a place of its own, and never the code of the host', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const one = await harness.install('() => 1', { name: 'counted' });
    await harness.install('() => 2', { name: 'counted' });
    const bound = await node(undefined, { toolDefinition: { tool: one.id } });
    const native = await harness.native(() => 'host', { name: 'native' });
    const implementation = { class: 'trusted-native', native: 'native', version: '1' } as const;
    return {
      bound: bound.content.toolDefinition,
      one,
      results: [await ask(bound, 'counted'), await ask(undefined, 'counted')],
      refused: [
        await harness.refusal(() => node(undefined, { toolDefinition: { name: 'native', description: '', implementation } })),
        await harness.refusal(() => node(undefined, { toolDefinition: { tool: native.id } })),
        await harness.refusal(() => node(undefined, { toolDefinition: { name: 'x', description: '', implementation: { class: 'external-service', service: 's', operation: 'o' } } })),
      ],
      code: await harness.refusal(() => define(undefined, 'x', '() =>')),
      blocked: await (async () => {
        const lexical = await define(undefined, 'evil', '() => 1');
        const call = await node(lexical, { functionCall: { name: 'evil' } }, 'function');
        await ty.tools.block(call.content.functionCall!.tool);
        return [(await ty.tasks.run(call)).outcome, (await harness.refusal(() => define(undefined, 'evil', '() => 1'))).code];
      })(),
    };
  });
  expect(seen.bound).toEqual({ name: 'counted', tool: seen.one.id });
  expect(seen.results).toEqual([1, 2]);
  expect(seen.refused.map((r) => [r.code, r.path])).toEqual(Array.from({ length: 3 }, () => ['invalid_draft', '$.content.toolDefinition']));
  expect(seen).toMatchObject({ code: { code: 'invalid_code' }, blocked: ['denied', 'denied'] });
});

test('every kind of node keeps what it was given, and a model reads messages, calls, results and files', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const hi = await node(undefined, { message: 'hi' });
    const file = await node(hi, { file: { name: 'a.txt', mediaType: 'text/plain', size: 3, digest: `b3:${'a'.repeat(64)}` } });
    const tool = await define(file, 'one', '() => 1');
    const call = await node(tool, { functionCall: { name: 'one' } }, 'function');
    const result = await node(call, { toolResult: { call: call.id, outcome: 'ok', result: 1 } }, 'function');
    const asked = await ty.tasks.compile({ role: 'user', parent: result.id, label: ['a', 'b'], content: { chatCompletion: { model: 'm', options: { temperature: 0 } } } });
    const lineage = await ty.tasks.lineage(asked.id);
    const copy = await ty.tasks.copyChat(asked);
    return {
      all: [hi, file, tool, call, result, asked],
      lineage,
      messages: [await ty.tasks.messages(asked.id), await ty.tasks.messages(asked), await ty.tasks.messages(lineage)].map((list) => list.map((t) => t.id)),
      empty: await ty.tasks.messages([]),
      copy,
      stored: await ty.tasks.lineage(copy.at(-1)!.id),
      plain: (await ty.tasks.copyChat(file)).map((t) => t.id),
      copied: await ty.tasks.run(copy[2]!),
      original: (await ty.tasks.run(call)).result,
      stray: await harness.refusal(() => node(hi, { toolResult: { call: call.id, outcome: 'ok', result: 1 } }, 'function')),
      two: await harness.refusal(() => node(hi, { message: 'a', file: { name: 'b' } })),
    };
  });
  const [hi, file, , call, result, asked] = seen.all as [Task, Task, Task, Task, Task, Task];
  expect(seen.lineage).toEqual(seen.all);
  expect(asked).toMatchObject({ label: ['a', 'b'], content: { chatCompletion: { model: 'm', options: { temperature: 0 } } } });
  expect(seen.messages).toEqual(Array.from({ length: 3 }, () => [hi.id, file.id, call.id, result.id]));
  expect(seen.empty).toEqual([]);
  expect(seen.copy.map((t) => Object.keys(t.content)[0])).toEqual(['message', 'file', 'functionCall', 'toolResult', 'chatCompletion']);
  expect(seen.copy.slice(0, 2), 'what stands above a definition is the same').toEqual([hi, file]);
  expect(seen.copy[3]!.content.toolResult?.call).toBe(seen.copy[2]!.id);
  expect(seen.copy[2]!.content).toEqual(call.content);
  expect(seen.stored).toEqual(seen.copy);
  expect(seen.plain).toEqual([hi.id, file.id]);
  expect(seen).toMatchObject({ copied: { outcome: 'unavailable', started: false }, original: 1, stray: { code: 'invalid_draft' }, two: { code: 'invalid_draft', path: '$.content' } });
});

test('a provider is shown what a place sees, and its call comes back as a draft that runs there', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    await harness.install('({ n }) => n + 1', { name: 'next', parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } });
    const root = await node(undefined, { message: 'hi' });
    const place = await define(root, 'near', '({ text }) => text ?? "nothing"');
    const lineage = await ty.tasks.lineage(place.id);
    const shown = await ty.tools.signatures('openai-chat', lineage);
    const draft = await ty.tools.draft('openai-chat', { name: 'next', arguments: '{"n":"4"}', parent: place.id });
    const near = await ty.tools.draft('anthropic', { name: 'near', arguments: { text: 'hello' }, parent: place.id });
    const run = async (draft: Draft) => (await ty.tasks.run(await ty.tasks.compile(draft))).result;
    return {
      shown,
      by: (await Promise.all([ty.tools.signatures('openai-chat', place.id), ty.tools.signatures('openai-chat', place)])).map((s) => JSON.stringify(s) === JSON.stringify(shown)),
      elsewhere: (await ty.tools.signatures('openai-chat', root)).names,
      roots: [(await ty.tools.signatures('gemini')).names, (await ty.tools.signatures('gemini', [])).names],
      draft, place,
      results: [await run(draft), await run(near), await run(await ty.tools.draft('mcp', { name: 'near', parent: place.id }))],
      refused: [
        await harness.refusal(() => ty.tools.draft('mcp', { name: 'near' })),
        await harness.refusal(() => ty.tools.draft('mcp', { name: 'next', arguments: '{"n":1' })),
        await harness.refusal(() => ty.tools.draft('openai' as never, { name: 'next' })),
        await harness.refusal(() => ty.tools.draft('mcp', undefined as never)),
        await harness.refusal(() => ty.tools.draft('mcp', { args: {} })),
        await harness.refusal(() => ty.tools.signatures('mcp', `task:b3:${'1'.repeat(64)}`)),
        await harness.refusal(() => ty.tools.signatures('mcp', null as never)),
      ].map((r) => r.code),
    };
  });
  expect(seen.shown.names).toEqual({ near: 'near', next: 'next' });
  expect(seen.shown.tools).toEqual([
    { type: 'function', function: expect.objectContaining({ name: 'near' }) },
    { type: 'function', function: expect.objectContaining({ name: 'next', parameters: expect.objectContaining({ required: ['n'] }) }) },
  ]);
  expect(seen).toMatchObject({ by: [true, true], elsewhere: { next: 'next' }, roots: [{ next: 'next' }, { next: 'next' }], results: [5, 'hello', 'nothing'] });
  expect(Object.keys(seen.elsewhere)).toEqual(['next']);
  expect(seen.draft).toEqual({ role: 'function', parent: seen.place.id, content: { functionCall: { name: 'next', arguments: { n: 4 } } } });
  expect(seen.refused).toEqual(['not_found', 'invalid_arguments', 'invalid_request', 'invalid_request', 'invalid_request', 'not_found', 'invalid_request']);
});

test('state and settings of a tool in a chat are apart from the installed one with equal bytes, and end with the chat', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const code = 'let n = 0; export default (_, { settings }) => [++n, settings]';
    const settings = { type: 'object', properties: { a: {} } } as const;
    const installed = await harness.install(code, { name: 'counter', settings });
    await ty.settings.set(installed, { a: 1 });
    const place = (parent?: Task) => node(parent, { toolDefinition: { name: 'counter', description: '', settings, code } });
    const [one, two] = [await place(), await place(await node(undefined, { message: 'other chat' }))];
    const counts = [await ask(undefined, 'counter'), await ask(one, 'counter'), await ask(one, 'counter'), await ask(two, 'counter'), await ask(undefined, 'counter')];
    const scopes = async () => (await ty.sandboxes.list()).map((s): [boolean, TaskID | undefined] => [s.revision === installed.id, s.scope]);
    const open = await scopes();
    await ty.tasks.erase(one.id);
    const erased = await scopes();
    await ty.sandboxes.terminate(installed, { partition: 'elsewhere' });
    const others = (await scopes()).length;
    await ty.sandboxes.terminate(installed);
    return { counts, one: one.id, two: two.id, open, erased, others, terminated: await scopes(), again: await ask(two, 'counter') };
  });
  expect(seen.counts).toEqual([[1, { a: 1 }], [1, {}], [2, {}], [1, {}], [2, { a: 1 }]]);
  expect(seen.open).toEqual([[true, undefined], [true, seen.one], [true, seen.two]]);
  expect(seen.erased).toEqual([[true, undefined], [true, seen.two]]);
  expect(seen).toMatchObject({ others: 2, terminated: [], again: [1, {}] });
});
