import { messageText, type Hello, type Order, type Word } from '../../sandboxhost/bootstrap/src/popup/words.js';
import type { Json, PopupEnd } from './taskyon.js';

/** The page's own, when this module was loaded: applications patch it. */
const pageOpen = globalThis.open;

const features = 'popup,width=560,height=680';
const pollMs = 200;
const patience = 10_000;
const mostUnread = 256;

/** Why a window did not come to show what it was to show. */
export class Refusal extends Error {
  override readonly name = 'PopupError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

interface Settle {
  ready: () => void;
  shown: () => void;
  fail: (reason: Refusal) => void;
  closed: (end: PopupEnd) => void;
}

/**
 * A window that this page has opened: popup.html, which shows nothing before it is told to. Whatever comes from another window, another origin, or
 * after its end has no effect.
 */
export class PopupWindow {
  /** It is there and waits for its order. Rejects with a Refusal. */
  readonly ready: Promise<void>;
  /** It shows what it was told to. */
  readonly shown: Promise<void>;
  /** Nothing is heard or said any more. */
  readonly closed: Promise<PopupEnd>;
  /** The window itself is no more. One without an opener is the user's to close. */
  readonly gone: Promise<void>;
  readonly #window: Window;
  readonly #id: string;
  #port: MessagePort | undefined;
  /** Of the page that it was led to, where messages are wanted. */
  #origin: string | undefined;
  #leaves = false;
  #over: PopupEnd | undefined;
  #unread: Json[] = [];
  #wake: (() => void) | undefined;
  readonly #settle: Settle;

  private constructor(window: Window, id: string) {
    this.#window = window;
    this.#id = id;
    const settle = (this.#settle = {} as Settle);
    const fails: ((reason: Refusal) => void)[] = [];
    this.ready = new Promise((resolve, reject) => void ((settle.ready = resolve), fails.push(reject)));
    this.shown = new Promise((resolve, reject) => void ((settle.shown = resolve), fails.push(reject)));
    this.closed = new Promise((resolve) => void (settle.closed = resolve));
    settle.fail = (reason) => fails.forEach((reject) => reject(reason));
    // Whoever has asked for it is told; nobody need wait for both.
    this.ready.catch(() => {});
    this.shown.catch(() => {});
    addEventListener('message', this.#hear);
    const late = setTimeout(() => this.#fail(new Refusal('unavailable', 'popup: popup.html did not answer; serve it, of the same build, beside taskyon.js or where popupURL says, on this origin')), patience);
    this.gone = new Promise((resolve) => {
      const timer = setInterval(() => {
        if (!window.closed) return;
        clearInterval(timer);
        this.end('user');
        resolve();
      }, pollMs);
    });
    const calm = () => clearTimeout(late);
    this.ready.then(calm, calm);
  }

  /** Undefined where the browser opens no window. */
  static open(address: URL): PopupWindow | undefined {
    const id = [...crypto.getRandomValues(new Uint32Array(4))].join('-');
    const url = new URL(address);
    url.hash = id;
    const window = pageOpen.call(globalThis, url.href, '_blank', features);
    return window ? new PopupWindow(window, id) : undefined;
  }

  /** Says what to show. Nothing of the order has left this page before. */
  show(order: Order): void {
    if (order.kind === 'origin') {
      this.#leaves = true;
      if (order.messages) this.#origin = new URL(order.url).origin;
    }
    this.#port?.postMessage(order);
  }

  /** Gives a message to what is shown: JSON. Nothing happens where nobody listens. */
  post(message: unknown): void {
    const text = messageText(message);
    if (text === undefined) throw new Refusal('invalid_request', 'popup: a message is JSON of at most 262,144 letters');
    if (this.#over) return;
    if (!this.#leaves) this.#port?.postMessage({ kind: 'post', text });
    else if (this.#origin) this.#window.postMessage(JSON.parse(text), this.#origin);
    else throw new Refusal('invalid_request', 'popup: only a window that was opened with { messages: true } takes messages');
  }

  async *messages(): AsyncGenerator<Json, void> {
    for (;;) {
      const next = this.#unread.shift();
      if (next !== undefined) yield next;
      else if (this.#over) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  end(end: PopupEnd): void {
    if (this.#over) return;
    this.#over = end;
    removeEventListener('message', this.#hear);
    this.#port?.close();
    this.#window.close();
    this.#settle.fail(
      end === 'user'
        ? new Refusal('dismissed', 'popup: the window was closed before it showed anything; if that was not the user, see Cross-Origin-Opener-Policy in docs/embedding.md')
        : new Refusal('aborted', 'popup: was closed'),
    );
    this.#settle.closed(end);
    this.#wake?.();
  }

  #fail(reason: Refusal): void {
    this.#settle.fail(reason);
    this.end('failed');
  }

  readonly #hear = ({ source, origin, data, ports }: MessageEvent): void => {
    if (source !== this.#window) return;
    if (this.#port) {
      if (this.#origin !== undefined && origin === this.#origin) this.#receive(messageText(data));
      return;
    }
    const [port] = ports;
    if (origin !== location.origin || !port || (data as Partial<Hello> | null)?.taskyonPopup !== this.#id) return;
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<Word>) => this.#told(data);
    this.#settle.ready();
  };

  #told(word: Word): void {
    if (word.kind === 'shown') this.#settle.shown();
    else if (word.kind === 'message') this.#receive(word.text);
    else if (word.kind === 'flood') this.end('flood');
    else if (word.kind === 'failed') this.#fail(new Refusal('unavailable', 'popup: popup-frame.html did not answer; serve it, of the same build, beside popup.html, as docs/embedding.md says'));
    else this.end('user');
  }

  #receive(text: string | undefined): void {
    if (text === undefined || this.#over) return;
    if (this.#unread.length >= mostUnread) return this.end('flood');
    this.#unread.push(JSON.parse(text) as Json);
    this.#wake?.();
  }
}
