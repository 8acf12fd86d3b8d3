import { Violations } from './blocked.js';
import { TaskyonError, fromEngine } from './errors.js';
import { optionsText } from './json.js';
import { newRuntime, onFault, putAway, withGlobals } from './go.js';

/** What taskyon.wasm exports; see wasm/doc.go. A call settles through the mailbox, by its id. */
type Call = (id: number, request: string, listener?: Listener) => void;
type Abort = (id: number) => void;
type Settle = (id: number, text: string, error?: unknown) => void;
export type Listener = (kind: string, text: string) => void;

/** The page's fetch when this module was loaded. Applications patch it, and what tools ask for is not theirs to see or to change. */
const pageFetch = globalThis.fetch;

interface Waiting {
  readonly resolve: (text: string) => void;
  readonly reject: (reason: TaskyonError) => void;
}

/** One running engine. When its program ends, for whatever reason, every open and later request is rejected. */
export class Engine {
  #call: Call;
  #abort: Abort;
  readonly #waiting: Map<number, Waiting>;
  readonly #mark: string;
  readonly #ended: Promise<void>;
  #calls = 0;
  #closing = false;
  #over: TaskyonError | undefined;
  #atEnd: (() => void)[] = [];

  private constructor(call: Call, abort: Abort, waiting: Map<number, Waiting>, mark: string, program: Promise<void>) {
    this.#call = call;
    this.#abort = abort;
    this.#waiting = waiting;
    this.#mark = mark;
    const died = () => this.#stop(new TaskyonError('internal', 'engine: stopped unexpectedly; load another one, or reload the page'));
    this.#ended = program.then(() => (this.#closing ? this.#stop(new TaskyonError('closed', 'engine: was closed')) : died()), died);
  }

  static async start(wasmURL: string | URL): Promise<Engine> {
    const go = newRuntime();
    const instance = await instantiate(wasmURL, go.importObject);
    const mailbox = `taskyon:${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
    const waiting = new Map<number, Waiting>();
    const settle: Settle = (id, text, error) => {
      const { resolve, reject } = waiting.get(id) ?? {};
      waiting.delete(id);
      if (error === undefined) resolve?.(text);
      else reject?.(fromEngine(error));
    };
    const taken: { call: Call; abort: Abort }[] = [];
    const exports = (call: Call, abort: Abort) => void taken.push({ call, abort });
    go.argv = ['taskyon', mailbox];
    const fault = new Promise<never>((_, fail) => onFault(go, fail));
    const program = withGlobals({ [mailbox]: { settle, exports, fetch: pageFetch } }, () => Promise.race([go.run(instance), fault]));
    const [ours] = taken;
    if (!ours) throw new TaskyonError('internal', 'engine: did not start; reload the page');
    return new Engine(ours.call, ours.abort, waiting, mailbox, program.finally(() => putAway(go)));
  }

  /** Asks the engine. Options are a flat object; the payload is a JSON text of its own. The answer is its JSON text, read. */
  async request<T>(method: string, options: object, payload = '', signal?: AbortSignal, listener?: Listener): Promise<T> {
    if (this.#over) throw this.#over;
    const text = `${method} ${optionsText(options)}\n${payload}`;
    const id = ++this.#calls;
    const answer = new Promise<string>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      if (listener) this.#call(id, text, listener);
      else this.#call(id, text);
    });
    if (!signal) return JSON.parse(await answer) as T;
    const abort = () => this.#abort(id);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    try {
      return JSON.parse(await answer) as T;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** Ends the program. Open requests are answered first; closing twice is no error. */
  async close(): Promise<void> {
    if (this.#over) return;
    this.#closing = true;
    await this.request('close', {});
    await this.#ended;
  }

  /** Calls f when the program has ended. */
  atEnd(f: () => void): void {
    if (this.#over) f();
    else this.#atEnd.push(f);
  }

  #stop(reason: TaskyonError): void {
    this.#over = reason;
    // What is left of a program is large, and a page may keep this object.
    this.#call = this.#abort = () => {};
    for (const f of this.#atEnd.splice(0)) f();
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
    // A program that died has left its sandboxes, where tools may still run with nobody to hear them.
    for (const frame of document.querySelectorAll(`iframe[data-taskyon="${this.#mark}"]`)) frame.remove();
  }
}

async function instantiate(url: string | URL, imports: WebAssembly.Imports): Promise<WebAssembly.Instance> {
  const violations = new Violations();
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return (await WebAssembly.instantiateStreaming(response, imports)).instance;
  } catch (cause) {
    const reason = (await violations.reason(url)) ?? (cause instanceof Error ? cause.message : String(cause));
    throw new TaskyonError('unavailable', `engine: cannot load ${url}: ${reason}`);
  } finally {
    violations.stop();
  }
}
