import type { PopupHandler, PopupNotice } from './taskyon.js';
import { PopupWindow, Refusal } from './popupwindow.js';

const blocked = () => new Refusal('blocked', 'popup: the browser opens no window for this page; allow pop-ups for it, and run the tool again');

/**
 * Opens a window on a gesture of the user: the one that has led here while it is fresh, or else a click on a button. A browser that does not tell
 * is tried.
 */
export async function openOnGesture(address: URL, notice: PopupNotice, ask: PopupHandler, signal: AbortSignal): Promise<PopupWindow> {
  const activation = (navigator as { userActivation?: UserActivation }).userActivation;
  if (activation?.isActive !== false) {
    const opened = PopupWindow.open(address);
    if (opened) return opened;
    if (activation) throw blocked();
  }
  const settled = new AbortController();
  const over = AbortSignal.any([signal, settled.signal]);
  try {
    return await new Promise<PopupWindow>((resolve, reject) => {
      const gone = () => reject(new Refusal('aborted', 'popup: its call has ended'));
      if (signal.aborted) return gone();
      signal.addEventListener('abort', gone, { signal: settled.signal });
      const open = (): boolean => {
        if (over.aborted) return false;
        const opened = PopupWindow.open(address);
        if (opened) resolve(opened);
        else reject(blocked());
        settled.abort();
        return opened !== undefined;
      };
      const dismiss = (): void => {
        reject(new Refusal('dismissed', 'popup: the user did not open the window'));
        settled.abort();
      };
      ask(notice, { open, dismiss, signal: over });
    });
  } finally {
    settled.abort();
  }
}

/** Our own way to ask: a bar at the lower edge of the page. Its texts are words of the engine, and a name that is letters, digits, `_` and `-`. */
export const askInBar: PopupHandler = ({ tool, scope }, { open, dismiss, signal }) => {
  const host = document.createElement('taskyon-popup');
  host.style.cssText = 'all: initial; position: fixed; inset: auto 0 0 0; z-index: 2147483647;';
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    [role=dialog] { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; padding: 12px 16px; font: 14px/1.4 system-ui, sans-serif;
      color: #1b1b1b; background: #fff3cd; border-top: 2px solid #8a6d00; }
    span { flex: 1; min-width: 12em; overflow-wrap: anywhere; }
    button { font: inherit; padding: 4px 12px; }
  `);
  root.adoptedStyleSheets = [sheet];
  const bar = document.createElement('div');
  bar.setAttribute('role', 'dialog');
  bar.setAttribute('aria-label', 'A tool wants to open a window');
  const text = document.createElement('span');
  text.textContent = `The tool ${tool} wants to open a window: ${scope === 'custom-html' ? 'a page of its own' : scope}`;
  const button = (label: string, press: () => unknown): HTMLButtonElement => {
    const made = document.createElement('button');
    made.type = 'button';
    made.textContent = label;
    made.addEventListener('click', (event) => event.isTrusted && press());
    return made;
  };
  bar.append(text, button('Open', open), button('Not now', dismiss));
  root.append(bar);
  signal.addEventListener('abort', () => host.remove());
  document.body.append(host);
};
