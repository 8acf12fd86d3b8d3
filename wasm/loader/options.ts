import { TaskyonError, reading } from './errors.js';

/** What an option may be. */
type Kind = 'boolean' | 'string' | 'function' | 'signal';

/** Checks a caller's options: none, or an object with these names and kinds only. Anything else is invalid_request by name. */
export function checkOptions<T extends object>(where: string, given: T | undefined, kinds: { readonly [name in keyof T]-?: Kind }): T {
  if (given === undefined) return {} as T;
  if (typeof given !== 'object' || given === null) throw refused(where, `want an object, got ${given === null ? 'null' : `a ${typeof given}`}`);
  for (const [name, value] of reading('invalid_request', () => Object.entries(given))) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name as keyof T] : undefined;
    if (kind === undefined) throw refused(where, `there is no option "${name}"; there are ${Object.keys(kinds).join(', ')}`);
    if (value !== undefined && !isKind(value, kind)) throw refused(where, `option "${name}" must be ${wanted[kind]}`);
  }
  return given;
}

const wanted: { readonly [kind in Kind]: string } = {
  boolean: 'true or false',
  string: 'a string',
  function: 'a function',
  signal: 'an AbortSignal, such as the signal of an AbortController',
};

function isKind(value: unknown, kind: Kind): boolean {
  return kind === 'signal' ? value instanceof AbortSignal : typeof value === kind;
}

function refused(where: string, text: string): TaskyonError {
  return new TaskyonError('invalid_request', `${where}: ${text}`);
}
