import { frameHello, messageText, type Hello, type Html, type Order, type Post, type Word } from './popup/words';

// The script of popup.html: a window that a page has opened for one of its functions. It is of the page's origin and holds no text of a tool but in
// a frame of an opaque origin, and in the banner as text. It takes one order, from the page that has opened it.

const patience = 10_000;
/** What html may say in a second. */
const mostMessages = 200;

function start(): void {
  const page = window.opener as Window | null;
  const id = location.hash.slice(1);
  if (!page || !id || window.top !== window || self.origin === 'null') return tell('This window has ended. You can close it.');
  const { port1: port, port2 } = new MessageChannel();
  const say = (word: Word) => port.postMessage(word);
  let leaving = false;
  let deliver: (data: unknown) => void = () => {};
  let ordered = false;
  port.onmessage = ({ data }: MessageEvent<Order | Post>) => {
    if (data.kind === 'post') return deliver(JSON.parse(data.text));
    if (ordered) return;
    ordered = true;
    if (data.kind === 'custom-html') {
      window.opener = null;
      deliver = show(data, say);
    } else {
      leaving = true;
      if (!data.messages) window.opener = null;
      say({ kind: 'shown' });
      location.replace(data.url);
    }
  };
  // Whoever comes back to this document, by reloading or otherwise, finds a window that has ended.
  addEventListener('pagehide', () => leaving || say({ kind: 'gone' }));
  const hello: Hello = { taskyonPopup: id };
  page.postMessage(hello, location.origin, [port2]);
}

/** Shows the banner and, below it, the html. Gives the way to the html. */
function show(order: Html, say: (word: Word) => void): (data: unknown) => void {
  const { port1: toFrame, port2 } = new MessageChannel();
  const frame = document.createElement('iframe');
  frame.title = `What the tool ${order.tool} shows`;
  frame.setAttribute('sandbox', 'allow-scripts allow-forms');
  frame.referrerPolicy = 'no-referrer';
  frame.allow = "fullscreen 'none'; clipboard-read 'none'; clipboard-write 'none'; autoplay 'none'; screen-wake-lock 'none'; web-share 'none'";
  let silent = 0;
  const give = (word: 'failed' | 'flood'): void => {
    clearTimeout(silent);
    frame.remove();
    toFrame.close();
    say({ kind: word });
    tell('This window has ended. You can close it.');
  };
  silent = window.setTimeout(() => give('failed'), patience);
  let known = false;
  let heard = 0;
  let since = performance.now();
  addEventListener('message', ({ source, origin, data }) => {
    if (!source || source !== frame.contentWindow || origin !== 'null') return;
    if (!known) {
      if (data !== frameHello) return;
      known = true;
      clearTimeout(silent);
      forbidFrames();
      // Its document is the one that has just spoken, and no other can come any more.
      frame.contentWindow?.postMessage(order.html, '*', [port2]);
      say({ kind: 'shown' });
      return;
    }
    const now = performance.now();
    if (now - since >= 1000) [heard, since] = [0, now];
    if (++heard > mostMessages) return give('flood');
    const text = messageText(data);
    if (text !== undefined) say({ kind: 'message', text });
  });
  document.title = `Tool window: ${order.tool}`;
  document.body.replaceChildren(banner(order), frame);
  frame.src = new URL('popup-frame.html', location.href).href;
  return (data) => toFrame.postMessage(data);
}

function banner({ tool, revision }: Html): HTMLElement {
  const strong = document.createElement('strong');
  strong.textContent = tool;
  const code = document.createElement('code');
  code.textContent = revision.slice(0, 20);
  code.title = revision;
  const line = document.createElement('header');
  line.append('Shown by the tool ', strong, ' (', code, `), not by ${location.host}. What you enter below goes to the tool.`);
  return line;
}

/** From now on no frame here gets another document, whoever wants to lead it there. */
function forbidFrames(): void {
  const meta = document.createElement('meta');
  meta.httpEquiv = 'Content-Security-Policy';
  meta.content = "frame-src 'none'";
  document.head.append(meta);
}

function tell(text: string): void {
  const line = document.createElement('p');
  line.textContent = text;
  document.body.replaceChildren(line);
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(`
  html, body { height: 100%; margin: 0; }
  body { display: flex; flex-direction: column; font: 14px/1.4 system-ui, sans-serif; color: #1b1b1b; background: #fff; }
  header, p { flex: none; margin: 0; padding: 8px 12px; overflow-wrap: anywhere; }
  header { background: #fff3cd; border-bottom: 2px solid #8a6d00; }
  iframe { flex: 1; min-height: 0; width: 100%; border: 0; background: #fff; }
`);
document.adoptedStyleSheets = [sheet];
start();
