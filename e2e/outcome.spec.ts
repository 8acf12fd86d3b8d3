import { test, expect } from './fixtures.js';

test('a tool that throws null, a string or an Error with a cause is a tool error that says so', async ({ run }) => {
  expect(await run('() => { throw null }')).toMatchObject({ outcome: 'tool_error', result: undefined, error: { code: 'tool_error', message: expect.stringContaining('null') } });
  expect(await run('() => { throw "just text" }')).toMatchObject({ outcome: 'tool_error', error: { message: expect.stringContaining('just text'), value: 'just text' } });
  const caused = await run('() => { throw new TypeError("outer", { cause: new RangeError("inner") }) }');
  expect(caused).toMatchObject({ outcome: 'tool_error', error: { name: 'TypeError', message: 'outer', cause: expect.stringContaining('inner') } });
  expect(await run('async () => { await null; throw new Error("later") }')).toMatchObject({ outcome: 'tool_error', error: { name: 'Error', message: 'later' } });
});

test('undefined is a result of its own, and what cannot travel is refused with its path', async ({ run }) => {
  expect(await run('() => undefined')).toMatchObject({ outcome: 'ok', result: undefined });
  expect(await run('() => null')).toMatchObject({ outcome: 'ok', result: null });
  for (const [code, path] of [
    ['() => () => 1', '$'],
    ['() => Symbol("s")', '$'],
    ['() => new WeakMap()', '$'],
    ['() => ({ ok: 1, cb() {} })', '$.cb'],
    ['() => ({ list: [1, { "odd key": Symbol() }] })', '$.list[1]["odd key"]'],
    ['() => { const a = { b: {} }; a.b.a = a; return a }', '$.b.a'],
    ['() => "\\ud800"', '$'],
    ['() => ({ m: new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer })', '$.m'],
    ['() => ({ all: (function* () { yield 1 })() })', '$.all'],
    ['() => ({ get a() { throw new Error("mine") } })', '$.a'],
  ] as const) {
    expect(await run(code), code).toMatchObject({ outcome: 'invalid_result', result: undefined, error: { code: 'invalid_result', path } });
  }
});

test('a result that the page would take too long to build is refused, and the largest one is not', async ({ run }) => {
  for (const code of ['() => new Array(300000).fill(0)', '() => 7n ** 20000n', '() => new Set(new Array(5000).fill(0).map((_, i) => BigInt(i) << 64n))']) {
    expect(await run(code), code).toMatchObject({ outcome: 'invalid_result' });
  }
  expect(await run('() => new Array(200000).fill(0)')).toMatchObject({ outcome: 'ok' });
});

test('values that JSON lacks arrive as they are', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const { result } = (await harness.run(`() => ({
      undefined: undefined, nan: NaN, infinity: -Infinity, zero: -0, big: 12345678901234567890n, date: new Date(5), invalid: new Date(NaN),
      map: new Map([[{ a: 1 }, new Set(['x'])]]), bytes: new Uint8Array([0, 255]), error: new RangeError('r'), $t: 'date', $$: [{ $x: 1 }],
      ['__proto__']: 1, constructor: 2, url: new URL('https://e.test/'), hole: [1, , 3] })`)) as { result: any };
    const [[key, set]] = [...result.map];
    return {
      undefined: 'undefined' in result && result.undefined === undefined,
      nan: Number.isNaN(result.nan),
      infinity: result.infinity,
      zero: Object.is(result.zero, -0),
      big: String(result.big),
      date: [result.date instanceof Date, +result.date, +result.invalid],
      map: [key.a, [...set]],
      bytes: [result.bytes instanceof Uint8Array, [...result.bytes]],
      error: [result.error instanceof Error, result.error.name, result.error.message],
      dollar: [result.$t, result.$$],
      proto: [Object.getOwnPropertyDescriptor(result, '__proto__')?.value, Object.getPrototypeOf(result) === Object.prototype, result.constructor],
      url: result.url,
      hole: result.hole.length,
    };
  });
  expect(seen).toEqual({
    undefined: true, nan: true, infinity: -Infinity, zero: true, big: '12345678901234567890', date: [true, 5, NaN],
    map: [1, ['x']], bytes: [true, [0, 255]], error: [true, 'RangeError', 'r'], dollar: ['date', [{ $x: 1 }]],
    proto: [1, true, 2], url: 'https://e.test/', hole: 3,
  });
});

test('line, column and stack of an error are the author\'s', async ({ run }) => {
  const code = [
    'export default async function main({ x }) {',
    '  await null',
    '  return inner(x)',
    '}',
    'function inner(x) {',
    '\tif (x) throw new Error("here")',
    '}',
  ];
  for (const text of [code.join('\n'), code.join('\r\n'), '\ufeff' + code.join('\n')]) {
    const record = await run(text, { x: 1 });
    expect(record).toMatchObject({ outcome: 'tool_error', error: { message: 'here', line: 6, column: 15 } });
    expect(record.error?.stack).toMatch(/inner \(tool-\d+\.js:6:15\)[\s\S]*main \(tool-\d+\.js:3:10\)/);
    expect(record.error?.stack).not.toMatch(/blob:|taskyon|runtime/);
  }
  expect(await run('({ a }) =>\n  a.b.c', {})).toMatchObject({ error: { name: 'TypeError', line: 2 } });
});

test('logs keep their order and level, and arguments of every kind are shown', async ({ run }) => {
  const record = await run(`() => {
    const o = {}; o.self = o;
    console.log('%s is %d', 'a', 5, 1n, Symbol('s'), new Map([[1, o]]), undefined, '\\ud800');
    console.warn(o, new Proxy({}, { get() { throw 1 } }), { get secret() { throw new Error('touched') } });
    console.error(new Error('shown')); console.log(); console.assert(false, 'm'); console.table([{ a: 1 }]); console.debug('d');
    return 7
  }`);
  expect(record).toMatchObject({ outcome: 'ok', result: 7, dropped: 0 });
  expect(record.logs.map((l) => l.level)).toEqual(expect.arrayContaining(['log', 'warn', 'error', 'debug']));
  expect(record.logs[0]?.text).toMatch(/a is 5.*1n.*Symbol\(s\).*Map.*undefined/s);
  expect(record.logs.map((l) => l.text).join('\n')).not.toContain('touched');
});

test('a hundred thousand log lines and then a result is ok, with head, tail and the number left out', async ({ run }) => {
  const record = await run('() => { for (let i = 0; i < 100000; i++) console.log("line " + i); return "done" }');
  expect(record).toMatchObject({ outcome: 'ok', result: 'done' });
  expect(record.logs[0]?.text).toBe('line 0');
  expect(record.logs.at(-1)?.text).toBe('line 99999');
  expect(record.logs.length).toBeLessThanOrEqual(1000);
  expect(record.logs.length + record.dropped).toBe(100000);
});

test('log lines and progress reach the page while the tool runs', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const events: unknown[] = [];
    const revision = await harness.install(`async (args, { progress }) => {
      console.log('one'); progress(0.5, 'half'); await new Promise((r) => setTimeout(r, 300)); console.info('two'); return 1 }`);
    let early = 0;
    const record = await harness.runRevision(revision, {}, { onLog: (line) => events.push(line), onProgress: (p) => (early = events.push(p)) });
    return { events, early, result: record.result };
  });
  expect(seen.result).toBe(1);
  expect(seen.events).toEqual(expect.arrayContaining([{ level: 'log', text: 'one' }, { fraction: 0.5, text: 'half' }, { level: 'info', text: 'two' }]));
  expect(seen.early).toBeLessThan(3);
});

test('context names the task and the revision and is the tool\'s alone', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const revision = await harness.install('(args, context) => ({ task: context.task, tool: context.tool, aborted: context.signal.aborted })');
    const task = await harness.compile(revision);
    return { revision, task, record: await ty.tasks.run(task) };
  });
  expect(seen.record.result).toEqual({ task: seen.task.id, tool: seen.revision.id, aborted: false });
});

test('a declared result schema is enforced, and arguments are checked again when an imported task runs', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const definition = {
      description: '', returns: { type: 'number' }, parameters: { type: 'object' as const },
      implementation: { class: 'sandboxed-code' as const, language: 'javascript' as const, code: '({ v }) => v' },
    };
    const revision = await ty.tools.install({ ...definition, name: 'typed' }, { activate: true });
    return [await harness.runRevision(revision, { v: 1 }), await harness.runRevision(revision, { v: { a: 'one' } })];
  });
  expect(seen[0]).toMatchObject({ outcome: 'ok', result: 1 });
  expect(seen[1]).toMatchObject({ outcome: 'invalid_result', error: { path: '$' } });
});

test('what this host cannot run is a record that says so, not an exception', async ({ host }) => {
  const records = await host.evaluate(async () => {
    const base = { description: '', parameters: { type: 'object' as const } };
    const python = await ty.tools.install({ ...base, name: 'py', implementation: { class: 'sandboxed-code', language: 'python', code: 'def run(): return 1' } }, { activate: true });
    const native = await ty.tools.install({ ...base, name: 'nat', implementation: { class: 'trusted-native', native: 'files.read', version: '1' } }, { activate: true });
    return [await harness.runRevision(python), await harness.runRevision(native)];
  });
  for (const record of records) expect(record).toMatchObject({ outcome: 'unavailable', started: false, isolation: '' });
});

test('bytes and images arrive as a Uint8Array where the schema says so', async ({ host }) => {
  const record = await host.evaluate(async () => {
    const parameters = { type: 'object' as const, properties: { image: { type: 'string', contentEncoding: 'base64' } } };
    const revision = await harness.install('({ image }) => [image instanceof Uint8Array, ...image]', { parameters });
    return harness.runRevision(revision, { image: 'AP8=' });
  });
  expect(record).toMatchObject({ outcome: 'ok', result: [true, 0, 255] });
});

test('numbers arrive to the last bit and dates to the millisecond, in both directions', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    // Made alike by the tool and by the page.
    const numbersOf = () => {
      let bits = 88172645463325252n;
      const next = () => {
        bits ^= BigInt.asUintN(64, bits << 13n);
        bits ^= bits >> 7n;
        return (bits ^= BigInt.asUintN(64, bits << 17n));
      };
      const edges = [0.1 + 0.2, 1 / 3, 5e-324, -5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 1e21, 1e-7, 123456789012345680000, 2 ** 53 + 2, -(2 ** 63), 4.35, -0];
      return edges.concat([...new Float64Array(BigUint64Array.from({ length: 3000 }, next).buffer)]);
    };
    const datesOf = () => [8.64e15, -8.64e15, 8.64e15 + 1, 253402300799999, 253402300800000, -62167219200000, -62167219200001, 1, NaN].map((time) => new Date(time));
    const revision = await harness.install(`({ numbers }) => {
      const all = (${numbersOf})(), sent = all.filter((n) => Number.isFinite(n) && !Object.is(n, -0));
      return { wrong: numbers.filter((n, i) => !Object.is(n, sent[i])).length + numbers.length - sent.length, all, dates: (${datesOf})() } }`);
    const numbers = numbersOf();
    const { outcome, result } = await harness.runRevision(revision, { numbers: numbers.filter((n) => Number.isFinite(n) && !Object.is(n, -0)) });
    const { all, dates, wrong } = result as { all: number[]; dates: Date[]; wrong: number };
    const others = numbers.filter((n, i) => !Object.is(n, all[i])).length;
    return { outcome, wrong, others, many: [numbers.length, all.length], dates: dates.map(Number), sent: datesOf().map(Number) };
  });
  expect(seen).toMatchObject({ outcome: 'ok', wrong: 0, others: 0, many: [3013, 3013] });
  expect(seen.dates).toEqual(seen.sent);
});

test('an exception of the browser is told by its name, thrown or logged', async ({ run }) => {
  const record = await run(`async () => { const e = new DOMException('gone', 'AbortError'); console.log(e); throw e }`);
  expect(record).toMatchObject({ outcome: 'tool_error', error: { name: 'AbortError', message: 'gone' } });
  expect(record.logs[0]!.text).toMatch(/^AbortError: gone/);
});

test('what an object of the browser holds does not arrive as nothing: it is itself, or refused by the name of its class', async ({ run }) => {
  const made: readonly (readonly [string, string])[] = [
    ['TextMetrics', 'new OffscreenCanvas(9, 9).getContext("2d").measureText("x")'], ['OffscreenCanvasRenderingContext2D', 'new OffscreenCanvas(9, 9).getContext("2d")'],
    ['Path2D', 'new Path2D()'], ['TextDecoder', 'new TextDecoder()'], ['CompressionStream', 'new CompressionStream("gzip")'], ['MessageChannel', 'new MessageChannel()'],
    ['AbortController', 'new AbortController()'], ['ReadableStreamDefaultReader', 'new ReadableStream().getReader()'], ['Crypto', 'crypto'], ['WorkerNavigator', 'navigator'],
    ['EventTarget', 'new AbortController().signal'], ['EventTarget', 'new MessageChannel().port1'], ['EventTarget', 'self'], ['Blob', 'new File(["x"], "n")'],
    ['WebAssembly.Memory', 'new WebAssembly.Memory({ initial: 1 })'], ['Intl.NumberFormat', 'new Intl.NumberFormat()'], ['URLSearchParams', 'new URLSearchParams("a=1")'],
    ['Headers', 'new Headers({ a: "1" })'], ['ImageData', 'new ImageData(1, 1)'], ['Event', 'new Event("x")'],
  ];
  for (const [name, code] of made) {
    expect.soft(await run(`() => ({ a: [${code}] })`), code).toMatchObject({ outcome: 'invalid_result', error: { path: '$.a[0]', message: expect.stringContaining(`a ${name} cannot travel`) } });
  }
  expect(await run('() => [new DOMRect(1, 2, 3, 4), new DOMPoint(1), new URL("https://e.test/"), new (class Mine {})()]')).toMatchObject({
    outcome: 'ok', result: [{ x: 1, width: 3 }, { x: 1 }, 'https://e.test/', {}],
  });
});

test('a rejection that is handled late is no failure', async ({ run }) => {
  const record = await run(`async () => {
    const early = Promise.reject(new Error('early'));
    await new Promise((done) => setTimeout(done, 50));
    return early.catch((e) => e.message);
  }`);
  expect(record).toMatchObject({ outcome: 'ok', result: 'early' });
  for (const line of record.logs) expect(line).toMatchObject({ level: 'warn', text: expect.stringContaining('uncaught: Error: early') });
});

test('a million long log lines cost neither the result nor the calm of the page', async ({ host }) => {
  test.setTimeout(120_000);
  const seen = await host.evaluate(async () => {
    const revision = await harness.install('({ n }) => { const text = "x".repeat(1000); for (let i = 0; i < n; i++) console.log(i, text); return "done" }');
    return harness.longestGap(() => harness.runRevision(revision, { n: 1e6 }), 250, () => harness.runRevision(revision, { n: 1 }));
  });
  const { outcome, result, logs, dropped } = seen.value;
  expect({ outcome, result, all: logs.length + dropped }).toEqual({ outcome: 'ok', result: 'done', all: 1e6 });
  expect(logs[0]!.text).toMatch(/^0 x/);
  expect(logs.at(-1)!.text).toMatch(/^999999 x/);
  expect(logs.reduce((sum, line) => sum + line.text.length, 0)).toBeLessThanOrEqual(256 << 10);
  expect(seen.longest).toBeLessThan(250);
});
