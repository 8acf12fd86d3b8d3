import { before, goGlobals, take, type Globals } from './before.js';
import { host } from './host.js';
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

/** Tells of the first error that leaves the program by another way than its end: nothing that it was asked will be answered. */
export function onFault(go: GoRuntime, tell: (reason: unknown) => void): void {
  const resume = go._resume.bind(go);
  go._resume = () => {
    try {
      resume();
    } catch (reason) {
      tell(reason);
    }
  };
}

/** Lets go of what an ended program left in the page: without this, each of its timers would throw there. */
export function putAway(go: GoRuntime): void {
  for (const timer of go._scheduledTimeouts.values()) clearTimeout(timer);
  go._resume = () => {};
}

Object.assign(host, take(goGlobals));
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
