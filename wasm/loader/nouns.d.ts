/** What the page API speaks of: definitions and revisions, drafts and tasks, settings, records. See taskyon.d.ts. */

import type { Popup, PopupRequest } from './capabilities.js';
import type { ErrorCode } from './taskyon.js';

/** A tool revision: `tool:b3:` and 64 hex digits, the hash of the definition's RFC 8785 bytes. */
export type ToolID = `tool:b3:${string}`;
/** A task: `task:b3:` and 64 hex digits, the hash of the node's RFC 8785 bytes. */
export type TaskID = `task:b3:${string}`;
/** Settings: `settings:b3:` and 64 hex digits, the hash of the RFC 8785 bytes of `{ tool, values }`. */
export type SettingsID = `settings:b3:${string}`;
/** A file's content, as b3sum names it: `b3:` and 64 hex digits. */
export type FileID = `b3:${string}`;

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
/** JSON Schema 2020-12, where the engine wants one of type object. */
export type ObjectSchema = { readonly [keyword: string]: unknown };

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
  readonly returns?: unknown;
  readonly implementation:
    | { readonly class: 'sandboxed-code'; readonly language: 'javascript' | 'python'; readonly code: string }
    | { readonly class: 'trusted-native'; readonly native: string; readonly version: string }
    | { readonly class: 'external-service'; readonly service: string; readonly operation: string };
  readonly needs?: {
    readonly fetch?: readonly { readonly origin: string; readonly access: 'read' | 'write' }[];
    readonly subtasks?: boolean;
    readonly storage?: boolean;
    readonly secrets?: readonly string[];
    /** Of a trusted-native tool: `custom-html`, and https origins. */
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
  /** The reason, perhaps empty, where the revision is blocked here. */
  readonly blocked?: string;
}

/** A name meant this revision from `at` (RFC 3339) on. */
export interface Binding {
  readonly name: string;
  readonly id: ToolID;
  readonly at: string;
  readonly active: boolean;
}

/** A row of the history of a name. The id is null where the name was removed: it meant nothing from then on. */
export type HistoryRow = Omit<Binding, 'id'> & { readonly id: ToolID | null };

/** What there is to know about an installed revision without its code. */
export interface Manifest {
  readonly id: ToolID;
  readonly name: string;
  readonly description: string;
  readonly longDescription?: string;
  readonly class: FullDefinition['implementation']['class'];
  readonly language?: 'javascript' | 'python';
  readonly parameters: ObjectSchema;
  readonly returns?: Json;
  readonly needs?: NonNullable<FullDefinition['needs']>;
  readonly settingsSchema?: ObjectSchema;
  /** The current settings, where there are any. */
  readonly settings?: SettingsID;
  readonly active: boolean;
  readonly blocked: boolean;
  readonly blockReason?: string;
  /** What this host lacks to run it. */
  readonly missing?: string;
  readonly unenforced?: readonly string[];
}

/** One difference between two definitions in normal form. Objects are compared member by member, all else as a whole. */
export interface Change {
  /** `$.implementation.code`. */
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** null where it was added. */
  readonly before: Json;
  /** null where it was removed. */
  readonly after: Json;
}

/** What an import did. Lines and items count from 1; a text that is one JSON list has items in place of lines. */
export interface ImportReport {
  readonly revisions: ImportCount;
  readonly tasks: ImportCount;
  readonly records: ImportCount;
  /** The first hundred of what did not come in. */
  readonly refused: readonly { readonly line?: number; readonly item?: number; readonly code: ErrorCode; readonly message: string; readonly path?: string }[];
  /** How many more there are. */
  readonly refusedMore?: number;
  /** The first hundred of what older data became that is not simply the same; `was` is its old id. */
  readonly converted: readonly { readonly line?: number; readonly item?: number; readonly was?: string; readonly text: string }[];
  readonly convertedMore?: number;
}

export interface ImportCount {
  readonly new: number;
  readonly known: number;
}

export interface Block {
  readonly revision: ToolID;
  readonly reason: string;
  readonly at: string;
}

/** What a user chose for one revision. It never changes; `set` makes other settings. */
export interface Settings {
  readonly id: SettingsID;
  readonly tool: ToolID;
  readonly values: { readonly [name: string]: Json };
}

/** A revision had these settings from `at` on; the id is null where they were removed. */
export interface SettingsRow {
  readonly tool: ToolID;
  readonly id: SettingsID | null;
  readonly at: string;
  readonly active: boolean;
}

/** A function of the page. It runs with the page's rights. Its result may be what a tool's may be. */
export type NativeFunction<Args = any> = (args: Args, context: NativeContext) => unknown;

/** What a native function may know of its call. After the call has ended, nothing that it says is heard. */
export interface NativeContext {
  readonly task: TaskID;
  readonly tool: ToolID;
  readonly settings: { readonly [name: string]: Json };
  /** Aborted at the deadline, when the caller gives up, and when the engine ends. A result that comes later is ignored. */
  readonly signal: AbortSignal;
  /** fraction: 0 to 1. */
  progress(fraction?: number, text?: string): void;
  /**
   * Opens a window, if the definition declares it (`needs.popup`) and the user allows it; a call has one at a time. Rejects with a PopupError. The
   * call's time stands still until the window has closed, and the window ends with the call.
   */
  popup(request: PopupRequest): Promise<Popup>;
  debug(...values: unknown[]): void;
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
}

export type Format = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini' | 'mcp' | 'json-schema';

export interface Signatures {
  /** The value of the request's `tools` field, in the provider's form. */
  readonly tools: any;
  /** What the provider is not told as the author wrote it; `refused`: the tool is left out. */
  readonly notes: readonly { readonly tool: string; readonly path: string; readonly text: string; readonly refused?: boolean }[];
  /** The provider's name of each tool → its own. */
  readonly names: { readonly [provider: string]: string };
}

/** A call as a model makes it; see `tools.draft`. */
export interface ProviderCall {
  readonly parent?: Lineage | undefined;
  readonly [field: string]: unknown;
}

/** A place in a task tree: a stored task, by id or itself, or what `tasks.lineage` gave, whose last task counts. */
export type Lineage = TaskID | Task | readonly Task[];

export interface Draft {
  readonly role: 'function' | 'system' | 'user' | 'assistant';
  readonly parent?: TaskID | undefined;
  /** Up to 16 notes of an application, 256 bytes each; part of the identity. */
  readonly label?: readonly string[];
  /** Exactly one kind. */
  readonly content: OtherContent & {
    readonly functionCall?: {
      readonly name: string;
      /** An object of JSON, the text of one, or nothing. */
      readonly arguments?: unknown;
      /** Keeps this revision; without it, the nearest tool of that name in the lineage or else the active one is pinned. */
      readonly tool?: ToolID;
      /** Keeps these settings; without it the current ones of the revision are pinned. */
      readonly settings?: SettingsID;
    };
    /** A tool that only descendants see: sandboxed code, or a binding to an installed revision of it. Nothing is installed. */
    readonly toolDefinition?: Definition | { readonly name?: string; readonly tool: ToolID };
  };
}

/** The kinds that are the same in drafts and tasks. */
export interface OtherContent {
  readonly message?: string;
  /**
   * What a call among the ancestors gave, as `tasks.answer` writes it: `result` where ok, else null, and `error` says why not. The
   * result is JSON; what JSON lacks is tagged: `{ "$t": "date", "v": "2026-01-31T12:00:00.000Z" }`, so with undefined, number (NaN,
   * Infinity, -Infinity, -0), bigint, bytes (base64), map, set and error; keys that begin with `$` have one more.
   */
  readonly toolResult?: { readonly call: TaskID; readonly outcome: Outcome; readonly result: unknown; readonly error?: string };
  /** size in bytes. */
  readonly file?: { readonly name: string; readonly mediaType?: string; readonly size?: number; readonly digest?: FileID };
  readonly chatCompletion?: { readonly model: string; readonly options?: { readonly [name: string]: Json } };
}

export interface Task extends Omit<Draft, 'content'> {
  readonly id: TaskID;
  readonly content: OtherContent & {
    readonly functionCall?: { readonly name: string; readonly arguments: Json; readonly tool: ToolID; readonly settings?: SettingsID };
    readonly toolDefinition?: FullDefinition | { readonly name: string; readonly tool: ToolID };
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
export type TaskRecord = SucceededRecord | FailedRecord;

export interface SucceededRecord extends RecordFacts {
  readonly outcome: 'ok';
  /** The result as a JavaScript value: Date, Map, Set, Uint8Array, BigInt … included. */
  readonly result: any;
  readonly error?: undefined;
}

export interface FailedRecord extends RecordFacts {
  readonly outcome: Exclude<Outcome, 'ok'>;
  readonly result: undefined;
  readonly error: Failure;
}

/** Why a run did not end ok. */
export interface Failure {
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
}

export interface RecordFacts {
  readonly task: TaskID;
  readonly tool: ToolID;
  readonly logs: readonly LogLine[];
  /** Log lines left out between the kept head and tail. */
  readonly dropped: number;
  /** Every ask of a capability, in order: which of them were writes that have left for the outside is among what they tell. */
  readonly asks: readonly AskRecord[];
  /** Tasks that the call has made, stored below its own: run those that you want to. */
  readonly subtasks: readonly TaskID[];
  /** Whether tool code may have begun to run. */
  readonly started: boolean;
  /** What held the code; `host`: nothing, it ran with the host's rights; empty: nothing ran. */
  readonly isolation: 'browser' | 'os' | 'runtime' | 'host' | 'none' | '';
  readonly startedAt: string;
  readonly durationMs: number;
  readonly queuedMs: number;
}

/** What is kept of one ask of a capability. */
export interface AskRecord {
  readonly capability: string;
  /** `open`: it had no answer when its call ended. */
  readonly decision: 'allowed' | 'denied' | 'failed' | 'withdrawn' | 'open';
  /** The code of a denial or failure. */
  readonly reason?: string;
  /** What it was about: an origin, a name. */
  readonly scope?: string;
  readonly class?: 'read' | 'write';
  /** Whether something has left for the outside. A call that was ended may have sent what it had no answer to. */
  readonly sent: boolean;
  readonly bytesOut?: number;
  readonly bytesIn?: number;
  readonly durationMs: number;
}

/** One thing that an engine has found out about its page by trying it. */
export interface EnvironmentFact {
  readonly id:
    | 'secure_context'
    | 'wasm'
    | 'sandbox_kind'
    | 'sandbox_frame'
    | 'sandbox_worker'
    | 'sandbox_crypto'
    | 'policy_script'
    | 'policy_worker'
    | 'policy_trusted_types'
    | 'policy_frame'
    | 'store'
    | 'indexeddb'
    | 'storage_persisted'
    | 'broadcast_channel'
    | 'cross_origin_isolated'
    | 'version';
  readonly title: string;
  /** Whether the title is true here. */
  readonly ok: boolean;
  readonly detail: string;
  /** What to do, where something should be done. */
  readonly advice?: string;
}
