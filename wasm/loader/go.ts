import { before, goGlobals, take, type Globals } from './before.js';
import 'taskyon:wasm_exec';

/** Go's runtime for one program; see lib/wasm/wasm_exec.js of the Go distribution. */
export interface GoRuntime {
  argv: string[];
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
  /** Wakes the program; its timers call it, also those that are still set when it has ended. */
  _resume(): void;
  _scheduledTimeouts: Map<number, ReturnType<typeof setTimeout>>;
}

/** Lets go of what an ended program left in the page: without this, each of its timers would throw there. */
export function putAway(go: GoRuntime): void {
  for (const timer of go._scheduledTimeouts.values()) clearTimeout(timer);
  go._resume = () => {};
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
