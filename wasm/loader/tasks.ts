import type { RunOptions, Task, TaskRecord, Taskyon } from './taskyon.js';
import type { Engine } from './engine.js';
import { jsonText } from './json.js';
import { checkOptions } from './options.js';
import { endOf } from './place.js';
import { listener, record, type WireRecord } from './record.js';

export function tasks(engine: Engine): Taskyon['tasks'] {
  return {
    compile: async (draft) => engine.request<Task>('tasks.compile', {}, jsonText(draft, 'invalid_draft')),
    run: async (task, options) => run(engine, task, options),
    get: async (name) => engine.request<Task>('tasks.get', { name }),
    lineage: async (name) => engine.request<Task[]>('tasks.lineage', { name }),
    children: async (name) => engine.request<Task[]>('tasks.children', { name }),
    records: async (name) => (await engine.request<WireRecord[]>('tasks.records', { name })).map(record),
    messages: async (lineage) => {
      const name = endOf(lineage);
      return name === undefined ? [] : engine.request<Task[]>('tasks.messages', { name });
    },
    copyChat: async (task) => engine.request<Task[]>('tasks.copyChat', { name: endOf(task) }),
    export: async (task, options) => {
      const { descendants = false, settings = false } = checkOptions('export', options, { descendants: 'boolean', settings: 'boolean' });
      return engine.request<string>('tasks.export', { name: endOf(task), descendants, settings });
    },
    import: async (tasks) => void (await engine.request('tasks.import', {}, `[${tasks.map((task) => jsonText(task, 'invalid_task')).join()}]`)),
    erase: async (name) => void (await engine.request('tasks.erase', { name })),
  };
}

const runOptions = { signal: 'signal', disposable: 'boolean', partition: 'string', onLog: 'function', onProgress: 'function' } as const;

async function run(engine: Engine, task: Task | string, options?: RunOptions): Promise<TaskRecord> {
  const { signal, onLog, onProgress, disposable, partition } = checkOptions('run', options, runOptions);
  const stored = typeof task === 'string' && task.startsWith('task:');
  const text = jsonText(stored ? await engine.request<Task>('tasks.get', { name: task }) : task, 'invalid_task');
  return record(await engine.request<WireRecord>('tasks.run', { disposable, partition }, text, signal, listener(onLog, onProgress)));
}
