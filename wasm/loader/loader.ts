import type { Binding, LoadOptions, LogLine, Revision, RunOptions, SandboxInfo, Task, TaskRecord, Taskyon, ToolID } from './taskyon.js';
import { decodeValue } from '../../sandboxhost/bootstrap/src/values.js';
import { Engine, type Listener } from './engine.js';
import { TaskyonError } from './errors.js';
import { jsonText } from './json.js';
import { checkOptions } from './options.js';

export { TaskyonError };

export async function loadTaskyon(options: LoadOptions = {}): Promise<Taskyon> {
  if (typeof options !== 'object' || options === null) throw new TaskyonError('invalid_request', 'loadTaskyon: want an object of options');
  const { wasmURL = new URL('./taskyon.wasm', import.meta.url), ...rest } = options;
  const open = jsonText(rest, 'invalid_request');
  const engine = await Engine.start(wasmURL);
  const { store } = await engine.request<Pick<Taskyon, 'store'>>('open', JSON.parse(open) as object);
  return surface(engine, store);
}

function surface(engine: Engine, store: Taskyon['store']): Taskyon {
  return {
    store,
    tools: {
      install: async (definition, options) => {
        const { activate = false } = checkOptions('install', options, { activate: 'boolean' });
        return engine.request<Revision>('tools.install', { activate }, jsonText(definition, 'invalid_definition'));
      },
      lookup: async (name) => engine.request<Revision>('tools.lookup', { name }),
      list: async () => engine.request<Binding[]>('tools.list', {}),
      history: async (name) => engine.request<Binding[]>('tools.history', { name }),
      activate: async (revision) => engine.request<Revision>('tools.activate', { name: idOf(revision) }),
      erase: async (revision) => void (await engine.request('tools.erase', { name: idOf(revision) })),
    },
    tasks: {
      compile: async (draft) => engine.request<Task>('tasks.compile', {}, jsonText(draft, 'invalid_draft')),
      run: async (task, options) => run(engine, task, options),
      get: async (name) => engine.request<Task>('tasks.get', { name }),
      lineage: async (name) => engine.request<Task[]>('tasks.lineage', { name }),
      children: async (name) => engine.request<Task[]>('tasks.children', { name }),
      records: async (name) => (await engine.request<WireRecord[]>('tasks.records', { name })).map(record),
      import: async (tasks) => void (await engine.request('tasks.import', {}, `[${tasks.map((task) => jsonText(task, 'invalid_task')).join()}]`)),
      erase: async (name) => void (await engine.request('tasks.erase', { name })),
    },
    sandboxes: {
      list: async () => engine.request<SandboxInfo[]>('sandboxes.list', {}),
      warm: async () => engine.request<number>('sandboxes.warm', {}),
      terminate: async (revision, options) => {
        const { partition = '' } = checkOptions('terminate', options, { partition: 'string' });
        await engine.request('sandboxes.terminate', { revision: idOf(revision), partition });
      },
      clear: async () => void (await engine.request('sandboxes.clear', {})),
    },
    clear: async () => void (await engine.request('clear', {})),
    close: async () => engine.close(),
  };
}

const runOptions = { signal: 'signal', disposable: 'boolean', partition: 'string', onLog: 'function', onProgress: 'function' } as const;

/** A record as the engine writes it: result and thrown value in tagged form, empty lists left out. */
type WireRecord = Omit<TaskRecord, 'logs' | 'dropped'> & { readonly logs?: readonly LogLine[]; readonly dropped?: number };

async function run(engine: Engine, task: Task | string, options?: RunOptions): Promise<TaskRecord> {
  const { signal, onLog, onProgress, disposable, partition } = checkOptions('run', options, runOptions);
  const stored = typeof task === 'string' && task.startsWith('task:');
  const text = jsonText(stored ? await engine.request<Task>('tasks.get', { name: task }) : task, 'invalid_task');
  return record(await engine.request<WireRecord>('tasks.run', { disposable, partition }, text, signal, listener(onLog, onProgress)));
}

function listener(onLog: RunOptions['onLog'], onProgress: RunOptions['onProgress']): Listener | undefined {
  if (!onLog && !onProgress) return undefined;
  return (kind, text) => {
    const event = JSON.parse(text) as { lines: LogLine[]; fraction: number; text: string };
    // A page's own callback may throw; that is the page's error and must not reach the run.
    queueMicrotask(() => {
      if (kind === 'log') for (const line of event.lines) onLog?.(line);
      else if (kind === 'progress') onProgress?.({ fraction: event.fraction, text: event.text });
    });
  };
}

function record(wire: WireRecord): TaskRecord {
  // Own fields only: the page may have put things on Object.prototype.
  const error = Object.hasOwn(wire, 'error') ? wire.error : undefined;
  return {
    ...wire,
    logs: wire.logs ?? [],
    dropped: wire.dropped ?? 0,
    result: wire.outcome === 'ok' ? decodeValue(wire.result) : undefined,
    ...(error && Object.hasOwn(error, 'value') ? { error: { ...error, value: decodeValue(error.value) } } : {}),
  };
}

function idOf(revision: ToolID | Revision): ToolID {
  return typeof revision === 'string' ? revision : revision.id;
}
