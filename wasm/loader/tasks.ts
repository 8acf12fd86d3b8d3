import type { RunOptions, Task, TaskRecord, Taskyon } from './taskyon.js';
import type { Engine } from './engine.js';
import { TaskyonError, reading } from './errors.js';
import { jsonText } from './json.js';
import { checkOptions } from './options.js';
import { endOf } from './place.js';
import { listener, record, type WireRecord } from './record.js';

export function tasks(engine: Engine): Taskyon['tasks'] {
  return {
    compile: async (draft, options) => {
      const { fresh = false } = checkOptions('compile', options, { fresh: 'boolean' });
      return engine.request<Task>('tasks.compile', fresh ? { label: [unique()] } : {}, jsonText(draft, 'invalid_draft'));
    },
    run: async (task, options) => run(engine, task, options),
    get: async (task) => engine.request<Task>('tasks.get', { task: endOf(task) }),
    lineage: async (task) => engine.request<Task[]>('tasks.lineage', { task: endOf(task) }),
    children: async (task) => engine.request<Task[]>('tasks.children', { task: endOf(task) }),
    records: async (task) => (await engine.request<WireRecord[]>('tasks.records', { task: endOf(task) })).map(record),
    messages: async (lineage) => {
      const task = endOf(lineage);
      return task === undefined ? [] : engine.request<Task[]>('tasks.messages', { task });
    },
    copyChat: async (task) => engine.request<Task[]>('tasks.copyChat', { task: endOf(task) }),
    export: async (task, options) => {
      const { descendants = false } = checkOptions('export', options, { descendants: 'boolean' });
      return engine.request<string>('tasks.export', { task: endOf(task), descendants });
    },
    answer: async (call, options) => {
      const parent = endOf(reading('invalid_request', () => options?.parent));
      return engine.request<Task>('tasks.answer', { task: endOf(call), ...(parent === undefined ? {} : { parent }) });
    },
    put: async (tasks) => {
      const texts = reading('invalid_request', () => {
        if (!Array.isArray(tasks)) throw new TaskyonError('invalid_request', 'put: want a list of tasks; the text of a file is for import');
        return Array.from(tasks as readonly (Task | string)[], (task) => jsonText(task, 'invalid_task'));
      });
      await engine.request('tasks.put', {}, `[${texts.join()}]`);
    },
    erase: async (task) => void (await engine.request('tasks.erase', { task: endOf(task) })),
  };
}

/** A label that no other task has: 128 random bits. */
function unique(): string {
  return `chat:${[...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

const runOptions = { signal: 'signal', disposable: 'boolean', partition: 'string', onLog: 'function', onProgress: 'function' } as const;

async function run(engine: Engine, task: Task | string, options?: RunOptions): Promise<TaskRecord> {
  const { signal, onLog, onProgress, disposable, partition } = checkOptions('run', options, runOptions);
  const stored = typeof task === 'string' && task.startsWith('task:');
  const text = jsonText(stored ? await engine.request<Task>('tasks.get', { task }) : task, 'invalid_task');
  return record(await engine.request<WireRecord>('tasks.run', { disposable, partition }, text, signal, listener(onLog, onProgress)));
}
