/** A tool that tries every way out of a worker that we know of, and tells what it believes happened. */
export const escape = `async ({ url }) => {
  const heard = {};
  const attempt = async (name, f) => { try { await f(); heard[name] = 'went' } catch (e) { heard[name] = String(e && e.name) } };
  const socket = (s) => new Promise((done, fail) => { s.onopen = done; s.onmessage = done; s.onerror = () => fail(new Error('closed')) });
  await attempt('fetch', () => fetch(url + '/fetch'));
  await attempt('no-cors', () => fetch(url + '/no-cors', { mode: 'no-cors', method: 'POST', body: 'secret', keepalive: true }));
  await attempt('relative', () => fetch('/relative'));
  await attempt('xhr', () => new Promise((done, fail) => { const x = new XMLHttpRequest(); x.onload = done; x.onerror = () => fail(new Error('x')); x.open('GET', url + '/xhr'); x.send() }));
  await attempt('sync-xhr', () => { const x = new XMLHttpRequest(); x.open('GET', url + '/sync-xhr', false); x.send() });
  await attempt('websocket', () => socket(new WebSocket(url.replace('http', 'ws') + '/websocket')));
  await attempt('eventsource', () => socket(new EventSource(url + '/eventsource')));
  await attempt('importScripts', () => importScripts(url + '/importScripts'));
  await attempt('worker', () => { new Worker(url + '/worker') });
  await attempt('blob-worker', () => { new Worker(URL.createObjectURL(new Blob(['fetch("' + url + '/blob-worker")']))) });
  await attempt('webtransport', () => new WebTransport(url.replace('http', 'https') + '/webtransport').ready);
  await attempt('font', () => new FontFace('f', 'url(' + url + '/font)').load());
  await attempt('beacon', () => { if (!navigator.sendBeacon(url + '/beacon')) throw new Error('no') });
  await new Promise((r) => setTimeout(r, 300));
  return heard;
}`;
