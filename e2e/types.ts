import type { Definition, Draft, HistoryRow, LoadOptions, NativeContext, Revision, SettingsID, Task, TaskRecord, Taskyon } from '../wasm/loader/taskyon.js';

// What the types promise: tsc fails when one of the lines marked below compiles, and when another does not. Nothing of this runs.

export async function promises(ty: Taskyon, revision: Revision, task: Task, record: TaskRecord, row: HistoryRow): Promise<void> {
  const native: Definition = { name: 'n', description: '', implementation: { class: 'trusted-native', native: 'n', version: '1' } };
  await ty.natives.register(native, ({ city }, { signal, settings, log }) => [city, signal.aborted, settings['word'], log('hi')]);
  await ty.natives.register(native, async (_, context: NativeContext) => context.progress(0.5, 'half'), { activate: false });
  await ty.natives.register(native, async (_, { popup }) => {
    const shown = await popup({ kind: 'custom-html', html: '' });
    for await (const message of shown.messages) shown.post(message);
    (await shown.closed) satisfies 'user' | 'tool' | 'call' | 'flood' | 'failed';
    await popup({ kind: 'origin', url: 'https://a.example', messages: true });
    // @ts-expect-error html has no address
    await popup({ kind: 'custom-html', url: 'https://a.example' });
  });
  // @ts-expect-error a native has a function
  await ty.natives.register(native);
  // @ts-expect-error it cannot be given to install
  await ty.tools.install(native, { fn: () => 1 });
  // @ts-expect-error a context is read only
  await ty.natives.register(native, (_, context) => void (context.task = task.id));

  const drafts: Draft[] = [
    { role: 'user', label: ['a'], content: { message: 'hi' } },
    { role: 'function', content: { functionCall: { name: 'n', settings: 'settings:b3:0' } } },
    { role: 'function', content: { toolResult: { call: task.id, outcome: 'denied', result: null, error: 'no' } } },
    { role: 'user', content: { file: { name: 'a', digest: 'b3:0' } } },
    { role: 'user', content: { toolDefinition: { name: 'a', description: '', code: '() => 1' } } },
    { role: 'user', content: { toolDefinition: { tool: revision.id } } },
    { role: 'user', content: { chatCompletion: { model: 'm', options: { n: 1 } } } },
    // @ts-expect-error a task is pinned by a revision's id
    { role: 'function', content: { functionCall: { name: 'n', tool: 'settings:b3:0' } } },
    // @ts-expect-error there is no such outcome
    { role: 'function', content: { toolResult: { call: task.id, outcome: 'fine', result: null } } },
  ];
  await ty.tasks.compile(task.content.functionCall ? drafts[0]! : { role: task.role, content: {} });

  const settings: SettingsID | undefined = task.content.functionCall?.settings;
  if (settings) (await ty.settings.lookup(settings)).values['word'] satisfies unknown;
  // @ts-expect-error there may be none
  (await ty.settings.get(revision)).values;
  // @ts-expect-error a removed name means nothing
  await ty.tools.activate(row.id);
  if (row.id) await ty.tools.activate(row.id);
  if (record.isolation === 'host' || revision.blocked !== undefined) await ty.tools.block(revision, 'why');
  for (const lineage of [task, task.id, [task]] as const) await ty.tools.signatures('gemini', lineage);
  // @ts-expect-error there is no such provider
  await ty.tools.signatures('openai');
  for (const { kind, path } of await ty.tools.diff(revision, revision.id)) if (kind === 'added') path.toUpperCase();
  for (const { id, ok, advice } of await ty.diagnostics.environment()) if (id === 'sandbox_frame' && !ok) advice?.toUpperCase();
  // @ts-expect-error the ids are a closed set
  (await ty.diagnostics.environment()).find(({ id }) => id === 'weather');
}

export const options: LoadOptions[] = [
  { sandbox: 'srcdoc' },
  { popupURL: '/popup.html', onPopup: ({ tool, scope }, { open, dismiss, signal }) => void [tool, scope, open, dismiss, signal.aborted] },
  { sandbox: { page: '/sandbox.html' } },
  { sandbox: { page: new URL('https://tools.example/sandbox.html') } },
  // @ts-expect-error a page has an address
  { sandbox: 'page' },
];
