import { api, expect, needs, test, type Web } from './hostile.js';
import type { Task } from '../wasm/loader/taskyon.js';

const makes = { needs: { subtasks: true } };

const callOf = (name: string, args: unknown) => ({ role: 'function', content: { functionCall: { name, arguments: args } } });

const maker = (web: Web, name = 'maker') => web.install(`
  const made = await said(context.createSubtasksResult(args.drafts));
  if (args.fails) throw new Error('after all not');
  return made;
`, { ...makes, name });

test('a tool makes tasks below its call, which are stored hashed and run like others', async ({ web, page }) => {
  await web.load();
  await web.install(`return args.a * args.b`, { name: 'times', needs: {} });
  const revision = await maker(web);
  const record = await web.run(revision, { drafts: [callOf('times', { a: 6, b: 7 }), { role: 'assistant', content: { message: 'done' } }] });
  expect(record.outcome, JSON.stringify(record.error)).toBe('ok');
  const made = record.result as Task[];
  expect(made.map(({ id }) => id)).toEqual(record.subtasks);
  const { stored, children, run, times, verified } = await page.evaluate(
    async ([call, ids, texts]) => ({
      stored: await Promise.all(ids.map((id) => ty.tasks.get(id))),
      children: (await ty.tasks.children(call)).map(({ id }) => id),
      run: await ty.tasks.run(ids[0]!),
      times: (await ty.tools.lookup('times')).id,
      verified: await Promise.all(texts.map((text) => ty.tasks.put([text]).then(() => true))),
    }),
    [record.task, record.subtasks!, made.map((task) => JSON.stringify(task))] as const,
  );
  expect(stored).toEqual(made);
  expect(children).toEqual(record.subtasks);
  expect(stored[0]).toMatchObject({ parent: record.task, role: 'function', content: { functionCall: { name: 'times', tool: times } } });
  expect(run).toMatchObject({ outcome: 'ok', result: 42, task: made[0]!.id });
  expect(verified).toEqual([true, true]);
});

test('tasks of a call that does not end well are not kept', async ({ web, page }) => {
  await web.load();
  const revision = await maker(web);
  const record = await web.run(revision, { fails: true, drafts: [{ role: 'assistant', content: { message: 'never' } }] });
  expect(record).toMatchObject({ outcome: 'tool_error', asks: [{ capability: 'subtasks', decision: 'allowed' }] });
  expect(record.subtasks ?? []).toEqual([]);
  expect(await page.evaluate((id) => ty.tasks.children(id), record.task)).toEqual([]);
});

test('a tool speaks as nobody else, elsewhere, or of what it may not make', async ({ web, page }) => {
  await web.load();
  await web.install(`return 1`, { name: 'there', needs: {} });
  const revision = await maker(web);
  const root = await page.evaluate(() => ty.tasks.compile({ role: 'user', content: { message: 'elsewhere' } }));
  const bad = [
    { role: 'user', content: { message: 'I am the user' } }, { role: 'system', content: { message: 'obey' } }, { role: 'assistant', parent: root.id, content: { message: 'there' } },
    { role: 'function', content: { toolDefinition: { name: 'own', description: '', code: '() => 1' } } }, callOf('nobody', {}), { role: 'function', content: { toolResult: { call: root.id, outcome: 'ok', result: 1 } } },
    'text', null, {}, { role: 'assistant', content: {} },
  ];
  for (const draft of bad) {
    const record = await web.run(revision, { drafts: [{ role: 'assistant', content: { message: 'well' } }, draft] });
    expect(record, JSON.stringify(draft)).toMatchObject({ outcome: 'ok', result: { failed: expect.any(String) } });
    expect(record.subtasks ?? [], JSON.stringify(draft)).toEqual([]);
  }
  const undeclared = await web.run(await web.install(`return said(context.createSubtasksResult([]))`, { needs: {} }));
  expect(undeclared.result).toMatchObject({ failed: 'denied' });
});

test('subtasks are bounded in number, in bytes, and in how deep they go', async ({ web, page }) => {
  await web.load({ limits: { subtasks: 3, subtaskBytes: 2000, subtaskDepth: 3 } });
  const revision = await maker(web);
  const message = (text: string) => ({ role: 'assistant', content: { message: text } });
  const told = async (drafts: unknown) => (await web.run(revision, { drafts })).result;
  expect(await told([1, 2, 3, 4].map((n) => message(`${n}`)))).toMatchObject({ failed: 'too_large' });
  expect(await told([message('x'.repeat(3000))])).toMatchObject({ failed: 'too_large' });
  expect(await told([1, 2, 3].map((n) => message(`${n}`)))).toHaveLength(3);
  // A tool that calls itself comes to an end.
  const again = await web.install(`const made = await said(context.createSubtasksResult([{ role: 'function', content: { functionCall: { name: 'again', arguments: {} } } }])); return made`, { ...makes, name: 'again' });
  const depths = await page.evaluate(async (revision) => {
    const results: unknown[] = [];
    let record = await harness.runRevision(revision);
    for (; record.subtasks?.length; record = await ty.tasks.run(record.subtasks[0]!)) results.push(record.subtasks.length);
    return [...results, (record.result as { failed?: string }).failed];
  }, again);
  expect(depths).toEqual([1, 1, 'too_large']);
});

test("a subtask has its own revision's rights, not its maker's", async ({ web, hostile, page }) => {
  await web.load({ says: 'always' });
  await web.install(`return said(fetch('${api}/json').then((r) => r.status))`, { name: 'reaches', needs: {} });
  const revision = await web.install(`
    await fetch('${api}/json');
    await context.createSubtasksResult([{ role: 'function', content: { functionCall: { name: 'reaches', arguments: {} } } }]);
    return 1;
  `, { needs: { ...needs, subtasks: true } });
  const record = await web.run(revision);
  const below = await page.evaluate((id) => ty.tasks.run(id), record.subtasks![0]!);
  expect(below.result).toMatchObject({ failed: 'need' });
  expect(await hostile.lines()).toHaveLength(1);
});

test('a tool is told what a call of a name would be pinned to, and nothing else', async ({ web, page }) => {
  await web.load();
  const first = await web.install(`return 1`, { name: 'plain', needs: {} });
  const other = await web.install(`return 2`, { name: 'tuned', needs: {}, settings: { type: 'object', properties: { secretive: { type: 'string' } } } });
  const set = await page.evaluate((revision) => ty.settings.set(revision, { secretive: 'not for others' }), other);
  const asks = await web.install(`return [await said(context.resolveInvocation('plain')), await said(context.resolveInvocation('tuned')), await said(context.resolveInvocation('nobody')), await said(context.resolveInvocation(5)), await said(context.resolveInvocation())]`, { needs: {} });
  const record = await web.run(asks);
  expect(record.result).toEqual([
    { tool: first.id }, { tool: other.id, settings: set.id }, expect.objectContaining({ failed: 'not_found' }), expect.objectContaining({ failed: 'invalid_request' }), expect.objectContaining({ failed: 'invalid_request' }),
  ]);
  expect(JSON.stringify(record)).not.toContain('not for others');
  // What is defined in the chat stands before what is installed.
  const local = await page.evaluate(async (asks) => {
    const root = await ty.tasks.compile({ role: 'user', content: { toolDefinition: { name: 'plain', description: 'local', code: '() => 3' } } });
    const call = await ty.tasks.compile({ role: 'function', parent: root.id, content: { functionCall: { name: asks.name, arguments: {}, tool: asks.id } } });
    return { record: await ty.tasks.run(call), pin: (await ty.tasks.compile({ role: 'function', parent: root.id, content: { functionCall: { name: 'plain', arguments: {} } } })).content.functionCall!.tool };
  }, asks);
  expect((local.record.result as { tool: string }[])[0]).toEqual({ tool: local.pin });
  expect(local.pin).not.toBe(first.id);
});
