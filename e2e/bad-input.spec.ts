import { test, expect } from './fixtures.js';

const good = { name: 'bad', description: '', code: '() => 1' };

const definitions: readonly [string, unknown, { code: string; path?: string; line?: number; column?: number; message: RegExp }][] = [
  ['an unknown field', { ...good, colour: 1 }, { code: 'invalid_definition', path: '$.colour', message: /colour/ }],
  ['a duplicate key', '{"name":"bad","name":"bad","description":"","code":"() => 1"}', { code: 'invalid_json', message: /name/ }],
  ['a wrong schema', { ...good, parameters: { type: 'object', properties: { a: { type: 'strnig' } } } }, { code: 'invalid_schema', path: '$.parameters.properties.a.type', message: /strnig|type/ }],
  ['a schema that is no object type', { ...good, parameters: { type: 'string' } }, { code: 'invalid_schema', path: '$.parameters.type', message: /object/ }],
  ['a bad name', { ...good, name: 'no spaces' }, { code: 'invalid_definition', path: '$.name', message: /no spaces/ }],
  ['2 MiB of source', { ...good, code: `() => "${'x'.repeat(2 << 20)}"` }, { code: 'too_large', message: /1048576/ }],
  ['code that does not parse', { ...good, code: '(a) => {\n  const b = 1\n  const c = ;\n}' }, { code: 'invalid_code', line: 3, column: 13, message: /bad/ }],
  ['a static import', { ...good, code: 'import x from "x"\nexport default () => x' }, { code: 'invalid_code', line: 1, column: 1, message: /import/ }],
  ['a dynamic import', { ...good, code: '() =>\n  import("x")' }, { code: 'invalid_code', line: 2, column: 3, message: /import/ }],
  ['undefined in an object', { ...good, description: undefined }, { code: 'invalid_definition', path: '$.description', message: /undefined/ }],
  ['a number', 7, { code: 'invalid_definition', message: /object/ }],
  ['nothing', undefined, { code: 'invalid_definition', message: /undefined/ }],
];

for (const [title, definition, want] of definitions) {
  test(`a definition with ${title} is refused by name and nothing is stored`, async ({ host }) => {
    const { refusal, list, history } = await host.evaluate(async (definition) => {
      const refusal = await harness.refusal(() => ty.tools.install(definition as string, { activate: true }));
      return { refusal, list: await ty.tools.list(), history: await ty.tools.history('bad') };
    }, definition);
    const { message, ...facts } = want;
    expect(refusal).toMatchObject({ name: 'TaskyonError', ...facts });
    expect(refusal.message).toMatch(message);
    expect({ list, history }).toEqual({ list: [], history: [] });
  });
}

test('functions, getters, class instances, cycles and bigints in a definition or a draft are refused with their path, not stringified away', async ({ host }) => {
  const refusals = await host.evaluate(async () => {
    const cyclic: { [key: string]: unknown } = {};
    cyclic['self'] = { cyclic };
    const values: [string, unknown][] = [
      ['function', () => 1],
      ['getter', { get x() { return 1 } }],
      ['instance', { at: new Date() }],
      ['cycle', cyclic],
      ['bigint', [1, 2n]],
      ['nan', { a: [{ b: NaN }] }],
      ['symbol', [Symbol('s')]],
      ['absent', { a: undefined }],
      ['map', { m: new Map([[1, 2]]) }],
      ['hole', [1, , 3]], // eslint-disable-line
      ['endless', { a: new Array(2 ** 32 - 1) }],
      ['claimed', new Proxy([], { get: (_, key) => (key === 'length' ? Infinity : 1) })],
    ];
    const out: { [key: string]: [string, string | undefined, string, string | undefined] } = {};
    for (const [name, value] of values) {
      const definition = { name: 'x', description: '', parameters: { type: 'object', default: value }, code: '() => 1' };
      const a = await harness.refusal(() => ty.tools.install(definition as never));
      const b = await harness.refusal(() => ty.tasks.compile(harness.call('x', { v: value })));
      out[name] = [a.code, a.path, b.code, b.path];
    }
    return out;
  });
  const draft = '$.content.functionCall.arguments.v';
  expect(refusals).toEqual({
    function: ['invalid_definition', '$.parameters.default', 'invalid_draft', draft],
    getter: ['invalid_definition', '$.parameters.default.x', 'invalid_draft', `${draft}.x`],
    instance: ['invalid_definition', '$.parameters.default.at', 'invalid_draft', `${draft}.at`],
    cycle: ['invalid_definition', '$.parameters.default.self.cyclic', 'invalid_draft', `${draft}.self.cyclic`],
    bigint: ['invalid_definition', '$.parameters.default[1]', 'invalid_draft', `${draft}[1]`],
    nan: ['invalid_definition', '$.parameters.default.a[0].b', 'invalid_draft', `${draft}.a[0].b`],
    symbol: ['invalid_definition', '$.parameters.default[0]', 'invalid_draft', `${draft}[0]`],
    absent: ['invalid_definition', '$.parameters.default.a', 'invalid_draft', `${draft}.a`],
    map: ['invalid_definition', '$.parameters.default.m', 'invalid_draft', `${draft}.m`],
    hole: ['invalid_definition', '$.parameters.default[1]', 'invalid_draft', `${draft}[1]`],
    endless: ['invalid_definition', '$.parameters.default.a[0]', 'invalid_draft', `${draft}.a[0]`],
    claimed: ['invalid_definition', '$.parameters.default[0]', 'invalid_draft', `${draft}[0]`],
  });
});

test('a draft that names an unknown tool, or arguments that break the schema, is refused and no task is stored', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    await harness.install('({ n }) => n', { name: 'known', parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } });
    const root = await ty.tasks.compile({ role: 'user', content: { message: 'hi' } });
    const refuse = (name: string, args: unknown, tool?: string) =>
      harness.refusal(() => ty.tasks.compile({ ...harness.call(name, args, tool), parent: root.id }));
    return {
      unknown: await refuse('knwon', { n: 1 }),
      missing: await refuse('known', {}),
      wrong: await refuse('known', { n: 'one' }),
      cut: await refuse('known', '{"n":1'),
      absent: await refuse('known', { n: 1 }, `tool:b3:${'1'.repeat(64)}`),
      children: await ty.tasks.children(root.id),
    };
  });
  expect(seen.unknown).toMatchObject({ code: 'not_found', message: expect.stringContaining('did you mean "known"') });
  expect(seen.missing).toMatchObject({ code: 'invalid_arguments', message: expect.stringMatching(/'?n'?/) });
  expect(seen.wrong).toMatchObject({ code: 'invalid_arguments', path: '$.n', message: expect.stringContaining('"one"') });
  expect(seen.cut).toMatchObject({ code: 'invalid_arguments', message: expect.stringContaining('incomplete') });
  expect(seen.absent).toMatchObject({ code: 'not_found' });
  expect(seen.children).toEqual([]);
});

test('a task whose bytes were changed after it was pinned is refused', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const revision = await harness.install('({ n }) => n');
    const task = await harness.compile(revision, { n: 1 });
    const edited = structuredClone(task) as unknown as { content: { functionCall: { arguments: unknown } } };
    edited.content.functionCall.arguments = { n: 2 };
    return {
      edited: await harness.refusal(() => ty.tasks.run(edited as never)),
      draft: await harness.refusal(() => ty.tasks.run(harness.call(revision.name, { n: 1 }, revision.id) as never)),
      message: await harness.refusal(async () => ty.tasks.run(await ty.tasks.compile({ role: 'user', content: { message: 'hi' } }))),
      kept: (await ty.tasks.run(task)).result,
    };
  });
  expect(seen).toMatchObject({ edited: { code: 'invalid_task' }, draft: { code: 'invalid_task', path: '$.id' }, message: { code: 'invalid_task' }, kept: 1 });
});

test('options that do not exist are refused by name', async ({ page }) => {
  await page.goto('/blank.html');
  await page.waitForFunction(() => 'harness' in globalThis);
  const refusals = await page.evaluate(async () => [
    await harness.refusal(() => harness.load({ stor: 'memory' } as never)),
    await harness.refusal(() => harness.load({ store: 'paper' } as never)),
    await harness.refusal(() => harness.load({ limits: { callMs: -1 } })),
    await harness.refusal(() => harness.load({ limits: { calMs: 1 } })),
    await harness.refusal(() => harness.load({ wasmURL: '/nothing.wasm' })),
  ]);
  expect(refusals.map((r) => [r.code, r.path])).toEqual([
    ['invalid_request', '$.stor'],
    ['invalid_request', '$.store'],
    ['invalid_request', '$.limits.callMs'],
    ['invalid_request', '$.limits.calMs'],
    ['unavailable', undefined],
  ]);
});

test('half of a surrogate pair is refused and not repaired: two texts never share an id', async ({ host }) => {
  const refusals = await host.evaluate(async () => [
    await harness.refusal(() => ty.tools.install('{"name":"x","description":"\ud800","code":"() => 1"}')),
    await harness.refusal(() => ty.tools.install({ name: 'x', description: '\udc00', code: '() => 1' })),
    await harness.refusal(() => ty.tasks.compile('{"role":"user","content":{"message":"\ud800"}}')),
  ]);
  expect(refusals.map((r) => r.code)).toEqual(['invalid_json', 'invalid_json', 'invalid_json']);
});

test('what is stored is what was checked: toJSON, Proxies and extras of arrays change nothing', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const hidden = (value: object) => Object.defineProperty(value, 'toJSON', { value: () => 'forged', enumerable: false });
    const two = new Proxy({ a: 1 }, { get: () => 2 });
    const compile = async (value: unknown) => {
      const task = await ty.tasks.compile(harness.call('open', { value }));
      return (task.content.functionCall?.arguments as { value: unknown }).value;
    };
    await harness.install('() => 1', { name: 'open' });
    return {
      object: await compile(hidden({ a: 1 })),
      array: await harness.refusal(() => compile(Object.assign([1], { toJSON: () => 'forged' }))),
      subclass: await compile(new (class extends Array<number> { toJSON() { return 'forged' } })()),
      proxy: await compile(two),
    };
  });
  expect(seen).toMatchObject({ object: { a: 1 }, array: { code: 'invalid_draft' }, subclass: [], proxy: { a: 1 } });
});

test('a pattern that is beyond RE2 installs, and the revision says that it is not enforced', async ({ host }) => {
  const revision = await host.evaluate(() =>
    harness.install('() => 1', { parameters: { type: 'object', properties: { a: { type: 'string', pattern: '(?=b)b' } } } }),
  );
  expect(revision.unenforced).toEqual([expect.stringContaining('$.parameters.properties.a.pattern')]);
});

test('whatever a method is given, it settles with a result or a typed error, at once, and the next call works', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const deny = () => { throw new Error('trap'); };
    const traps = { get: deny, has: deny, ownKeys: deny, getPrototypeOf: deny, getOwnPropertyDescriptor: deny };
    const { proxy: revoked, revoke } = Proxy.revocable({}, {});
    revoke();
    const cyclic: { [key: string]: unknown } = {};
    cyclic['self'] = cyclic;
    const values: { [name: string]: unknown } = {
      nothing: undefined, null: null, bigint: 10n, bigints: { id: 10n, name: 10n, parent: 10n }, symbol: Symbol('s'), date: new Date(), function: () => 1, nan: NaN,
      endless: new Array(2 ** 32 - 1), like: { length: 3e9 }, hostile: new Proxy({}, traps), list: new Proxy([], traps), revoked, cyclic, surrogate: '\ud800', bytes: new Uint8Array(3),
    };
    const { natives, tools, settings, tasks, sandboxes } = ty;
    const revision = await harness.install('() => 1');
    const task = await harness.compile(revision);
    // What a method needs before the argument in question, where it is not the first.
    const before: { [name: string]: readonly unknown[] } = {
      'tools.install': ['{}'], 'tools.diff': [revision], 'tools.block': [revision], 'tools.signatures': ['mcp'], 'tools.draft': ['mcp'],
      'natives.register': ['{}'], 'settings.set': [revision], 'tasks.compile': ['{}'], 'tasks.run': [task], 'tasks.answer': [task], 'tasks.export': [task], 'sandboxes.terminate': [revision],
    };
    const wrong: string[] = [];
    let made = 0;
    let slowest = 0;
    const attempt = async (where: string, method: (...args: never[]) => unknown, args: readonly unknown[]) => {
      const began = performance.now();
      made++;
      try {
        await method(...(args as never[]));
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'TaskyonError' || (error as { code?: string }).code === 'internal') wrong.push(`${where}: ${String(error)}`);
      }
      slowest = Math.max(slowest, performance.now() - began);
    };
    for (const [noun, methods] of Object.entries({ tools, natives, settings, tasks, sandboxes })) {
      for (const [name, method] of Object.entries(methods) as [string, (...args: never[]) => unknown][]) {
        const where = `${noun}.${name}`;
        for (const [title, value] of Object.entries(values)) {
          await attempt(`${where}(${title})`, method, value === undefined ? [] : [value]);
          if (before[where]) await attempt(`${where}(…, ${title})`, method, [...before[where], value]);
        }
      }
    }
    for (const value of Object.values(values)) await attempt('import', ty.import as never, [value]);
    return { wrong, made, slowest, next: (await harness.run('() => 1')).result };
  });
  expect(seen.wrong).toEqual([]);
  expect(seen.made).toBeGreaterThan(600);
  expect(seen.slowest).toBeLessThan(2000);
  expect(seen.next).toBe(1);
});
