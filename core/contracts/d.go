package contracts

// endless is a contract of tools that never end by themselves: each is ended at its deadline, and the next call works.
func endless(id, title string, codes ...string) Contract {
	c := Contract{ID: id, Title: title, Guard: "deadline", CalmMs: 400, Limits: map[string]int{"callMs": 500}}
	for i, code := range codes {
		c.Tools = append(c.Tools, Tool{Code: "({ loop }) => loop ? (" + code + ")() : 'alive'"})
		c.Steps = append(c.Steps, Step{Tool: i, Args: pattern(`{"loop":true}`), WithinMs: 2000, Expect: pattern(`{"outcome":"timeout","started":true}`)},
			Step{Tool: i, Expect: pattern(`{"outcome":"ok","result":"alive"}`)})
	}
	return c
}

// service is group D: no tool takes the page, or the tools beside it, out of service.
func service() []Contract {
	const alive = `{"outcome":"ok","result":"alive"}`
	wasmLoop := `() => new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array([0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,102,0,0,10,9,1,7,0,3,64,12,0,11,11]))).exports.f()`

	memory := endless("D08", "A tool that fills its memory ends, and the page stays alive", "() => new Array(2 ** 32 - 1).fill(0).length")
	memory.Tools = append(memory.Tools, Tool{Code: `() => {
  const seen = [];
  const attempt = (f) => { try { f(); seen.push('went') } catch (e) { seen.push(e.name) } };
  attempt(() => { let s = 'x'; for (;;) s += s });
  attempt(() => new ArrayBuffer(2 ** 43));
  attempt(() => 'x'.padEnd(2 ** 31));
  attempt(() => new ArrayBuffer(8, { maxByteLength: 2 ** 45 }));
  return seen;
}`})
	memory.Steps = append(memory.Steps, Step{Tool: 1, Expect: pattern(`{"outcome":"ok","result":{"$every":{"$not":"went"}}}`)})

	drilled := drill("D12", "A busy frame does not hold up the page", "frame-sandbox", `
const end = performance.now() + 1200;
while (performance.now() < end);
return 1;`, `1`)
	drilled.CalmMs = 500
	drilled = drilled.except(Firefox, NotApplicable, "not promised here: the engine runs the frame's window in the page's process").
		except(WebKit, NotApplicable, "not promised here: the engine runs the frame's window in the page's process")

	return []Contract{
		endless("D01", "A loop is ended at its deadline, at the top level too", "() => { for (;;); }", "() => { try { for (;;); } finally { for (;;); } }", "async () => { for (;;) { try { await (async () => { for (;;); })() } catch {} } }"),
		endless("D02", "Microtasks without end are ended at the deadline", "async () => { for (;;) await null }", "() => new Promise(() => { const f = () => Promise.resolve().then(f); f() })", "() => new Promise(() => { const f = () => queueMicrotask(f); f() })"),
		endless("D03", "A result that never ends is ended at the deadline", "() => ({ get a() { for (;;); } })", "() => new Proxy({}, { ownKeys() { for (;;); } })", "() => ({ then() { for (;;); } })"),
		again("D04", "Timers that a call leaves behind do not run in the next call", "timers", `({ second }) => {
  if (second) return new Promise((done) => setTimeout(() => done(globalThis.marker ?? 'none'), 150));
  setTimeout(() => { globalThis.marker = 'timeout' }, 20);
  setInterval(() => { globalThis.marker = 'interval' }, 10);
  return 'first';
}`, `{"outcome":"ok"}`, `{"outcome":"ok","result":"none"}`),
		endless("D05", "A pattern that takes forever is ended at the deadline", "() => { while (!/^(a+)+$/.test('a'.repeat(60) + '!')); }", "() => { while (!/^([a-z]+)*$/.test('b'.repeat(60) + '1')); }"),
		{ID: "D06", Title: "A pattern in a schema takes no more than linear time", Unguarded: "patterns are judged by an engine that cannot go back: there is no other one to put in its place",
			CalmMs: 400, Tools: []Tool{{Code: "() => 'alive'", More: pattern(`{"parameters":{"type":"object","properties":{"s":{"type":"string","pattern":"^(a+)+$"},"t":{"type":"string","pattern":"^(a|aa)+$"}}}}`)}},
			Steps: []Step{{Args: pattern(`{"s":"` + as + `!","t":"` + as + `!"}`), WithinMs: 1500, Expect: pattern(`{"refused":"invalid_arguments"}`)}, {Expect: pattern(alive)}}},
		schemas(),
		memory,
		endless("D09", "WebAssembly is ended at the deadline like any code", wasmLoop,
			"() => { const m = []; try { for (let i = 0; i < 3; i++) { const x = new WebAssembly.Memory({ initial: 1, maximum: 65536 }); m.push(x); x.grow(30000) } } catch {} for (;;); }"),
		endless("D10", "Data that unpacks without end is ended at the deadline", `async () => {
  const zeros = new Uint8Array(1 << 20);
  const packed = new Response(new ReadableStream({ start(c) { for (let i = 0; i < 16; i++) c.enqueue(zeros); c.close() } }).pipeThrough(new CompressionStream('gzip')));
  const bomb = new Uint8Array(await packed.arrayBuffer());
  for (;;) { const reader = new Response(bomb).body.pipeThrough(new DecompressionStream('gzip')).getReader(); while (!(await reader.read()).done); }
}`),
		{ID: "D11", Title: "A stack that runs out is an error of the tool, and the next call works", Guard: "quiet-errors", Tools: []Tool{{Code: `({ kind }) => {
  if (kind === 'recursion') { const f = () => 1 + f(); return f() }
  if (kind === 'json') return JSON.parse('['.repeat(1e6));
  if (kind === 'getter') { const o = { get a() { return 1 + o.a } }; return o.a }
  if (kind === 'regex') return new RegExp('('.repeat(1e5) + ')'.repeat(1e5)).test('x');
  return 'alive';
}`}}, Steps: []Step{
			{Args: pattern(`{"kind":"recursion"}`), Expect: pattern(`{"outcome":"tool_error","error":{"name":{"$in":["RangeError","InternalError"]}}}`)},
			{Args: pattern(`{"kind":"json"}`), Expect: pattern(`{"outcome":"tool_error"}`)},
			{Args: pattern(`{"kind":"getter"}`), Expect: pattern(`{"outcome":"tool_error"}`)},
			{Args: pattern(`{"kind":"regex"}`), Expect: pattern(`{"outcome":{"$in":["tool_error","ok"]}}`)}, {Expect: pattern(alive)}}},
		drilled,
		{ID: "D13", Title: "A tool that blocks its thread is ended at the deadline, or cannot block it", Guard: "deadline", CalmMs: 400, Limits: map[string]int{"callMs": 500}, Tools: []Tool{{Code: `({ block }) => {
  if (!block) return 'alive';
  let cells;
  try { cells = new Int32Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer) } catch {}
  if (cells) for (;;) Atomics.wait(cells, 0, 0);
  for (;;);
}`}}, Steps: []Step{{Args: pattern(`{"block":true}`), WithinMs: 2000, Expect: pattern(`{"outcome":"timeout"}`)}, {Expect: pattern(alive)}}},
		{ID: "D14", Title: "Sandboxes that are ended while they start or run leave nothing behind", Guard: "frame-removal", Tools: []Tool{{Code: "({ ms }) => new Promise((done) => setTimeout(done, ms, 'alive'))"}},
			Steps: []Step{{Args: pattern(`{"ms":0}`), Expect: pattern(alive)}, {Probe: "races", Expect: pattern(`{"left":0,"frames":{"$lte":2}}`)}, {Args: pattern(`{"ms":0}`), Expect: pattern(alive)}}},
		{ID: "D15", Title: "Many tools at once keep to the number of sandboxes that a page may hold", Guard: "frame-removal", Tools: []Tool{{Code: "() => 'alive'"}},
			Steps: []Step{{Probe: "many", Expect: pattern(`{"ok":24,"count":{"$lte":16},"frames":{"$lte":19}}`)}, {Expect: pattern(alive)}}},
		once("D20", "A tool cannot start threads", "lockdown", tries(`
for (const name of ['Worker', 'SharedWorker', 'ServiceWorkerContainer']) { seen[name] = typeof globalThis[name] === 'function' && name !== 'ServiceWorkerContainer' ? 'went' : 'none'; }
await attempt('storm', () => { const text = 'data:text/javascript,1'; let n = 0; for (let i = 0; i < 50; i++) { new Worker(text).terminate(); n++ } return n });
seen.addresses = typeof URL.createObjectURL === 'function' ? 'went' : 'none';`), `{"outcome":"ok","result":{"$every":{"$not":"went"}}}`),
		once("D21", "A tool cannot pile up blob addresses", "lockdown", `() => { let n = 0; try { for (let i = 0; i < 1e4; i++) { URL.createObjectURL(new Blob(['x'])); n++ } } catch {} return n }`, `{"outcome":"ok","result":0}`),
		{ID: "D22", Title: "Logging a large graph of objects costs neither the page nor its developer tools", Guard: "own-console", CalmMs: 400, Tools: []Tool{{Code: `() => {
  const graph = Array.from({ length: 1e5 }, (_, i) => ({ i }));
  graph.forEach((node, i) => { node.next = graph[(i * 7) % 1e5]; node.all = graph });
  for (let i = 0; i < 20; i++) console.log(graph, { graph });
  return 'alive';
}`}}, Steps: []Step{{Expect: pattern(`{"outcome":"ok","result":"alive","logs":{"$length":{"$gte":1}}}`)}}},
		once("D23", "A tool cannot reach the graphics card", "lockdown", tries(`
seen.gpu = typeof globalThis.GPU === 'undefined' && !navigator.gpu ? 'none' : 'went';
seen.gl = typeof globalThis.WebGLRenderingContext === 'undefined' && typeof globalThis.WebGL2RenderingContext === 'undefined' ? 'none' : 'went';
for (const kind of ['webgl', 'webgl2', 'webgpu', 'experimental-webgl']) await attempt(kind, () => new OffscreenCanvas(1, 1).getContext(kind));`), `{"outcome":"ok","result":{"$every":{"$not":"went"}}}`),
		{ID: "D28", Title: "A bomb of tasks is refused as a whole, and the page stays alive", Unguarded: "the strict reader of JSON is the only one there is", Tools: []Tool{{Code: "() => 'alive'"}},
			Steps: []Step{{Probe: "bombs", Expect: pattern(`{"$every":{"$in":["invalid_json","too_large","invalid_task","invalid_request","invalid_definition"]}}`)}, {Expect: pattern(alive)}}},
		{ID: "D29", Title: "A definition that is too large is refused", Guard: "definition-size", Tools: []Tool{{Code: "() => 1", PadKiB: 3072, Refused: pattern(`{"code":"too_large"}`)}, {Code: "() => 'alive'"}},
			Steps: []Step{{Tool: 1, Expect: pattern(alive)}}},
	}
}

// as is long enough to take an engine that goes back longer than anyone waits.
const as = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

// schemas are bombs: each is refused, or judged in bounded time.
func schemas() Contract {
	c := Contract{ID: "D07", Title: "No schema takes more than bounded time", Unguarded: "the bound is part of the one validator there is"}
	for i, schema := range []string{
		`{"type":"object","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"properties":{"v":{"$ref":"#/$defs/a"}}}`,
		`{"type":"object","$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"},{"$ref":"#/$defs/b"}]},"b":{"allOf":[{"$ref":"#/$defs/c"},{"$ref":"#/$defs/c"}]},"c":{"allOf":[{"$ref":"#/$defs/d"},{"$ref":"#/$defs/d"},{"$ref":"#/$defs/d"}]},"d":{"items":{"$ref":"#/$defs/a"}}},"properties":{"v":{"$ref":"#/$defs/a"}}}`,
		`{"type":"object","properties":{"v":{"type":"array","uniqueItems":true}}}`,
	} {
		c.Tools = append(c.Tools, Tool{Code: "() => 'alive'", More: pattern(`{"parameters":` + schema + `}`)})
		if i == 0 {
			c.Tools[0].Refused = pattern(`{"code":"invalid_schema"}`)
			continue
		}
		for _, v := range []string{`[[[[[[[[[[1]]]]]]]]]]`, `1`} {
			c.Steps = append(c.Steps, Step{Tool: i, Args: pattern(`{"v":` + v + `}`), WithinMs: 8000, Expect: pattern(`{"$in":[{"outcome":"ok"},{"refused":{"$in":["invalid_arguments","too_large"]}}]}`)})
		}
	}
	c.Tools = append(c.Tools, Tool{Code: "() => 'alive'"})
	c.Steps = append(c.Steps, Step{Tool: 3, Expect: pattern(`{"outcome":"ok","result":"alive"}`)})
	return c
}
