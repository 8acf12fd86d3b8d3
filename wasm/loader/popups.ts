import type { Order } from '../../sandboxhost/bootstrap/src/popup/words.js';
import type { Json, Popup, PopupEnd, PopupHandler, PopupRequest, ToolID } from './taskyon.js';
import type { Engine } from './engine.js';
import { jsonText } from './json.js';
import { askInBar, openOnGesture } from './popupgesture.js';
import { PopupWindow, Refusal } from './popupwindow.js';

/** A window that the engine wants opened. */
export interface Wanted {
  readonly run: number;
  readonly ask: number;
  readonly window: number;
  readonly tool: string;
  readonly revision: ToolID;
  readonly kind: PopupRequest['kind'];
  readonly scope: string;
}

interface Asked {
  readonly run: number;
  readonly ended: AbortController;
  wanted?: Wanted;
  opened?: PopupWindow;
}

/**
 * The windows of the page's functions. The engine decides whether there may be one and says so; it is opened here, on a gesture, and shows nothing
 * before the engine has its word that it is open.
 */
export class Popups {
  readonly #engine: Engine;
  readonly #address: URL;
  readonly #handler: PopupHandler;
  readonly #asks = new Map<number, Asked>();
  #last = 0;

  constructor(engine: Engine, address: string | URL, handler: PopupHandler | undefined) {
    this.#engine = engine;
    this.#address = new URL(address, document.baseURI);
    this.#handler = handler ?? askInBar;
  }

  async ask(run: number, request: PopupRequest): Promise<Popup> {
    const text = jsonText(request, 'invalid_request');
    const ask = ++this.#last;
    const asked: Asked = { run, ended: new AbortController() };
    this.#asks.set(ask, asked);
    try {
      const { url, error } = await this.#engine.request<{ url?: string; error?: { code: string; message: string } }>('natives.popup', { run, ask }, text);
      if (error) throw new Refusal(error.code, error.message);
      const { opened, wanted } = asked;
      if (!opened || !wanted || asked.ended.signal.aborted) throw new Refusal('aborted', 'popup: its call has ended');
      // The text is what the engine has judged; the object may be another one by now.
      opened.show(orderOf(JSON.parse(text) as PopupRequest, url, wanted));
      await opened.shown;
      return handle(opened);
    } catch (reason) {
      asked.opened?.end('failed');
      this.#asks.delete(ask);
      throw reason;
    }
  }

  /** Opens a window, and tells the engine what becomes of it. */
  async open(wanted: Wanted): Promise<void> {
    const { ask, window } = wanted;
    const asked = this.#asks.get(ask);
    try {
      if (!asked) throw new Refusal('aborted', 'popup: its call has ended');
      asked.wanted = wanted;
      if (this.#address.origin !== location.origin || location.origin === 'null') {
        throw new Refusal('unavailable', 'popup: popup.html is not on the origin of this page; serve it there and say where with popupURL');
      }
      const { tool, revision, kind, scope } = wanted;
      const opened = await openOnGesture(this.#address, { tool, revision, kind, scope }, this.#handler, asked.ended.signal);
      asked.opened = opened;
      if (asked.ended.signal.aborted) opened.end('call');
      void opened.closed.then(() => this.#asks.delete(ask));
      void opened.gone.then(() => this.#tell({ window, state: 'closed' }));
      await opened.ready;
      this.#tell({ window, state: 'opened' });
    } catch (reason) {
      const { code, message } = reason instanceof Refusal ? reason : new Refusal('internal', `popup: ${String(reason)}`);
      this.#tell({ window, state: 'failed', code, message });
    }
  }

  /** Closes every window of a call that has ended. */
  end(run?: number): void {
    for (const [ask, asked] of this.#asks) {
      if (run !== undefined && asked.run !== run) continue;
      this.#asks.delete(ask);
      asked.ended.abort();
      asked.opened?.end('call');
    }
  }

  /** An engine that has closed in the meantime wants to know nothing any more. */
  #tell(word: object): void {
    void this.#engine.request('natives.window', word).catch(() => {});
  }
}

function orderOf(request: PopupRequest, url: string | undefined, { tool, revision }: Wanted): Order {
  return request.kind === 'custom-html'
    ? { kind: 'custom-html', html: request.html, tool, revision }
    : { kind: 'origin', url: url ?? 'about:blank', messages: request.messages ?? false };
}

function handle(opened: PopupWindow): Popup {
  const messages = opened.messages();
  return Object.freeze({
    messages: messages as AsyncIterable<Json>,
    closed: opened.closed as Promise<PopupEnd>,
    post: (message: Json) => opened.post(message),
    close: () => opened.end('tool'),
  });
}
