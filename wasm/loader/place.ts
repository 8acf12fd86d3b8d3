import type { Lineage, Revision, Task, TaskID, ToolID } from './taskyon.js';
import { reading } from './errors.js';

// What is neither an id nor a thing with one is left to the engine, which refuses it by name.

export function idOf<ID extends string>(revision: ID | Revision): ID | ToolID {
  return isObject(revision) ? reading('invalid_request', () => (revision as Revision).id) : revision;
}

/** The task at the end of a lineage; undefined for an empty one, which is where a root would stand. */
export function endOf(lineage: Lineage | undefined): TaskID | undefined {
  return reading('invalid_request', () => {
    const end = Array.isArray(lineage) ? (lineage as readonly Task[]).at(-1) : (lineage as TaskID | Task | undefined);
    return isObject(end) ? end.id : end;
  });
}

function isObject<T>(value: T): value is T & object {
  return typeof value === 'object' && value !== null;
}

const taskID = /^task:b3:[0-9a-f]{64}$/;
const toolID = /^tool:b3:[0-9a-f]{64}$/;

export function isTaskID(text: string): text is TaskID {
  return taskID.test(text);
}

export function isToolID(text: string): text is ToolID {
  return toolID.test(text);
}
