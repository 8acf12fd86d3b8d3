import type { AskRecord, Failure, LogLine, Outcome, RecordFacts, RunOptions, TaskID, TaskRecord } from './taskyon.js';
import { decodeValue } from '../../sandboxhost/bootstrap/src/values.js';
import type { Listener } from './engine.js';

/** A record as the engine writes it: result and thrown value in tagged form, empty lists left out. */
export type WireRecord = Omit<RecordFacts, 'logs' | 'dropped' | 'asks' | 'subtasks'> & {
  readonly outcome: Outcome;
  readonly result?: unknown;
  readonly error?: Failure;
  readonly logs?: readonly LogLine[];
  readonly dropped?: number;
  readonly asks?: readonly AskRecord[];
  readonly subtasks?: readonly TaskID[];
};

export function record(wire: WireRecord): TaskRecord {
  // Own fields only: the page may have put things on Object.prototype.
  const error = Object.hasOwn(wire, 'error') ? wire.error : undefined;
  return {
    ...wire,
    logs: wire.logs ?? [],
    dropped: wire.dropped ?? 0,
    asks: wire.asks ?? [],
    subtasks: wire.subtasks ?? [],
    result: wire.outcome === 'ok' ? decodeValue(wire.result) : undefined,
    ...(error && Object.hasOwn(error, 'value') ? { error: { ...error, value: decodeValue(error.value) } } : {}),
  } as TaskRecord;
}

export function listener(onLog: RunOptions['onLog'], onProgress: RunOptions['onProgress']): Listener | undefined {
  if (!onLog && !onProgress) return undefined;
  return (kind, text) => {
    const event = JSON.parse(text) as { lines: LogLine[]; fraction: number; text: string };
    // A page's own callback may throw; that is the page's error and must not reach the run, nor cost another line.
    if (kind === 'log') for (const line of onLog ? event.lines : []) queueMicrotask(() => onLog?.(line));
    else if (kind === 'progress') queueMicrotask(() => onProgress?.({ fraction: event.fraction, text: event.text }));
  };
}
