import { test, expect } from './fixtures.js';

test('a chat travels as one file: the other engine runs its calls, and a file that was edited is refused with its line', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const revision = await harness.install('({ n }) => n * 2', { name: 'twice' });
    const hello = await ty.tasks.compile({ role: 'user', content: { message: 'hello' } });
    const call = await ty.tasks.compile({ ...harness.call('twice', { n: 21 }), parent: hello.id });
    const record = await ty.tasks.run(call);
    const file = await ty.tasks.export(call.id);
    const edited = file.replace('"hello"', '"hullo"');

    const other = await loadTaskyon({ store: 'memory' });
    const refused = await other.import(edited);
    await other.clear();
    const report = await other.import(file);
    const again = await other.import(file);
    const records = await other.tasks.records(call.id);
    const ran = await other.tasks.run(call.id);
    const active = await other.tools.list();
    await other.close();
    return { id: revision.id, hello: hello.id, record, lines: file.trim().split('\n').length, refused, report, again, records, ran, active };
  });
  expect(seen.lines).toBe(5);
  expect(seen.report).toMatchObject({ revisions: { new: 1, known: 0 }, tasks: { new: 2, known: 0 }, records: { new: 1, known: 0 }, refused: [] });
  expect(seen.again).toMatchObject({ revisions: { new: 0, known: 1 }, tasks: { new: 0, known: 2 }, records: { new: 0, known: 1 }, refused: [] });
  expect(seen.records).toEqual([seen.record]);
  expect(seen.ran).toMatchObject({ outcome: 'ok', result: 42 });
  expect(seen.active).toEqual([]);
  expect(seen.refused.tasks.new).toBe(0);
  expect(seen.refused.refused[0]).toMatchObject({ line: 3, code: 'invalid_task', message: expect.stringContaining('hashes to') });
});

test('a revision travels as one file, and comes in without becoming active', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const revision = await harness.install('() => "here"', { name: 'mine' });
    const file = await ty.tools.export(revision);
    await ty.clear();
    const report = await ty.import(file);
    const active = await ty.tools.list();
    await ty.tools.activate(revision.id);
    const record = await ty.tasks.run(await ty.tasks.compile(harness.call('mine', {})));
    return { report, active, record };
  });
  expect(seen.report).toMatchObject({ revisions: { new: 1, known: 0 }, refused: [] });
  expect(seen.active).toEqual([]);
  expect(seen.record).toMatchObject({ outcome: 'ok', result: 'here' });
});

test('a chat of 2024 comes in with its tool, its calls pinned and its old ids as labels', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const old = [
      { id: 'q', role: 'user', content: { message: 'what is 2 and 3?' }, childrenIDs: ['c'] },
      { id: 'c', role: 'function', parentID: 'q', content: { functionCall: { name: 'sum', arguments: { a: 2, b: 3 } } } },
      { id: 'r', role: 'function', parentID: 'c', content: { toolResult: { result: 5 } } },
      { id: 't', role: 'system', label: ['function'], content: { message: JSON.stringify({ name: 'sum', description: 'Adds', parameters: { type: 'object' }, code: '({ a, b }) => a + b' }) } },
    ];
    const report = await ty.import(JSON.stringify(old));
    const roots = await ty.tasks.children();
    const question = roots.find((task) => task.label?.includes('was:q'));
    const [call] = await ty.tasks.children(question!.id);
    const [result] = await ty.tasks.children(call!.id);
    return { report, call, result, record: await ty.tasks.run(call!.id) };
  });
  expect(seen.report).toMatchObject({ revisions: { new: 1, known: 0 }, refused: [] });
  expect(seen.call).toMatchObject({ label: ['was:c'], content: { functionCall: { name: 'sum', tool: expect.stringMatching(/^tool:b3:/) } } });
  expect(seen.result).toMatchObject({ label: ['was:r'], content: { toolResult: { call: seen.call!.id, outcome: 'ok', result: 5 } } });
  expect(seen.record).toMatchObject({ outcome: 'ok', result: 5 });
});

test('what is no file of ours says what it wants', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const texts = ['', '{', '"text"', '{"taskyon":"archive","version":99}\n', '\ud800'];
    return Promise.all(texts.map(async (text) => ty.import(text).then(() => 'came in', (error) => `${error.code}: ${error.message}`)));
  });
  expect(seen.map((text) => text.split(':')[0])).toEqual(['invalid_request', 'invalid_json', 'invalid_request', 'unavailable', 'invalid_json']);
});
