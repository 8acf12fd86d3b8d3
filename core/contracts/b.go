package contracts

// integrity is group B: the runtime beside a tool stays whole.
func integrity() []Contract {
	return []Contract{
		again("B01", "A tool that replaces the ways of messages hears none and breaks none", "own-functions", `({ second }) => {
  globalThis.heard ??= 0;
  if (second) return globalThis.heard;
  const lie = function () { globalThis.heard++ };
  for (const holder of [self, MessagePort.prototype, EventTarget.prototype, Object.getPrototypeOf(Object.getPrototypeOf(self))])
    for (const name of ['postMessage', 'addEventListener', 'removeEventListener', 'dispatchEvent', 'start'])
      try { Object.defineProperty(holder, name, { value: lie, configurable: true, writable: true }) } catch {}
  for (const name of ['onmessage', 'onmessageerror', 'onerror']) self[name] = lie;
  try { Object.defineProperty(MessageEvent.prototype, 'data', { get() { globalThis.heard++; return 'mine' } }) } catch {}
  return 'patched';
}`, `{"outcome":"ok","result":"patched"}`, `{"outcome":"ok","result":0}`),
		again("B02", "What a tool puts behind every object touches no message", "tagged-values", `({ second }) => {
  if (!second) for (const key of ['then', 'toJSON', 'get', 'set', 'id', 'type', 'kind', 'call', 'value', 'text', 'blobs', 'error', 'enumerable', 'writable'])
    Object.defineProperty(Object.prototype, key, { __proto__: null, configurable: true, writable: true, value: key === 'toJSON' ? () => 'mine' : undefined });
  console.log({ a: 1 });
  return { a: { b: [1, 'two', null] } };
}`, `{"outcome":"ok","result":{"a":{"b":[1,"two",null]}}}`, `{"outcome":"ok","result":{"a":{"b":[1,"two",null]}},"logs":{"$length":1}}`),
		again("B03", "A tool that replaces every function of the language does not break its next call", "own-functions", `({ second, n }) => {
  if (!second) {
    const lie = () => { throw new Error('patched') };
    for (const target of [JSON, Object, Reflect, Array, Array.prototype, Promise, Promise.prototype, Map.prototype, Set.prototype, WeakMap.prototype, String, String.prototype, Number.prototype,
      RegExp.prototype, Function.prototype, Object.prototype, MessagePort.prototype, EventTarget.prototype, Event.prototype, MessageEvent.prototype, Error, Error.prototype, Symbol, Symbol.prototype, Math, Date, Date.prototype,
      Uint8Array, Uint8Array.prototype, Object.getPrototypeOf(Uint8Array.prototype), ArrayBuffer.prototype, DataView.prototype, TextEncoder.prototype, TextDecoder.prototype, AbortController.prototype, Performance.prototype, Object.getPrototypeOf([][Symbol.iterator]())])
      for (const key of Reflect.ownKeys(target)) if (key !== 'constructor' && key !== '__proto__')
        try { Object.defineProperty(target, key, { value: lie, configurable: true, writable: true }) } catch {}
  }
  console.log('hello', { second });
  return { text: 'ok', bytes: new Uint8Array(3), big: 5n };
}`, `{"outcome":"ok","result":{"text":"ok"}}`, `{"outcome":"ok","result":{"text":"ok"},"logs":{"$length":1}}`),
		again("B04", "A tool cannot catch what the runtime hands out by a setter behind every object", "own-fields", `({ second }, context) => {
  globalThis.caught ??= 0;
  const names = ['task', 'tool', 'settings', 'signal', 'progress', 'resolveInvocation', 'createSubtasksResult', 'fetch', 'storage', 'secrets', 'name', 'drafts', 'url', 'second', '0'];
  if (second) { const { caught } = globalThis; for (const name of names) delete Object.prototype[name]; return { caught, tool: typeof context.tool } }
  for (const name of names) Object.defineProperty(Object.prototype, name, { configurable: true, get() { return undefined }, set() { globalThis.caught++ } });
  return null;
}`, `{"outcome":"ok"}`, `{"outcome":"ok","result":{"caught":0,"tool":"string"}}`),
		exotic(),
		promises(),
		once("B07", "Stacks hand a tool nothing of the runtime", "strict", `() => {
  Error.stackTraceLimit = Infinity;
  const found = [];
  Error.prepareStackTrace = (_error, sites) => {
    for (const site of sites) for (const look of ['getThis', 'getFunction']) { const v = site[look](); if (v !== undefined && v !== null && v !== globalThis) found.push(look) }
    return 'mine';
  };
  const text = String(new Error('x').stack);
  const deep = (n) => { try { return deep(n + 1) + 1 } catch (e) { return String(e.stack).length > 0 ? 1 : 0 } };
  deep(0);
  return found.length;
}`, `{"outcome":"ok","result":0}`).
			except(Firefox, NotApplicable, "the engine hands no frames of a stack to code").
			except(WebKit, NotApplicable, "the engine hands no frames of a stack to code"),
		silent("B08", "A tool cannot make code of text", "frame-policy", `
await attempt('eval', () => (0, eval)('1'));
await attempt('Function', () => new Function('return 1')());
await attempt('method', () => (() => {}).constructor('return 1')());
await attempt('async', () => (async () => {}).constructor('return 1')());
await attempt('generator', () => (function* () {}).constructor('yield 1')().next());
await attempt('asyncGenerator', () => (async function* () {}).constructor('yield 1')().next());
await attempt('bound', () => Reflect.construct(Function, ['return 1'])());
await attempt('timer', () => setTimeout('globalThis.timed = 1', 0));
await wait(20);
seen.timed = globalThis.timed ? 'went' : 'no';`),
		breakouts(),
		drill("B10", "A frame cannot write its policy away", "frame-policy", `
document.querySelectorAll('meta').forEach((meta) => meta.remove());
await attempt('removed', () => kept.fetch(url + '/removed', { mode: 'no-cors' }));
document.head.innerHTML = '<meta http-equiv="Content-Security-Policy" content="default-src * data: blob: \'unsafe-inline\' \'unsafe-eval\'">';
await attempt('relaxed', () => kept.fetch(url + '/relaxed', { mode: 'no-cors' }));
document.open();
document.write('<img src="' + url + '/written">');
document.close();
await attempt('written', () => kept.fetch(url + '/after', { mode: 'no-cors' }));
const inner = document.createElement('iframe');
inner.srcdoc = '<img src="' + url + '/inner">';
document.documentElement.append(inner);
await wait(300);
return seen;`, `{"$every":{"$not":"went"}}`),
		marks(),
		once("B12", "A tool cannot reach who called it", "strict", `function tool() {
  const seen = {};
  const attempt = (name, f) => { try { const v = f(); seen[name] = v === null || v === undefined ? 'nothing' : 'went' } catch (e) { seen[name] = e.name } };
  attempt('callee', () => arguments.callee);
  attempt('caller', () => tool.caller);
  attempt('self', function () { return this });
  return seen;
}`, `{"outcome":"ok","result":{"$every":{"$not":"went"}}}`),
		once("B13", "An array that lies about itself travels as what it holds", "tagged-values", `() => {
  class Liar extends Array {
    static get [Symbol.species]() { throw new Error('species') }
    [Symbol.iterator]() { throw new Error('iterator') }
    map() { throw new Error('map') }
    toJSON() { return ['mine'] }
    get length() { return 3 }
  }
  const list = Liar.of(1, 2, 3);
  return Object.setPrototypeOf(list, Array.prototype) && Object.defineProperty(list, 'toJSON', { value: () => ['mine'] });
}`, `{"outcome":"ok","result":[1,2,3]}`),
		silent("B16", "Nothing that a tool can reach belongs to another realm", "frame-policy", `
const queue = [globalThis], known = new Set(queue);
let foreign = 0, ports = 0;
const push = (v) => { if (v !== null && (typeof v === 'object' || typeof v === 'function') && !known.has(v) && known.size < 20000) { known.add(v); queue.push(v) } };
for (let i = 0; i < queue.length; i++) {
  const at = queue[i];
  if (typeof at === 'function' && at !== Function.prototype && !(at instanceof Function) && Object.getPrototypeOf(at) !== null) foreign++;
  if (at instanceof MessagePort) ports++;
  push(Object.getPrototypeOf(at));
  for (const key of Reflect.ownKeys(at)) { const d = Object.getOwnPropertyDescriptor(at, key); push(d.value); push(d.get); push(d.set) }
}
seen.foreign = foreign > 0 ? 'went' : 'none';
seen.ports = ports > 0 ? 'went' : 'none';
const makers = [...known].filter((f) => typeof f === 'function' && f.prototype === undefined && /Function/.test(f.name));
await attempt('process', () => globalThis.constructor.constructor('return 1')());
await attempt('makers', () => [Function, ...makers].map((f) => f('return 1')()).length);`),
	}
}

// exotic throws everything that is no ordinary error.
func exotic() Contract {
	c := Contract{ID: "B05", Title: "Whatever a tool throws ends its call as an error of the tool", Guard: "quiet-errors", Tools: []Tool{{Code: `({ kind }) => {
  const cyclic = {}; cyclic.self = cyclic;
  const revoked = Proxy.revocable({}, {}); revoked.revoke();
  const lie = { get() { throw new Error('trap') }, getPrototypeOf() { throw new Error('trap') }, ownKeys() { throw new Error('trap') }, has() { throw new Error('trap') } };
  const bad = new Error('x');
  Object.defineProperties(bad, { message: { get() { throw new Error('message') } }, stack: { get() { throw new Error('stack') } }, name: { get() { throw 1 } }, cause: { get() { throw 1 } } });
  const huge = new Error('y'.repeat(1 << 22));
  throw { null: null, undefined: undefined, symbol: Symbol('s'), big: 5n, cyclic, revoked: revoked.proxy, proxy: new Proxy({}, lie), bad, huge, bare: Object.create(null), func: () => 1, nan: NaN }[kind];
}`}, {Code: "() => 'alive'"}}}
	for _, kind := range []string{"null", "undefined", "symbol", "big", "cyclic", "revoked", "proxy", "bad", "huge", "bare", "func", "nan"} {
		c.Steps = append(c.Steps, Step{Args: pattern(`{"kind":"` + kind + `"}`), Expect: pattern(`{"outcome":"tool_error","started":true,"error":{"message":{"$length":{"$lte":20000}}}}`)})
	}
	c.Steps = append(c.Steps, Step{Tool: 1, Expect: pattern(`{"outcome":"ok","result":"alive"}`)})
	return c
}

// promises returns what looks like a promise.
func promises() Contract {
	return Contract{ID: "B06", Title: "A promise that is none settles its call once, or ends at the deadline", Guard: "deadline", Limits: map[string]int{"callMs": 800}, Tools: []Tool{{Code: `({ kind }) => {
  if (kind === 'twice') return { then(ok, no) { ok('first'); ok('second'); no(new Error('third')) } };
  if (kind === 'throws') return { then(ok) { ok('first'); throw new Error('late') } };
  if (kind === 'getter') return { get then() { throw new TypeError('mine') } };
  if (kind === 'endless') { const next = () => ({ then(ok) { ok(next()) } }); return next() }
  return { then() {} };
}`}}, Steps: []Step{
		{Args: pattern(`{"kind":"twice"}`), Expect: pattern(`{"outcome":"ok","result":"first"}`)},
		{Args: pattern(`{"kind":"throws"}`), Expect: pattern(`{"outcome":"ok","result":"first"}`)},
		{Args: pattern(`{"kind":"getter"}`), Expect: pattern(`{"outcome":"tool_error","error":{"message":"mine"}}`)},
		{Args: pattern(`{"kind":"never"}`), WithinMs: 2300, Expect: pattern(`{"outcome":"timeout"}`)},
		{Args: pattern(`{"kind":"endless"}`), WithinMs: 2300, Expect: pattern(`{"outcome":"timeout"}`)},
	}}
}

// breakouts are texts that try to leave the function they are put into.
func breakouts() Contract {
	c := Contract{ID: "B09", Title: "No text leaves the function that a tool's code is put into", Guard: "syntax"}
	for _, code := range []string{
		"() => 1 }); globalThis.polluted1 = 1; (() => {",
		"*/ } )(); globalThis.polluted1 = 1; /*",
		"() => 1\n})\n;__taskyon(async () => {\nreturn () => 2",
		"(() => 1)(); import('x')",
		"() => { return 1 } } {",
		"</script><script>globalThis.polluted1 = 1</script>",
		"export default () => 1\n}); postMessage('up'); (async () => {",
	} {
		c.Tools = append(c.Tools, Tool{Code: code, Refused: pattern(`{"code":"invalid_code"}`)})
	}
	c.Tools = append(c.Tools, Tool{Code: "const __taskyon = 1, port = 2, runtime = 3, postMessage = '</script>', program = 5;\nexport default () => [__taskyon, port, runtime, postMessage, program]"})
	c.Steps = []Step{{Tool: len(c.Tools) - 1, Expect: pattern(`{"outcome":"ok","result":[1,2,3,"</script>",5]}`)}, {Probe: "host", Expect: pattern(`{"polluted":[]}`)}}
	return c
}

// marks are texts that engines or hosts might read differently.
func marks() Contract {
	c := Contract{ID: "B11", Title: "Code that engines might read in two ways is refused", Guard: "syntax"}
	for _, code := range []string{"() => 1 <!-- 2", "() => {\n--> 1\n}", "() => { with ({}) { return 1 } }", "() => 010", "() => { await 1 }", "() => { delete x }", "() => { let let = 1 }", "await 1"} {
		c.Tools = append(c.Tools, Tool{Code: code, Refused: pattern(`{"code":"invalid_code"}`)})
	}
	c.Tools = append(c.Tools, Tool{Code: "() => 'x\u2028y'.length"})
	c.Steps = []Step{{Tool: len(c.Tools) - 1, Expect: pattern(`{"outcome":"ok","result":3}`)}}
	return c
}
