import type { Lineage, Revision, Task, TaskID, ToolID } from './taskyon.js';

// What is neither an id nor a thing with one is left to the engine, which refuses it by name.

export function idOf(revision: ToolID | Revision): ToolID {
  return isObject(revision) ? revision.id : revision;
}

/** The task at the end of a lineage; undefined for an empty one, which is where a root would stand. */
export function endOf(lineage: Lineage | undefined): TaskID | undefined {
  const end = Array.isArray(lineage) ? (lineage as readonly Task[]).at(-1) : (lineage as TaskID | Task | undefined);
  return isObject(end) ? end.id : end;
}

function isObject<T>(value: T): value is T & object {
  return typeof value === 'object' && value !== null;
}
