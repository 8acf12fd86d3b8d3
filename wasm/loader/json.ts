import type { ErrorCode } from './taskyon.js';
import { TaskyonError, reading } from './errors.js';

/**
 * The JSON text of a caller's value. A string is taken as JSON text already, so that duplicate keys reach the strict decoder; half
 * of a surrogate pair in it is refused, since the way into the engine would quietly repair it. Of anything else, what JSON would
 * silently drop or rewrite (undefined, functions, getters, class instances, NaN …) is refused with its path. The text is made of a
 * copy of what was checked: each property is read once, and no `toJSON` is asked.
 */
export function jsonText(value: unknown, code: ErrorCode): string {
  if (typeof value !== 'string') return JSON.stringify(reading(code, () => copy(value, '$', code, new Set())));
  if (/\p{Surrogate}/u.test(value)) throw new TaskyonError('invalid_json', 'json: half of a surrogate pair in the text');
  return value;
}

/** The same of an object of options, in which a field that is undefined is one that was not given. */
export function optionsText(options: object): string {
  const given = Object.create(null) as { [name: string]: unknown };
  for (const [name, value] of Object.entries(options)) if (value !== undefined) given[name] = value;
  return jsonText(given, 'invalid_request');
}

const nesting = 512;

function copy(value: unknown, path: string, code: ErrorCode, above: Set<object>): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      throw refused(path, String(value), code);
    case 'object':
      if (value === null) return value;
      break;
    default:
      throw refused(path, value === undefined ? 'undefined' : `a ${typeof value}`, code);
  }
  if (above.has(value)) throw refused(path, 'a cycle', code);
  if (above.size >= nesting) throw refused(path, 'nested too deep', code);
  above.add(value);
  const out = Array.isArray(value) ? copyArray(value, path, code, above) : copyObject(value, path, code, above);
  above.delete(value);
  return out;
}

function copyArray(value: readonly unknown[], path: string, code: ErrorCode, above: Set<object>): unknown[] {
  const own = Reflect.ownKeys(value).length - 1;
  if (own > value.length) throw refused(path, 'an array with properties of its own', code);
  // Before room is made: a length costs nothing to claim.
  if (own < value.length) throw refused(`${path}[${holeIn(value, own)}]`, 'a hole', code);
  const out: unknown[] = Array.from({ length: own });
  for (let i = 0; i < out.length; i++) out[i] = copy(plain(value, String(i), path, code), `${path}[${i}]`, code, above);
  return out;
}

/** The first index below most that is not there. */
function holeIn(items: readonly unknown[], most: number): number {
  let i = 0;
  while (i < most && Object.hasOwn(items, i)) i++;
  return i;
}

function copyObject(value: object, path: string, code: ErrorCode, above: Set<object>): object {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw refused(path, instance(value), code);
  const out = Object.create(null) as { [key: string]: unknown };
  for (const key of Object.keys(value)) out[key] = copy(plain(value, key, path, code), child(path, key), code, above);
  return out;
}

function instance(value: object): string {
  const name = Object.prototype.toString.call(value).slice(8, -1);
  if (name === 'Promise') return 'a Promise (await it first)';
  return name === 'Object' ? 'a class instance' : `a ${name}`;
}

function plain(holder: object, key: string, path: string, code: ErrorCode): unknown {
  const property = Object.getOwnPropertyDescriptor(holder, key);
  if (property && !('value' in property)) throw refused(child(path, key), 'a getter', code);
  return property?.value;
}

function child(path: string, key: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
}

function refused(path: string, what: string, code: ErrorCode): TaskyonError {
  return new TaskyonError(code, `${path}: ${what} is not JSON; leave it out or convert it first`, { path });
}
