import type { ErrorCode } from './taskyon.js';
import { describeError } from '../../sandboxhost/bootstrap/src/values/error.js';

/** A coded error. The codes are those of core/fault. */
export class TaskyonError extends Error {
  override readonly name = 'TaskyonError';
  readonly code: ErrorCode;
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;

  constructor(code: ErrorCode, message: string, at: { path?: string; line?: number; column?: number } = {}) {
    super(message);
    this.code = code;
    if (at.path !== undefined) this.path = at.path;
    if (at.line !== undefined) this.line = at.line;
    if (at.column !== undefined) this.column = at.column;
  }
}

/** Runs code that reads what a caller gave, whose getters and traps may throw anything. */
export function reading<T>(code: ErrorCode, read: () => T): T {
  try {
    return read();
  } catch (reason) {
    if (reason instanceof TaskyonError) throw reason;
    throw new TaskyonError(code, `what was given cannot be read: ${describeError(reason)}`);
  }
}

/** Turns what the engine rejected with into a TaskyonError whose stack begins at the caller. */
export function fromEngine(reason: unknown): TaskyonError {
  if (reason instanceof Error && 'code' in reason) {
    return new TaskyonError(reason.code as ErrorCode, reason.message, reason as { path?: string; line?: number; column?: number });
  }
  return new TaskyonError('internal', `engine: ${String(reason)}`);
}
