import type { LogLine, NativeContext, NativeFunction, Popup, PopupRequest } from './taskyon.js';
import { Refusal } from './popupwindow.js';
import { format } from '../../sandboxhost/bootstrap/src/runtime/log/format.js';
import { isError } from '../../sandboxhost/bootstrap/src/runtime/thrown.js';
import { stackOf } from '../../sandboxhost/bootstrap/src/stack.js';
import { clip } from '../../sandboxhost/bootstrap/src/text.js';
import { CannotTravel, decodeValue, encodeValue } from '../../sandboxhost/bootstrap/src/values.js';
import { describeError, describeQuietly, maxMessage, maxName, textOf } from '../../sandboxhost/bootstrap/src/values/error.js';

/** A call as the engine tells it: args in tagged form, settings plain. */
export interface Call {
  readonly run: number;
  readonly task: NativeContext['task'];
  readonly tool: NativeContext['tool'];
  readonly args: unknown;
  readonly settings: NativeContext['settings'];
}

/** How a function failed. A path says that its result cannot travel. */
interface Failure {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly path?: string;
}

type Event = { readonly level: LogLine['level']; readonly text: string } | { readonly fraction?: number; readonly text?: string };

/** What a run says to the engine. */
export interface Answers {
  readonly bounds: { readonly nesting: number; readonly bytes: number };
  tell(run: number, events: readonly Event[]): Promise<void>;
  settle(run: number, error: Failure | undefined, value: string): void;
  popup(run: number, request: PopupRequest): Promise<Popup>;
}

const maxStack = 8192;
const maxThrown = 32768;
const maxLine = 65536;
const maxProgress = 1024;

/** One call of a native function. It settles once; after that, and after its end, it is deaf and holds nothing. */
export class NativeRun {
  readonly #run: number;
  readonly #controller = new AbortController();
  #answers: Answers | undefined;
  #events: Event[] = [];
  #told: Promise<void> | undefined;

  constructor(run: number, answers: Answers) {
    this.#run = run;
    this.#answers = answers;
  }

  start(fn: NativeFunction, call: Call): void {
    try {
      settleWith(fn(decodeValue(call.args) as { readonly [name: string]: unknown }, this.#context(call)), this);
    } catch (thrown) {
      this.fail(thrown);
    }
  }

  /** Tells the function that nobody waits for it any more. */
  abort(): void {
    this.#answers = undefined;
    this.#events = [];
    this.#controller.abort();
  }

  succeed(value: unknown): void {
    const bounds = this.#answers?.bounds;
    if (!bounds) return;
    try {
      this.#settle(undefined, encodeValue(value, bounds));
    } catch (problem) {
      const { path, message } = problem as CannotTravel;
      this.#settle({ name: 'InvalidResult', message: clip(`result ${path}: ${message}`, maxMessage), path }, '');
    }
  }

  fail(thrown: unknown): void {
    if (!this.#answers) return;
    if (typeof thrown === 'object' && thrown !== null && isError(thrown)) {
      const name = textOf(thrown, 'name', maxName) ?? 'Error';
      this.#settle({ name, message: textOf(thrown, 'message', maxMessage) ?? '', stack: clip(stackOf(thrown), maxStack) }, '');
    } else {
      this.#settle({ name: 'Thrown', message: describeError(thrown) }, thrownValue(thrown, this.#answers.bounds.nesting));
    }
  }

  /** What was said comes first. Whatever is said from now on is not heard. */
  #settle(error: Failure | undefined, value: string): void {
    const answers = this.#answers;
    if (!answers) return;
    const told = this.#told;
    this.#answers = undefined;
    if (told) void told.then(() => answers.tell(this.#run, this.#events.splice(0))).then(() => answers.settle(this.#run, error, value));
    else answers.settle(this.#run, error, value);
  }

  /** One message is under way at a time, so that all arrive in order; what is said meanwhile goes with the next. */
  #say(event: Event): void {
    if (!this.#answers) return;
    const last = this.#events.length - 1;
    if (!('level' in event) && last >= 0 && !('level' in this.#events[last]!)) this.#events[last] = event;
    else this.#events.push(event);
    this.#told ??= this.#flush();
  }

  async #flush(): Promise<void> {
    while (this.#answers && this.#events.length > 0) await this.#answers.tell(this.#run, this.#events.splice(0));
    this.#told = undefined;
  }

  #popup(request: PopupRequest): Promise<Popup> {
    if (!this.#answers) throw new Refusal('aborted', 'popup: its call has ended');
    return this.#answers.popup(this.#run, request);
  }

  #context({ task, tool, settings }: Call): NativeContext {
    const log =
      (level: LogLine['level']) =>
      (...values: unknown[]): void =>
        this.#say({ level, text: clip(format(values, maxLine, describeQuietly), maxLine) });
    const progress = (fraction?: number, text?: string): void => {
      this.#say({
        ...(Number.isFinite(fraction) ? { fraction: fraction! } : {}),
        ...(typeof text === 'string' ? { text: clip(text, maxProgress) } : {}),
      });
    };
    return Object.freeze({
      task,
      tool,
      settings,
      signal: this.#controller.signal,
      progress,
      popup: async (request: PopupRequest) => this.#popup(request),
      debug: log('debug'),
      log: log('log'),
      info: log('info'),
      warn: log('warn'),
      error: log('error'),
    });
  }
}

/** Settles a run with a promise. It stands here, since what never settles keeps all that its callbacks see, and these see the run alone. */
function settleWith(given: unknown, run: NativeRun): void {
  new Promise((resolve) => resolve(given)).then(
    (value) => run.succeed(value),
    (thrown) => run.fail(thrown),
  );
}

/** The tagged form of what was thrown, nothing where it cannot travel. */
function thrownValue(thrown: unknown, nesting: number): string {
  try {
    return encodeValue(thrown, { nesting, bytes: maxThrown });
  } catch {
    return '';
  }
}
