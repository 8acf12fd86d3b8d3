import type { ErrorCode } from './taskyon.js';
import { TaskyonError } from './errors.js';

/**
 * The JSON text of a caller's value. A string is taken as JSON text already, so that duplicate keys reach the strict decoder.
 * What JSON would silently drop or rewrite (undefined, functions, getters, class instances, NaN …) is refused with its path.
 */
export function jsonText(value: unknown, code: ErrorCode): string {
  if (typeof value === 'string') return value;
  check(value, '$', code, new Set());
  return JSON.stringify(value);
}

const nesting = 512;

function check(value: unknown, path: string, code: ErrorCode, above: Set<object>): void {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return;
    case 'number':
      if (Number.isFinite(value)) return;
      throw refused(path, String(value), code);
    case 'object':
      if (value === null) return;
      break;
    default:
      throw refused(path, value === undefined ? 'undefined' : `a ${typeof value}`, code);
  }
  if (above.has(value)) throw refused(path, 'a cycle', code);
  if (above.size >= nesting) throw refused(path, 'nested too deep', code);
  above.add(value);
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) check(plain(value, String(i), path, code), `${path}[${i}]`, code, above);
  } else {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw refused(path, instance(value), code);
    for (const key of Object.keys(value)) check(plain(value, key, path, code), child(path, key), code, above);
  }
  above.delete(value);
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
