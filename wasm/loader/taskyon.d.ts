/**
 * Taskyon Sandbox in a page.
 *
 *     import { loadTaskyon } from '/taskyon.js'
 *     const ty = await loadTaskyon({ store: 'memory' })
 *     const revision = await ty.tools.install({ name: 'uppercase', description: 'Upper case', parameters: { type: 'object' },
 *       code: '({ input }) => input.toUpperCase()' }, { activate: true })
 *     const task = await ty.tasks.compile({ role: 'function', content: { functionCall: { name: 'uppercase', arguments: { input: 'hello' } } } })
 *     const record = await ty.tasks.run(task)   // record.outcome === 'ok', record.result === 'HELLO'
 *
 * Every function returns a promise; a rejection is a TaskyonError with a closed `code`.
 */

/** A tool revision: `tool:b3:` and 64 hex digits, the hash of the definition's RFC 8785 bytes. */
export type ToolID = `tool:b3:${string}`;
/** A task: `task:b3:` and 64 hex digits, the hash of the node's RFC 8785 bytes. */
export type TaskID = `task:b3:${string}`;

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
/** JSON Schema 2020-12 of type object. */
export type ObjectSchema = { readonly type: 'object'; readonly [keyword: string]: Json };

/** What an author writes. The short form has `code` in place of `implementation`; both give the same revision. */
export type Definition = FullDefinition | ShortDefinition;

export type ShortDefinition = Omit<FullDefinition, 'implementation'> & {
  /** JavaScript: a function expression, one function declaration, or a module with a default export. */
  readonly code: string;
};

export interface FullDefinition {
  /** 1 to 64 letters, digits, `_` or `-`. */
  readonly name: string;
  readonly description: string;
  readonly longDescription?: string;
  readonly parameters?: ObjectSchema;
  readonly returns?: Json;
  readonly implementation:
    | { readonly class: 'sandboxed-code'; readonly language: 'javascript' | 'python'; readonly code: string }
    | { readonly class: 'trusted-native'; readonly native: string; readonly version: string }
    | { readonly class: 'external-service'; readonly service: string; readonly operation: string };
  readonly needs?: {
    readonly fetch?: readonly { readonly origin: string; readonly access: 'read' | 'write' }[];
    readonly subtasks?: boolean;
    readonly storage?: boolean;
    readonly secrets?: readonly string[];
    readonly popup?: readonly string[];
  };
  readonly settings?: ObjectSchema;
  readonly limits?: { readonly timeoutMs?: number };
}

export interface Revision {
  readonly id: ToolID;
  readonly name: string;
  /** The definition in normal form. */
  readonly definition: FullDefinition;
  /** What its schemas ask and no check does, `path: reason`: patterns beyond RE2, such as look-ahead. */
  readonly unenforced?: readonly string[];
}

/** A name meant this revision from `at` (RFC 3339) on. */
export interface Binding {
  readonly name: string;
  readonly id: ToolID;
  readonly at: string;
  readonly active: boolean;
}

export interface Draft {
  readonly role: 'function' | 'system' | 'user' | 'assistant';
  readonly parent?: TaskID;
  readonly content: {
    readonly message?: string;
    readonly functionCall?: {
      readonly name: string;
      /** An object, JSON text of one, or nothing. */
      readonly arguments?: Json;
      /** Keeps this revision; without it the active one is pinned. */
      readonly tool?: ToolID;
    };
  };
}

export interface Task {
  readonly id: TaskID;
  readonly role: Draft['role'];
  readonly parent?: TaskID;
  readonly content: {
    readonly message?: string;
    readonly functionCall?: { readonly name: string; readonly arguments: Json; readonly tool: ToolID };
  };
}

export type Outcome =
  | 'ok'
  | 'tool_error'
  | 'invalid_arguments'
  | 'invalid_result'
  | 'timeout'
  | 'aborted'
  | 'denied'
  | 'crashed'
  | 'flooded'
  | 'unavailable';

export interface LogLine {
  readonly level: 'debug' | 'log' | 'info' | 'warn' | 'error';
  readonly text: string;
}

/** What happened when a task ran. Times are milliseconds. */
export interface TaskRecord {
  readonly task: TaskID;
  readonly tool: ToolID;
  readonly outcome: Outcome;
  /** The result as a JavaScript value (Date, Map, Set, Uint8Array, BigInt … included); undefined when not ok. */
  readonly result: unknown;
  readonly error?: {
    readonly code: Exclude<Outcome, 'ok'>;
    readonly name?: string;
    readonly message: string;
    /** Where a value could not travel or broke a schema: `$.a[0]`. */
    readonly path?: string;
    /** The author's line and column, from 1. */
    readonly line?: number;
    readonly column?: number;
    readonly stack?: string;
    readonly cause?: string;
    /** What was thrown, when it was neither an Error nor null and can travel. */
    readonly value?: unknown;
  };
  readonly logs: readonly LogLine[];
  /** Log lines left out between the kept head and tail. */
  readonly dropped: number;
  /** Whether tool code may have begun to run. */
  readonly started: boolean;
  readonly isolation: 'browser' | 'os' | 'runtime' | 'none' | '';
  readonly startedAt: string;
  readonly durationMs: number;
  readonly queuedMs: number;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** A fresh sandbox for this call alone. */
  readonly disposable?: boolean;
  /** Retained state is kept apart by it, as by account or chat. */
  readonly partition?: string;
  readonly onLog?: (line: LogLine) => void;
  readonly onProgress?: (progress: { readonly fraction: number; readonly text: string }) => void;
}

export interface SandboxInfo {
  readonly revision: ToolID;
  readonly partition: string;
  readonly phase: 'starting' | 'idle' | 'running' | 'waiting';
  readonly calls: number;
  readonly queued: number;
  readonly since: string;
  /** A fresh one for one call alone. */
  readonly disposable: boolean;
  /** When a call last began or ended in it; missing before the first. */
  readonly lastUsed?: string;
}

export interface LoadOptions {
  /**
   * Where revisions, tasks and records live: `memory` (the default) until the engine is closed, `indexeddb` in this browser for this
   * origin. Where a page has no IndexedDB the engine works from memory; `Taskyon.store` says which it is.
   */
  readonly store?: 'indexeddb' | 'memory';
  /** Limits other than the documented ones (docs/embedding.md), by name: counts, bytes, milliseconds. */
  readonly limits?: { readonly [name: string]: number };
  /** Where taskyon.wasm is; beside the module unless given. */
  readonly wasmURL?: string | URL;
}

export interface Taskyon {
  /** Where this engine keeps things. */
  readonly store: 'indexeddb' | 'memory';
  readonly tools: {
    /** Freezes and stores a definition (object or JSON text); activates it only when told to. */
    install(definition: Definition | string, options?: { readonly activate?: boolean }): Promise<Revision>;
    /** By name: the active revision. By id: that one. */
    lookup(nameOrID: string): Promise<Revision>;
    list(): Promise<readonly Binding[]>;
    /** Every binding that a name ever had, oldest first. */
    history(name: string): Promise<readonly Binding[]>;
    activate(revision: ToolID | Revision): Promise<Revision>;
    /** Forgets a revision and every binding to it: `conflict` while it is active or a task is pinned to it. */
    erase(revision: ToolID | Revision): Promise<void>;
  };
  readonly tasks: {
    /** Pins and hashes a draft (object or JSON text) and stores the task. */
    compile(draft: Draft | string): Promise<Task>;
    /**
     * Runs a task (as compile gave it, its JSON text, or the id of a stored one) and resolves with its record for every outcome.
     * It rejects only when there is no valid task to run.
     */
    run(task: Task | TaskID | string, options?: RunOptions): Promise<TaskRecord>;
    get(id: TaskID): Promise<Task>;
    /** The task and its ancestors, the root first. */
    lineage(id: TaskID): Promise<readonly Task[]>;
    children(id: TaskID): Promise<readonly Task[]>;
    records(id: TaskID): Promise<readonly TaskRecord[]>;
    /** Stores many tasks, all or none; a parent stands before its children or is there already. */
    import(tasks: readonly (Task | string)[]): Promise<void>;
    /** Forgets a task, its descendants and the records of all of them. */
    erase(id: TaskID): Promise<void>;
  };
  readonly sandboxes: {
    list(): Promise<readonly SandboxInfo[]>;
    /** How many sandboxes are held ready, of no revision yet; they are not in the list. */
    warm(): Promise<number>;
    terminate(revision: ToolID | Revision, options?: { readonly partition?: string }): Promise<void>;
    clear(): Promise<void>;
  };
  /** Forgets every revision, binding, task and record, and ends every sandbox. */
  clear(): Promise<void>;
  /** Ends every sandbox and the engine; runs that are still open settle as aborted. */
  close(): Promise<void>;
}

export type ErrorCode =
  | 'invalid_json'
  | 'invalid_definition'
  | 'invalid_schema'
  | 'invalid_code'
  | 'invalid_draft'
  | 'invalid_task'
  | 'invalid_arguments'
  | 'invalid_request'
  | 'invalid_message'
  | 'invalid_value'
  | 'not_found'
  | 'too_large'
  | 'conflict'
  | 'corrupt'
  | 'unavailable'
  | 'timeout'
  | 'aborted'
  | 'denied'
  | 'closed'
  | 'internal';

export class TaskyonError extends Error {
  readonly name: 'TaskyonError';
  readonly code: ErrorCode;
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
}

/** Loads the engine. Each call makes an engine of its own; close it when done. */
export function loadTaskyon(options?: LoadOptions): Promise<Taskyon>;
