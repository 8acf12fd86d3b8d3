package contracts

// network is the first part of group N: nothing that a tool does reaches the network.
func network() []Contract {
	transport := silent("N04", "A tool cannot open a WebTransport, and neither can the frame around it", "frame-policy", `
await attempt('transport', () => new WebTransport('https://127.0.0.1:' + udp + '/N04').ready.then(() => 1));
await attempt('hashes', () => new WebTransport('https://127.0.0.1:' + udp + '/N04', { serverCertificateHashes: [{ algorithm: 'sha-256', value: new Uint8Array(32) }] }).ready.then(() => 1));`)
	transport.Drill = attempts + `
await attempt('transport', () => new kept.WebTransport('https://127.0.0.1:' + udp + '/N04').ready.then(() => 1));
await wait(300);
return seen;`
	transport.Steps = append(transport.Steps, Step{Drill: true, Expect: pattern(`{"$every":{"$not":"went"}}`)})
	transport = transport.except(WebKit, NotApplicable, "the engine has no WebTransport")

	return []Contract{
		mediated("N01", "A tool cannot fetch past the host, in any mode", `
for (const mode of ['cors', 'no-cors', 'same-origin', 'navigate']) await attempt(mode, () => fetch(url + '/' + mode, { mode }));
await attempt('post', () => fetch(url + '/post', { mode: 'no-cors', method: 'POST', body: 'secret' }));
await attempt('https', () => fetch(https + '/https', { mode: 'no-cors' }));`),
		silent("N02", "A tool cannot send an XMLHttpRequest, now or later", "frame-policy", `
await attempt('async', () => { const x = new XMLHttpRequest(); const done = opened(x); x.open('GET', url + '/async'); x.send(); return done.then(() => 1) });
await attempt('sync', () => { const x = new XMLHttpRequest(); x.open('POST', url + '/sync', false); x.send('secret'); return 1 });`),
		silent("N03", "A tool cannot open a WebSocket or an event source", "frame-policy", `
await attempt('socket', () => opened(new WebSocket(ws + '/socket')).then(() => 1));
await attempt('events', () => opened(new EventSource(url + '/events')).then(() => 1));
await attempt('stream', () => new WebSocketStream(ws + '/stream').opened);`),
		transport,
		once("N05", "A tool has no importScripts, for any kind of address", "lockdown", tries(`
const load = globalThis.importScripts;
seen.kind = typeof load;
await attempt('http', () => { load(url + '/script.js'); return 1 });
await attempt('https', () => { load(https + '/script.js'); return 1 });
await attempt('data', () => { load('data:text/javascript,globalThis.pulled=1'); return 1 });
await attempt('proto', () => { Object.getPrototypeOf(Object.getPrototypeOf(self)).importScripts.call(self, url + '/proto.js'); return 1 });`),
			`{"outcome":"ok","result":{"$all":[{"kind":"undefined"},{"$every":{"$not":"went"}}]}}`),
		imports("N06", "A tool cannot import, from any kind of address",
			`async ({ url }) => { await import(url + '/module.js') }`,
			`async () => { await import('https://127.0.0.1/module.js') }`,
			`async () => { await import('data:text/javascript,export default 1') }`,
			"import x from 'https://127.0.0.1/module.js'\nexport default () => x",
			`async () => { const im = 'blob:null/1'; await import(/* x */ im) }`),
		imports("N07", "A tool cannot import data, styles or bytes either",
			`async ({ url }) => { await import(url + '/data.json', { with: { type: 'json' } }) }`,
			`async ({ url }) => { await import(url + '/style.css', { with: { type: 'css' } }) }`,
			`async ({ url }) => { await import(url + '/bytes.png', { with: { type: 'bytes' } }) }`,
			"import data from 'https://127.0.0.1/data.json' with { type: 'json' }\nexport default () => data"),
		once("N08", "A tool cannot start a worker of its own that asks the network in its place", "lockdown", tries(`
const text = 'const go = (f) => { try { f() } catch {} }; go(() => fetch("' + url + '/fetch", { mode: "no-cors" })); go(() => importScripts("' + url + '/script.js")); go(() => new WebSocket("' + ws + '/socket")); go(() => new EventSource("' + url + '/events"));';
await attempt('blob', () => new Worker(URL.createObjectURL(new Blob([text]))));
await attempt('data', () => new Worker('data:text/javascript,' + encodeURIComponent(text)));
await attempt('shared', () => new SharedWorker('data:text/javascript,' + encodeURIComponent(text)));
await attempt('http', () => new Worker(url + '/worker.js'));
await wait(200);`), `{"outcome":"ok","result":{"$every":{"$not":"went"}}}`),
		silent("N09", "A tool cannot load a font", "frame-policy", `
await attempt('font', () => new FontFace('f', 'url(' + url + '/font.woff2)').load());
await attempt('set', () => { const f = new FontFace('g', 'url("' + url + '/set.woff2")'); self.fonts.add(f); return self.fonts.load('12px g') });`).
			except(WebKit, NotObservable, "the engine loads no font for a worker, without any policy too"),
		mediated("N10", "WebAssembly cannot be streamed from the network", `
await attempt('compile', () => WebAssembly.compileStreaming(fetch(url + '/module.wasm', { mode: 'no-cors' })));
await attempt('instantiate', () => WebAssembly.instantiateStreaming(fetch(url + '/other.wasm')));`),
		mediated("N11", "A tool cannot ask the server of the page, by any spelling", `
await attempt('origin', () => fetch(host + '/blank.html', { mode: 'no-cors', credentials: 'include' }));
await attempt('relative', () => fetch('/blank.html'));
await attempt('nothing', () => fetch(''));
await attempt('blob', () => fetch('blob:' + host + '/00000000-0000-0000-0000-000000000000'));
await attempt('canary', () => fetch(url + '/origin', { mode: 'no-cors', referrer: '' }));`),
		mediated("N12", "No trick with Request and Response gets a request out", `
const request = new Request(url + '/clone');
await attempt('clone', () => fetch(request.clone()));
await attempt('again', () => fetch(new Request(request, { method: 'POST', body: 'secret' })));
await attempt('keepalive', () => fetch(url + '/keepalive', { keepalive: true, mode: 'no-cors', method: 'POST', body: 'secret' }));
await attempt('redirect', () => fetch(url + '/redirect', { redirect: 'manual', mode: 'no-cors' }));
await attempt('priority', () => fetch(url + '/priority', { priority: 'high', cache: 'only-if-cached', mode: 'same-origin' }));
await attempt('aborted', () => { const c = new AbortController(); const p = fetch(url + '/aborted', { signal: c.signal, mode: 'no-cors' }); setTimeout(() => c.abort(), 50); return p });`),
	}
}

// imports is a contract of tools that are refused.
func imports(id, title string, codes ...string) Contract {
	c := Contract{ID: id, Title: title, Guard: "syntax"}
	for _, code := range codes {
		c.Tools = append(c.Tools, Tool{Code: code, Refused: pattern(`{"code":"invalid_code","message":{"$re":"import"}}`)})
	}
	return c
}
