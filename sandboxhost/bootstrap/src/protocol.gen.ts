// Generated from core/protocol by `make generate`. Do not edit.

export const version = 1;
export const maxValues = 262144;
export const maxDigits = 10000;
export const maxKeys = 4096;
export const bodyCredit = 1048576;
export type Side = 'host' | 'tool' | 'supervisor';
export type State = 'new' | 'starting' | 'idle' | 'running' | 'ended';

export type Shape =
  | { readonly t: 'text' | 'list'; readonly max: number; readonly of?: Shape }
  | { readonly t: 'count' | 'number' | 'boolean' | 'value' }
  | { readonly t: 'word'; readonly of: readonly string[] }
  | { readonly t: 'object'; readonly fields: Fields };
export type Fields = { readonly [name: string]: { readonly shape: Shape; readonly optional: boolean } };

export interface Row {
  readonly by: Side;
  readonly in: readonly State[];
  readonly then: State | '';
  readonly bytes: number;
  readonly blobs: number;
  readonly fields: Fields;
}

export interface Budget {
  readonly nesting: number;
  readonly resultBytes: number;
  readonly inlineTextBytes: number;
  readonly logLines: number;
  readonly logBytes: number;
  readonly messagesPerWindow: number;
  readonly bytesPerWindow: number;
  readonly windowMs: number;
  readonly bodyBytes: number;
}

export interface Asset {
  readonly name: string;
  readonly size: number;
}

export interface Start {
  readonly kind: 'start';
  readonly name: string;
  readonly revision?: string;
  readonly language: string;
  readonly program: string;
  readonly limits: Budget;
  readonly assets?: readonly Asset[];
}

export interface Context {
  readonly task: string;
  readonly tool: string;
  readonly settings?: unknown;
  readonly secrets?: unknown;
}

export interface Call {
  readonly kind: 'call';
  readonly call: number;
  readonly args: unknown;
  readonly timeoutMs: number;
  readonly wallMs: number;
  readonly context: Context;
}

export interface Fault {
  readonly code: string;
  readonly message: string;
}

export interface Answer {
  readonly kind: 'answer';
  readonly call: number;
  readonly ask: number;
  readonly value: unknown;
  readonly error?: Fault;
  readonly body?: boolean;
}

export interface Chunk {
  readonly kind: 'chunk';
  readonly call: number;
  readonly ask: number;
  readonly seq: number;
  readonly last: boolean;
  readonly error?: Fault;
}

export interface Cancel {
  readonly kind: 'cancel';
  readonly call: number;
}

export interface Ping {
  readonly kind: 'ping';
  readonly seq: number;
}

export interface Ready {
  readonly kind: 'ready';
  readonly version: number;
}

export interface Ask {
  readonly kind: 'ask';
  readonly call: number;
  readonly ask: number;
  readonly capability: 'fetch' | 'subtasks' | 'resolve' | 'storage' | 'popup';
  readonly params: unknown;
}

export interface AskCancel {
  readonly kind: 'ask_cancel';
  readonly call: number;
  readonly ask: number;
}

export interface Credit {
  readonly kind: 'credit';
  readonly call: number;
  readonly ask: number;
  readonly bytes: number;
}

export interface Line {
  readonly level: 'debug' | 'log' | 'info' | 'warn' | 'error';
  readonly text: string;
}

export interface Log {
  readonly kind: 'log';
  readonly call: number;
  readonly lines: readonly Line[];
  readonly dropped?: number;
}

export interface Progress {
  readonly kind: 'progress';
  readonly call: number;
  readonly fraction?: number;
  readonly text?: string;
}

export interface Result {
  readonly kind: 'result';
  readonly call: number;
  readonly value: unknown;
}

export interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly path?: string;
  readonly stack?: string;
  readonly line?: number;
  readonly column?: number;
  readonly cause?: string;
  readonly value?: unknown;
}

export interface Failure {
  readonly kind: 'failure';
  readonly call: number;
  readonly code: 'tool_error' | 'invalid_result';
  readonly error: Thrown;
}

export interface Pong {
  readonly kind: 'pong';
  readonly seq: number;
}

export interface Flooded {
  readonly kind: 'flooded';
  readonly call: number;
  readonly reason: 'messages' | 'bytes' | 'size' | 'malformed';
  readonly count: number;
}

export interface Crashed {
  readonly kind: 'crashed';
  readonly call: number;
  readonly reason: 'timeout' | 'wall' | 'start' | 'error' | 'silent';
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

export type Message = Start | Call | Answer | Chunk | Cancel | Ping | Ready | Ask | AskCancel | Credit | Log | Progress | Result | Failure | Pong | Flooded | Crashed;
export type Kind = Message['kind'];

export const sizes = { start: 5242880, call: 35651584, answer: 35651584, chunk: 8192, cancel: 1024, ping: 1024, ready: 1024, ask: 1048576, ask_cancel: 1024, credit: 1024, log: 2097152, progress: 8192, result: 35651584, failure: 262144, pong: 1024, flooded: 1024, crashed: 32768 } as const;

export const rows: { readonly [K in Kind]: Row } = {
  start: { by: 'host', in: ['new'], then: 'starting', bytes: 5242880, blobs: 256, fields: { name: { shape: { t: 'text', max: 64 }, optional: false }, revision: { shape: { t: 'text', max: 128 }, optional: true }, language: { shape: { t: 'text', max: 32 }, optional: false }, program: { shape: { t: 'text', max: 4194304 }, optional: false }, limits: { shape: { t: 'object', fields: { nesting: { shape: { t: 'count' }, optional: false }, resultBytes: { shape: { t: 'count' }, optional: false }, inlineTextBytes: { shape: { t: 'count' }, optional: false }, logLines: { shape: { t: 'count' }, optional: false }, logBytes: { shape: { t: 'count' }, optional: false }, messagesPerWindow: { shape: { t: 'count' }, optional: false }, bytesPerWindow: { shape: { t: 'count' }, optional: false }, windowMs: { shape: { t: 'count' }, optional: false }, bodyBytes: { shape: { t: 'count' }, optional: false } } }, optional: false }, assets: { shape: { t: 'list', max: 256, of: { t: 'object', fields: { name: { shape: { t: 'text', max: 256 }, optional: false }, size: { shape: { t: 'count' }, optional: false } } } }, optional: true } } },
  call: { by: 'host', in: ['idle'], then: 'running', bytes: 35651584, blobs: 0, fields: { call: { shape: { t: 'count' }, optional: false }, args: { shape: { t: 'value' }, optional: false }, timeoutMs: { shape: { t: 'count' }, optional: false }, wallMs: { shape: { t: 'count' }, optional: false }, context: { shape: { t: 'object', fields: { task: { shape: { t: 'text', max: 128 }, optional: false }, tool: { shape: { t: 'text', max: 128 }, optional: false }, settings: { shape: { t: 'value' }, optional: true }, secrets: { shape: { t: 'value' }, optional: true } } }, optional: false } } },
  answer: { by: 'host', in: ['running'], then: '', bytes: 35651584, blobs: 8, fields: { call: { shape: { t: 'count' }, optional: false }, ask: { shape: { t: 'count' }, optional: false }, value: { shape: { t: 'value' }, optional: false }, error: { shape: { t: 'object', fields: { code: { shape: { t: 'text', max: 64 }, optional: false }, message: { shape: { t: 'text', max: 4096 }, optional: false } } }, optional: true }, body: { shape: { t: 'boolean' }, optional: true } } },
  chunk: { by: 'host', in: ['running'], then: '', bytes: 8192, blobs: 1, fields: { call: { shape: { t: 'count' }, optional: false }, ask: { shape: { t: 'count' }, optional: false }, seq: { shape: { t: 'count' }, optional: false }, last: { shape: { t: 'boolean' }, optional: false }, error: { shape: { t: 'object', fields: { code: { shape: { t: 'text', max: 64 }, optional: false }, message: { shape: { t: 'text', max: 4096 }, optional: false } } }, optional: true } } },
  cancel: { by: 'host', in: ['running'], then: 'ended', bytes: 1024, blobs: 0, fields: { call: { shape: { t: 'count' }, optional: false } } },
  ping: { by: 'host', in: ['starting', 'idle', 'running'], then: '', bytes: 1024, blobs: 0, fields: { seq: { shape: { t: 'count' }, optional: false } } },
  ready: { by: 'tool', in: ['starting'], then: 'idle', bytes: 1024, blobs: 0, fields: { version: { shape: { t: 'count' }, optional: false } } },
  ask: { by: 'tool', in: ['running'], then: '', bytes: 1048576, blobs: 8, fields: { call: { shape: { t: 'count' }, optional: false }, ask: { shape: { t: 'count' }, optional: false }, capability: { shape: { t: 'word', of: ['fetch', 'subtasks', 'resolve', 'storage', 'popup'] }, optional: false }, params: { shape: { t: 'value' }, optional: false } } },
  ask_cancel: { by: 'tool', in: ['running'], then: '', bytes: 1024, blobs: 0, fields: { call: { shape: { t: 'count' }, optional: false }, ask: { shape: { t: 'count' }, optional: false } } },
  credit: { by: 'tool', in: ['running'], then: '', bytes: 1024, blobs: 0, fields: { call: { shape: { t: 'count' }, optional: false }, ask: { shape: { t: 'count' }, optional: false }, bytes: { shape: { t: 'count' }, optional: false } } },
  log: { by: 'tool', in: ['running'], then: '', bytes: 2097152, blobs: 0, fields: { call: { shape: { t: 'count' }, optional: false }, lines: { shape: { t: 'list', max: 4096, of: { t: 'object', fields: { level: { shape: { t: 'word', of: ['debug', 'log', 'info', 'warn', 'error'] }, optional: false }, text: { shape: { t: 'text', max: 262144 }, optional: false } } } }, optional: false }, dropped: { shape: { t: 'count' }, optional: true } } },
  progress: { by: 'tool', in: ['running'], then: '', bytes: 8192, blobs: 0, fields: { call: { shape: { t: 'count' }, optional: false }, fraction: { shape: { t: 'number' }, optional: true }, text: { shape: { t: 'text', max: 1024 }, optional: true } } },
  result: { by: 'tool', in: ['running'], then: 'idle', bytes: 35651584, blobs: 0, fields: { call: { shape: { t: 'count' }, optional: false }, value: { shape: { t: 'value' }, optional: false } } },
  failure: { by: 'tool', in: ['running'], then: 'idle', bytes: 262144, blobs: 0, fields: { call: { shape: { t: 'count' }, optional: false }, code: { shape: { t: 'word', of: ['tool_error', 'invalid_result'] }, optional: false }, error: { shape: { t: 'object', fields: { name: { shape: { t: 'text', max: 256 }, optional: false }, message: { shape: { t: 'text', max: 16384 }, optional: false }, path: { shape: { t: 'text', max: 1024 }, optional: true }, stack: { shape: { t: 'text', max: 16384 }, optional: true }, line: { shape: { t: 'count' }, optional: true }, column: { shape: { t: 'count' }, optional: true }, cause: { shape: { t: 'text', max: 16384 }, optional: true }, value: { shape: { t: 'value' }, optional: true } } }, optional: false } } },
  pong: { by: 'tool', in: ['starting', 'idle', 'running'], then: '', bytes: 1024, blobs: 0, fields: { seq: { shape: { t: 'count' }, optional: false } } },
  flooded: { by: 'supervisor', in: ['starting', 'idle', 'running'], then: 'ended', bytes: 1024, blobs: 0, fields: { call: { shape: { t: 'count' }, optional: false }, reason: { shape: { t: 'word', of: ['messages', 'bytes', 'size', 'malformed'] }, optional: false }, count: { shape: { t: 'count' }, optional: false } } },
  crashed: { by: 'supervisor', in: ['starting', 'idle', 'running'], then: 'ended', bytes: 32768, blobs: 0, fields: { call: { shape: { t: 'count' }, optional: false }, reason: { shape: { t: 'word', of: ['timeout', 'wall', 'start', 'error', 'silent'] }, optional: false }, message: { shape: { t: 'text', max: 4096 }, optional: false }, line: { shape: { t: 'count' }, optional: true }, column: { shape: { t: 'count' }, optional: true } } },
};
