import { before, goGlobals, take, type Globals } from './before.js';
import 'taskyon:wasm_exec';

/** Go's runtime for one program; see lib/wasm/wasm_exec.js of the Go distribution. */
export interface GoRuntime {
  argv: string[];
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

const host = take(goGlobals);
Object.assign(globalThis, before);

export function newRuntime(): GoRuntime {
  return new (host['Go'] as new () => GoRuntime)();
}

/**
 * Runs `start` while the globals that a Go program reads at its start (and those given) are set, then puts the page's own
 * back. The program runs synchronously up to its first wait, which is after it has read them.
 */
export function withGlobals<T>(given: Globals, start: () => T): T {
  const names = [...goGlobals, ...Object.keys(given)];
  const page = take(names);
  Object.assign(globalThis, host, given);
  try {
    return start();
  } finally {
    take(names);
    Object.assign(globalThis, page);
  }
}
