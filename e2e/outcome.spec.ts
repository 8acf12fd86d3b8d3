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
