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
 * Every function returns a promise; a rejection is a TaskyonError with a closed `code`. Where a revision is asked for, its id or what
 * `install` and `lookup` gave is meant.
 */

import type { AuditQuery, AuditRow, Forecast, Grant, GrantPlan, PermissionHandler, PopupHandler, SecretInfo, StorageUsage, StoredValue } from './capabilities.js';
import type {
  Binding, Block, Change, Definition, Draft, EnvironmentFact, Format, HistoryRow, ImportReport, Json,
  Lineage, LogLine, Manifest, NativeFunction, ProviderCall, Revision, Settings, SettingsID, SettingsRow, Signatures,
  Task, TaskID, TaskRecord, ToolID,
} from './nouns.js';

export type * from './nouns.js';
export type * from './capabilities.js';

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** A fresh sandbox for this call alone. */
  readonly disposable?: boolean;
  /** Retained state is kept apart by it, as by account or chat. */
  readonly partition?: string;
  readonly onLog?: (line: LogLine) => void;
  readonly onProgress?: (progress: { readonly fraction: number; readonly text: string }) => void;
}

/** A live sandbox. How much memory it holds no engine tells: a worker of an opaque frame has no measure of it, and the page's does not reach there. */
export interface SandboxInfo {
  readonly revision: ToolID;
  readonly partition: string;
  /** The node that defines the tool, for one that stands in a chat. */
  readonly scope?: TaskID;
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
  /**
   * What holds tools. `srcdoc` (the default): frames without an address, which need something of this page's policy. `{ page }`: frames that
   * show sandbox.html, of the same build, which has a policy of its own; this page's then needs frame-src of that address. See docs/embedding.md.
   */
  readonly sandbox?: 'srcdoc' | { readonly page: string | URL };
  /**
   * The address of a fetch proxy (docs/embedding.md), https or on this machine: what tools ask for goes through it, and it judges each request once
   * more, with the addresses that it connects to. Without it the page's own fetch asks, which cannot see addresses.
   */
  readonly proxyURL?: string;
  /**
   * Asks the user whether a tool may do what it asks for. One question at a time; its signal aborts when nobody waits for the answer any more.
   * Without a handler, and for every answer that is none of `request.answers`, the answer is no.
   */
  readonly onPermission?: PermissionHandler;
  /**
   * Asks the user to open a window for a function of this page, where the gesture that led there is no longer fresh. Without a handler a bar at the lower
   * edge of the page does.
   */
  readonly onPopup?: PopupHandler;
  /** Where popup.html is, on the origin of this page (docs/embedding.md); beside the module unless given. */
  readonly popupURL?: string | URL;
  /** A bearer token that the proxy wants. */
  readonly proxyToken?: string;
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
    lookup(nameOrID: string | Revision): Promise<Revision>;
    list(): Promise<readonly Binding[]>;
    /** Every binding that a name ever had, oldest first. */
    history(name: string): Promise<readonly HistoryRow[]>;
    /** The ids installed under a name, active or not, oldest first. */
    revisions(name: string): Promise<readonly ToolID[]>;
    /** `denied` where the revision is blocked. */
    activate(revision: ToolID | Revision): Promise<Revision>;
    /** Makes a name mean nothing. Its revisions stay, what is pinned to them runs, and `activate` brings one back. */
    remove(name: string): Promise<void>;
    /**
     * Forgets a revision, every binding to it, and what is kept for it (settings, grants, secrets, what it has stored): `conflict` while it
     * is active or a task is pinned to it.
     */
    erase(revision: ToolID | Revision): Promise<void>;
    /** Forgets every revision that is neither active nor pinned by a task; gives their ids. */
    eraseUnpinned(): Promise<readonly ToolID[]>;
    /** What a definition will ask the user for, and what it may do without asking: to be shown before it is installed. */
    forecast(definition: Definition | string): Promise<readonly Forecast[]>;
    /** What there is to know about a revision but its code. */
    manifest(nameOrID: string | Revision): Promise<Manifest>;
    /** Those of the active revisions, by name. */
    manifests(): Promise<readonly Manifest[]>;
    /** How the second differs from the first; nothing for one and the same. */
    diff(before: ToolID | Revision, after: ToolID | Revision): Promise<readonly Change[]>;
    /** The revision as one file (text, JSON lines) for `import`, without settings. */
    export(revision: ToolID | Revision): Promise<string>;
    /**
     * Refuses a revision, installed or not, from now on, as `denied`: it is not installed, activated, compiled or run, also where a
     * task is pinned to it, and its sandboxes end. reason: at most 1024 bytes.
     */
    block(revision: ToolID | Revision, reason?: string): Promise<void>;
    unblock(revision: ToolID | Revision): Promise<void>;
    blocks(): Promise<readonly Block[]>;
    /** Shows a provider the tools that a child of this place may call; without one, a root. */
    signatures(format: Format, lineage?: Lineage): Promise<Signatures>;
    /**
     * Brings a provider's call of one of those tools back to a draft below `parent`. The call is `{ name, arguments }`, the arguments as
     * text or read, or what the provider sent: a tool call of OpenAI, a tool_use block, a functionCall part, a tools/call. Its id is
     * kept as a label `call:<id>`. What the provider was shown differently comes back as the schema has it: names, nulls that strict
     * mode forced, and numbers, booleans, arrays and objects that a model wrote as text where the schema takes no text.
     */
    draft(format: Format, call: ProviderCall): Promise<Draft>;
  };
  readonly natives: {
    /**
     * Installs a definition of class `trusted-native`, active unless told otherwise, and gives it its function for as long as this
     * engine lives. The same native in the same version again is `conflict`: give the new function another version.
     */
    register<Args = any>(definition: Definition | string, fn: NativeFunction<Args>, options?: { readonly activate?: boolean }): Promise<Revision>;
  };
  readonly settings: {
    /** Checks values (an object or JSON text) against the revision's settings schema; later tasks are pinned to them. */
    set(revision: ToolID | Revision, values: { readonly [name: string]: Json } | string): Promise<Settings>;
    /** The current ones. */
    get(revision: ToolID | Revision): Promise<Settings | undefined>;
    lookup(id: SettingsID): Promise<Settings>;
    /** All that a revision ever had, oldest first. */
    history(revision: ToolID | Revision): Promise<readonly SettingsRow[]>;
    /** Makes a revision have none. Tasks that are pinned to earlier ones keep them. */
    remove(revision: ToolID | Revision): Promise<void>;
  };
  readonly tasks: {
    /** Pins and hashes a draft (object or JSON text) and stores the task. `invalid_settings`: required ones are not set. */
    /**
     * What is the same is one task: two chats that begin with the same words would share their root, and all below it. `fresh` gives
     * a root a label that no other task has (`chat:` and 128 random bits), so that a new chat is a new one.
     */
    compile(draft: Draft | string, options?: { readonly fresh?: boolean }): Promise<Task>;
    /**
     * Runs a task (as compile gave it, its JSON text, or the id of a stored one) and resolves with its record for every outcome.
     * It rejects only when there is no valid task to run.
     */
    run(task: Task | TaskID | string, options?: RunOptions): Promise<TaskRecord>;
    get(task: TaskID | Task): Promise<Task>;
    /** The task and its ancestors, the root first. */
    lineage(task: Lineage): Promise<readonly Task[]>;
    /** The tasks whose parent it is, in the order in which they were stored; without one the roots. */
    children(task?: TaskID | Task): Promise<readonly Task[]>;
    /** What happened each time the task ran, oldest first. */
    records(task: TaskID | Task): Promise<readonly TaskRecord[]>;
    /**
     * Compiles the toolResult of a call that has run, from its latest record, below the call or another parent. A toolResult is what
     * the chat says for its readers; the record is the evidence.
     */
    answer(call: TaskID | Task, options?: { readonly parent?: Lineage | undefined }): Promise<Task>;
    /** The lineage as a model reads it: without definitions of tools and requests for completions. */
    messages(lineage: Lineage): Promise<readonly Task[]>;
    /** Stores a copy of a chat without the tools that are defined in it; gives it, the root first. Copied calls keep their pins. */
    copyChat(task: Lineage): Promise<readonly Task[]>;
    /**
     * A task with its ancestors (and, if asked, all descendants), the installed revisions that they are pinned to, and their records, as
     * one file (text, JSON lines) for `import`. Settings do not travel; ids of settings are hashes that stand in the calls.
     */
    export(task: Lineage, options?: { readonly descendants?: boolean }): Promise<string>;
    /** Stores many tasks, all or none; a parent stands before its children or is there already. */
    put(tasks: readonly (Task | string)[]): Promise<void>;
    /**
     * Forgets a task, its descendants and the records of all of them; the sandboxes of tools that are defined there end. Chats that
     * share the task (see `fresh` of compile) lose it together.
     */
    erase(task: TaskID | Task): Promise<void>;
  };
  readonly grants: {
    /** What the user has allowed, now or once, of a revision or of all. */
    list(revision?: ToolID | Revision): Promise<readonly Grant[]>;
    /** The next ask is asked about again. A request that is under way is not stopped. */
    revoke(grant: Grant | string): Promise<void>;
    /** What `accept` would carry over from one revision of a tool to another, and how their needs differ. It changes nothing. */
    plan(from: ToolID | Revision, to: ToolID | Revision): Promise<GrantPlan>;
    /** Carries out a plan that the user has seen; `conflict` when things have changed since. */
    accept(plan: GrantPlan): Promise<void>;
  };
  readonly secrets: {
    /**
     * Keeps a value that a revision declares by name, for these https origins: it goes into headers of requests to them in the place of a
     * placeholder, which is all that the tool sees. `unavailable` in a page that is no secure context.
     */
    set(revision: ToolID | Revision, name: string, value: string, options: { readonly origins: readonly string[] }): Promise<void>;
    forget(revision: ToolID | Revision, name: string): Promise<void>;
    list(revision: ToolID | Revision): Promise<readonly SecretInfo[]>;
  };
  readonly storage: {
    /** Which revisions have stored something. */
    list(): Promise<readonly StorageUsage[]>;
    read(revision: ToolID | Revision): Promise<readonly StoredValue[]>;
    clear(revision: ToolID | Revision): Promise<void>;
    /** Copies what one revision has stored to another that has stored nothing yet. */
    carry(from: ToolID | Revision, to: ToolID | Revision): Promise<void>;
  };
  readonly audit: {
    /** What tools have asked for, the newest first. */
    query(query?: AuditQuery): Promise<readonly AuditRow[]>;
  };
  readonly sandboxes: {
    list(): Promise<readonly SandboxInfo[]>;
    /** How many sandboxes are held ready, of no revision yet; they are not in the list. */
    warm(): Promise<number>;
    /** Ends the sandboxes of a revision in a partition, those of tools in chats too. */
    terminate(revision: ToolID | Revision, options?: { readonly partition?: string }): Promise<void>;
    clear(): Promise<void>;
  };
  readonly diagnostics: {
    /** Tries what this page lets the engine do, and tells what works and why the rest does not. It takes up to some seconds where nothing works. */
    environment(): Promise<readonly EnvironmentFact[]>;
  };
  /**
   * Takes a file that `export` made, or older data: tool definitions in full or short form, and task nodes of 2024. Every hash is
   * checked; what does not hold is refused with its line, and all else comes in. Nothing becomes active, blocks stay, and importing
   * a file again changes nothing. Records come in only for tasks that are new with the file. Older calls are pinned to the tools that come with them or are active here at that moment: install and
   * activate those first, else a call becomes a message with the label `call-not-pinned`.
   */
  import(text: string): Promise<ImportReport>;
  /** Forgets every task, record, revision, binding, setting and block, and whatever else is kept, and ends every sandbox. */
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
  | 'invalid_settings'
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

/** Whether a text has the form of an id, for one that comes from outside. */
export function isTaskID(text: string): text is TaskID;
export function isToolID(text: string): text is ToolID;

/** Loads the engine. Each call makes an engine of its own; close it when done. */
export function loadTaskyon(options?: LoadOptions): Promise<Taskyon>;
