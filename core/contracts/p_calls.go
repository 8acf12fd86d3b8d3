package contracts

// calls is the second part of group P: calls are kept apart, and what they say is bounded.
func calls() []Contract {
	small := map[string]int{"resultBytes": 1 << 20}
	return []Contract{
		again("P20", "What a call left behind says nothing once the call has ended", "timers", `({ second }, { progress }) => {
  if (second) return new Promise((done) => setTimeout(done, 200, 'second'));
  setTimeout(() => console.log('late'), 30);
  setInterval(() => console.log('tick'), 10);
  setTimeout(() => { throw new Error('late') }, 40);
  setInterval(() => progress(0.5, 'late'), 15);
  return 'first';
}`, `{"outcome":"ok","result":"first"}`, `{"outcome":"ok","result":"second","logs":[]}`),
		again("P21", "The powers of a call end with it", "ended-asks", `async ({ second }, context) => {
  if (!second) { globalThis.old = context; return 'first' }
  const told = (p) => p.then(() => 'went', (e) => e.code);
  globalThis.old.progress(0.5, 'late');
  return [await told(globalThis.old.resolveInvocation('x')), await told(globalThis.old.createSubtasksResult([])), globalThis.old.signal.aborted];
}`, `{"outcome":"ok","result":"first"}`, `{"outcome":"ok","result":["aborted","aborted",true]}`),
		again("P23", "The answer to one call's question never reaches another call", "", `async ({ second }, { resolveInvocation }) => {
  globalThis.got ??= [];
  resolveInvocation(second ? 'two' : 'one').then((v) => globalThis.got.push('value'), (e) => globalThis.got.push(e.code));
  if (!second) return 'first';
  await new Promise((done) => setTimeout(done, 200));
  return globalThis.got.length;
}`, `{"outcome":"ok","result":"first"}`, `{"outcome":"ok","result":{"$lte":1}}`).
			unguarded("host, supervisor and runtime each keep the answers of calls apart: no one of them can be turned off alone to break it"),
		{ID: "P25", Title: "Calls of one revision run one after the other", Unguarded: "the order is kept by the machine itself, outside the wall, and by nothing that could be left out",
			Tools: []Tool{{Code: "let busy = 0; export default async ({ ms }) => { const others = busy++; await new Promise((done) => setTimeout(done, ms)); busy--; return others }"}},
			Steps: []Step{{Args: pattern(`{"ms":120}`), Beside: true, Expect: pattern(`{"outcome":"ok","result":0}`)}, {Args: pattern(`{"ms":5}`), Beside: true, Expect: pattern(`{"outcome":"ok","result":0}`)},
				{Args: pattern(`{"ms":30}`), Expect: pattern(`{"outcome":"ok","result":0}`)}}},
		{ID: "P30", Title: "A flood of messages ends its sandbox and never holds up the page", Guard: "flood", CalmMs: 400, Tools: []Tool{
			{Code: "async (_, { resolveInvocation }) => { for (let i = 0; i < 20000; i++) { resolveInvocation('x').catch(() => {}); await null } return 'done' }"}, {Code: "() => 'alive'"}},
			Steps: []Step{{Expect: pattern(`{"outcome":"flooded","started":true}`)}, {Tool: 1, Expect: pattern(`{"outcome":"ok","result":"alive"}`)}}},
		{ID: "P31", Title: "A result that is too large is refused where it is made", Guard: "result-bounds", Limits: small, CalmMs: 400, Tools: []Tool{
			{Code: "({ big }) => big ? 'x'.repeat(64 << 20) : 'alive'"}},
			Steps: []Step{{Args: pattern(`{"big":true}`), Expect: pattern(`{"outcome":"invalid_result","error":{"message":{"$re":"1048576"}}}`)}, {Expect: pattern(`{"outcome":"ok","result":"alive"}`)}}},
		{ID: "P32", Title: "A result that is too deep or too wide is refused, and the page stays alive", Guard: "result-bounds", Limits: small, CalmMs: 400, Tools: []Tool{{Code: `({ kind }) => {
  if (kind === 'deep') { let v = []; for (let i = 0; i < 1e5; i++) v = [v]; return v }
  if (kind === 'wide') return Object.fromEntries(Array.from({ length: 1e6 }, (_, i) => [i, 1]));
  if (kind === 'long') return new Array(1e6).fill('some text');
  if (kind === 'steep') { let v = []; for (let i = 0; i < 100; i++) v = [v]; return v }
  return 'alive';
}`}}, Steps: []Step{{Args: pattern(`{"kind":"steep"}`), Expect: pattern(`{"outcome":"invalid_result","error":{"path":{"$any":true}}}`)}, {Args: pattern(`{"kind":"deep"}`), Expect: pattern(`{"outcome":"invalid_result","error":{"path":{"$any":true}}}`)},
			{Args: pattern(`{"kind":"wide"}`), Expect: pattern(`{"outcome":"invalid_result"}`)}, {Args: pattern(`{"kind":"long"}`), Expect: pattern(`{"outcome":"invalid_result"}`)},
			{Expect: pattern(`{"outcome":"ok","result":"alive"}`)}}},
		{ID: "P33", Title: "Text travels as it is, and what is no Unicode is refused", Guard: "tagged-values", Tools: []Tool{{Code: `({ kind }) => kind === 'lone' ? { a: 'x\ud800y' } : { a: '\u0000\ufeff\u{1f600}\u2028\u200b\uffff', '\u{1f600}': 1 }`}},
			Steps: []Step{{Expect: pattern(`{"outcome":"ok","result":{"a":"\u0000\ufeff😀\u2028\u200b\uffff","😀":1}}`)}, {Args: pattern(`{"kind":"lone"}`), Expect: pattern(`{"outcome":"invalid_result","error":{"path":"$.a"}}`)}}},
		once("P34", "Values that JSON lacks arrive as what they were", "tagged-values", `() => ({
  u: undefined, nan: NaN, inf: -Infinity, zero: -0, big: 123n, date: new Date(0), map: new Map([[1, new Set(['a'])]]), bytes: new Uint8Array([1, 2]), sparse: [1, , 3],
})`, `{"outcome":"ok","result":{"big":{"$text":"\"123n\""},"date":{"$text":{"$re":"1970"}},"bytes":{"$length":2},"sparse":{"$length":3}}}`),
		once("P35", "What was measured of a result is what travels, whatever its getters say the second time", "tagged-values", `() => {
  let n = 0;
  Object.defineProperty(Object.prototype, 'toJSON', { configurable: true, get() { return n++ ? () => 'y'.repeat(1 << 20) : undefined } });
  let reads = 0;
  return { get a() { return ++reads }, b: { get c() { return reads > 5 ? 'x'.repeat(1 << 20) : ++reads } } };
}`, `{"outcome":"ok","result":{"a":1,"b":{"c":2}}}`),
		{ID: "P36", Title: "A flood of log lines is cut visibly, and control characters stay text", Guard: "log-budget", CalmMs: 400, Tools: []Tool{{Code: `() => {
  console.log('\u001b[2J\u001b]52;c;eA==\u0007\u202e\r');
  console.log('z'.repeat(10 << 20));
  for (let i = 0; i < 20000; i++) console.log('line ' + i);
  return 'done';
}`}}, Steps: []Step{{Expect: pattern(`{"outcome":"ok","result":"done","dropped":{"$gte":1000},"logs":{"$length":{"$lte":1000}}}`)}}},
		{ID: "P37", Title: "Progress told in a tight loop is coalesced", Guard: "progress-pace", CalmMs: 400, Tools: []Tool{{Code: "(_, { progress }) => { for (let i = 0; i < 1e5; i++) progress(i / 1e5, 'step ' + i); return 'done' }"}},
			Steps: []Step{{Expect: pattern(`{"outcome":"ok","result":"done"}`)}}},
		{ID: "P40", Title: "What one tool keeps is not seen by another, by another partition or by a fresh sandbox", Guard: "frame-sandbox", Tools: []Tool{{Code: remember}, {Code: "// another\n" + remember}},
			Steps: []Step{{Args: pattern(`{"keep":true}`), Expect: pattern(`{"outcome":"ok"}`)}, {Tool: 1, Expect: pattern(`{"outcome":"ok","result":[]}`)},
				{Partition: "b", Expect: pattern(`{"outcome":"ok","result":[]}`)}, {Disposable: true, Expect: pattern(`{"outcome":"ok","result":[]}`)}}},
	}
}

// remember keeps something wherever a sandbox could keep it, or tells where it finds it.
const remember = `async ({ keep }) => {
  const found = [];
  const look = async (name, f) => { try { if (await Promise.race([f(), new Promise((done) => setTimeout(done, 300, false))])) found.push(name) } catch {} };
  const db = () => new Promise((ok, no) => { const r = indexedDB.open('shared'); r.onupgradeneeded = () => r.result.createObjectStore('s'); r.onsuccess = () => ok(r.result); r.onerror = () => no(r.error) });
  await look('global', async () => { if (keep) globalThis.kept = 1; return globalThis.kept });
  await look('prototype', async () => { if (keep) Object.prototype.kept = 1; return ({}).kept });
  await look('database', async () => { const d = await db(); const s = d.transaction('s', 'readwrite').objectStore('s'); return new Promise((ok) => { const r = keep ? s.put(1, 'k') : s.get('k'); r.onsuccess = () => ok(r.result) }) });
  await look('cache', async () => { const c = await caches.open('shared'); if (keep) await c.put('https://x.invalid/', new Response('x')); return c.match('https://x.invalid/') });
  await look('files', async () => { const d = await navigator.storage.getDirectory(); return d.getFileHandle('k', { create: keep === true }) });
  await look('channel', () => new Promise((ok, no) => { const c = new BroadcastChannel('shared'); c.onmessage = () => ok(1); if (keep) { globalThis.c = c; c.onmessage = () => c.postMessage(1) } else c.postMessage(1) }));
  delete Object.prototype.kept;
  return found;
}`
