import type { Definition, NativeFunction, Revision } from './taskyon.js';
import type { Engine } from './engine.js';
import { TaskyonError } from './errors.js';
import { jsonText } from './json.js';
import { NativeRun, type Answers, type Call } from './nativerun.js';
import { checkOptions } from './options.js';
import type { Popups, Wanted } from './popups.js';

/** What the result of a native function must keep to: levels, and bytes of its tagged form. */
export interface Bounds {
  readonly nesting: number;
  readonly bytes: number;
}

/**
 * The page's own functions, and their calls that are open. The engine only tells of a call and of its end, and is answered by the
 * number of the run. What has ended, or belongs to an engine that has, is let go.
 */
export class Natives {
  readonly #engine: Engine;
  readonly #answers: Answers;
  readonly #popups: Popups;
  readonly #functions = new Map<number, NativeFunction>();
  readonly #runs = new Map<number, NativeRun>();
  #last = 0;

  constructor(engine: Engine, bounds: Bounds, popups: Popups) {
    this.#engine = engine;
    this.#popups = popups;
    // An engine that has closed in the meantime wants to know nothing any more.
    const quietly = async (method: string, options: object, payload?: string) => {
      try {
        await engine.request(method, options, payload);
      } catch {
        // said above
      }
    };
    this.#answers = {
      bounds,
      tell: (run, events) => quietly('natives.tell', { run, events }),
      settle: (run, error, value) => {
        this.#runs.delete(run);
        popups.end(run);
        void quietly('natives.settle', { run, error }, value);
      },
      popup: (run, request) => popups.ask(run, request),
    };
    engine.atEnd(() => this.#end());
  }

  async register(definition: Definition | string, fn: NativeFunction, options?: { readonly activate?: boolean }): Promise<Revision> {
    const { activate = true } = checkOptions('register', options, { activate: 'boolean' });
    if (typeof fn !== 'function') throw new TaskyonError('invalid_request', 'register: want a function as the second argument');
    const text = jsonText(definition, 'invalid_definition');
    const id = ++this.#last;
    this.#functions.set(id, fn);
    try {
      return await this.#engine.request<Revision>('natives.register', { activate }, text, undefined, (kind, text) => this.#hear(id, kind, text));
    } catch (reason) {
      this.#functions.delete(id);
      throw reason;
    }
  }

  /** Called by the engine, in the middle of its work: the page's code runs later. */
  #hear(id: number, kind: string, text: string): void {
    const message = JSON.parse(text) as Call;
    const { run } = message;
    if (kind === 'call') {
      this.#runs.set(run, new NativeRun(run, this.#answers));
      queueMicrotask(() => {
        const fn = this.#functions.get(id);
        if (fn) this.#runs.get(run)?.start(fn, message);
      });
    } else if (kind === 'abort') {
      const open = this.#runs.get(run);
      this.#runs.delete(run);
      queueMicrotask(() => {
        open?.abort();
        this.#popups.end(run);
      });
    } else if (kind === 'window') {
      queueMicrotask(() => void this.#popups.open(JSON.parse(text) as Wanted));
    }
  }

  #end(): void {
    this.#functions.clear();
    this.#popups.end();
    for (const run of this.#runs.values()) run.abort();
    this.#runs.clear();
  }
}
