import { TaskyonError, fromEngine } from './errors.js';
import { newRuntime, withGlobals } from './go.js';

/** What taskyon.wasm exports; see wasm/doc.go. */
type Call = (method: string, text: string, run: number, listener?: Listener) => Promise<string>;
type Abort = (run: number) => void;
export type Listener = (kind: string, text: string) => void;

/** One running engine. When its program ends, for whatever reason, every open and later request is rejected. */
export class Engine {
  #call: Call;
  #abort: Abort;
  #runs = 0;
  #ended: Promise<never>;
  #over: TaskyonError | undefined;

  private constructor(call: Call, abort: Abort, program: Promise<void>) {
    this.#call = call;
    this.#abort = abort;
    const stopped = (code: 'closed' | 'internal', message: string): never => {
      throw (this.#over ??= new TaskyonError(code, message));
    };
    this.#ended = program.then(
      () => stopped('closed', 'engine: was closed'),
      () => stopped('internal', 'engine: stopped unexpectedly; reload the page'),
    );
    this.#ended.catch(() => {});
  }

  static async start(wasmURL: string | URL): Promise<Engine> {
    const go = newRuntime();
    const instance = await instantiate(wasmURL, go.importObject);
    const mailbox = `taskyon:${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
    const exported: { call: Call; abort: Abort }[] = [];
    go.argv = ['taskyon', mailbox];
    const program = withGlobals({ [mailbox]: (call: Call, abort: Abort) => void exported.push({ call, abort }) }, () => go.run(instance));
    const [exports] = exported;
    if (!exports) throw new TaskyonError('internal', 'engine: did not start; reload the page');
    return new Engine(exports.call, exports.abort, program);
  }

  async request<T>(method: string, body: object, signal?: AbortSignal, listener?: Listener): Promise<T> {
    if (this.#over) throw this.#over;
    const run = signal ? ++this.#runs : 0;
    const abort = () => this.#abort(run);
    const answer = this.#call(method, JSON.stringify(body), run, listener);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    try {
      return JSON.parse(await Promise.race([answer, this.#ended])) as T;
    } catch (reason) {
      throw reason instanceof TaskyonError ? reason : fromEngine(reason);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Ends the program. Open requests are answered first; closing twice is no error. */
  async close(): Promise<void> {
    if (this.#over) return;
    await this.request('close', {});
    await this.#ended.catch(() => {});
  }
}

async function instantiate(url: string | URL, imports: WebAssembly.Imports): Promise<WebAssembly.Instance> {
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return (await WebAssembly.instantiateStreaming(response, imports)).instance;
  } catch (cause) {
    throw new TaskyonError('unavailable', `engine: cannot load ${url}: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
