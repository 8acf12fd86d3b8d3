import { kept, keptOn, removed } from '../sandboxhost/bootstrap/src/runtime/scope.js';
import { test, expect } from './fixtures.js';

test('a tool finds in its worker the names of the list and no others', async ({ run }) => {
  const { result } = await run(`() => {
    const names = (at) => { const all = new Set(); for (; at && at !== Object.prototype && at !== Function.prototype; at = Object.getPrototypeOf(at)) for (const key of Reflect.ownKeys(at)) if (typeof key === 'string') all.add(key); return [...all] };
    return { global: names(self), navigator: names(navigator), performance: names(performance), URL: names(URL) }
  }`);
  const found = result as { [holder: string]: string[] };
  const listed = kept.flatMap((row) => row.names);
  expect(found['global']!.filter((name) => !listed.includes(name))).toEqual([]);
  for (const holder of ['navigator', 'performance', 'URL'] as const) expect(found[holder]!.filter((name) => !keptOn[holder].includes(name)), holder).toEqual([]);
  for (const name of ['Map', 'fetch', 'WebAssembly', 'OffscreenCanvas', 'structuredClone', 'CompressionStream']) expect(found['global']).toContain(name);
});

test('each name that the list gives a reason to remove is gone', async ({ run }) => {
  for (const { names, why } of removed) {
    const there = await run('({ names }) => names.filter((name) => { const [a, b] = name.split("."); return b ? a in self && b in self[a] : a in self })', { names });
    expect.soft(there, why).toMatchObject({ outcome: 'ok', result: [] });
  }
});

test('a canvas draws, and gives no way to the graphics card', async ({ run }) => {
  const record = await run(`() => {
    const canvas = new OffscreenCanvas(2, 2), context = canvas.getContext('2d');
    context.fillStyle = '#102030'; context.fillRect(0, 0, 2, 2);
    return [[...context.getImageData(0, 0, 1, 1).data], ['webgl', 'webgl2', 'webgpu'].map((kind) => new OffscreenCanvas(1, 1).getContext(kind))]
  }`);
  expect(record.result).toEqual([[16, 32, 48, 255], [null, null, null]]);
});

test('a tool that replaces all of one object after the other, of the language and of the browser, does not break its next call', async ({ host }) => {
  test.setTimeout(240_000);
  const seen = await host.evaluate(async () => {
    const revision = await harness.install(`
      const own = Reflect.ownKeys, describe = Reflect.getOwnPropertyDescriptor, define = Reflect.defineProperty, proto = Reflect.getPrototypeOf, text = String;
      const lies = { throw: function () { throw 'patched' }, lie: function () { return 7 } };
      const skip = new Set([console, self]), seen = new Set(), found = [];
      const queue = [self, proto([][Symbol.iterator]()), proto(new Map().entries()), proto(new Set().values()), proto(function* () {}), proto(async function* () {}), proto(async () => {}), proto(Uint8Array)];
      let at = self; while ((at = proto(at))) queue.push(at);
      while (queue.length) {
        const holder = queue.pop();
        if (holder === null || (typeof holder !== 'object' && typeof holder !== 'function') || seen.has(holder)) continue;
        seen.add(holder);
        queue.push(proto(holder));
        const properties = own(holder).map((key) => [key, describe(holder, key)]).filter(([, property]) => property);
        if (!skip.has(holder)) found.push({ name: typeof holder === 'function' ? holder.name : Object.prototype.toString.call(holder), holder, properties: properties.filter(([, property]) => property.configurable) });
        for (const [, property] of properties) queue.push(property.value, property.get, property.set);
      }
      let changed = -1;
      const restore = () => { if (changed < 0) return; const { holder, properties } = found[changed]; changed = -1; for (let i = 0; i < properties.length; i++) define(holder, properties[i][0], properties[i][1]) };
      export default (args, context) => {
        if (args.count) return found.map(({ name }) => name);
        if (args.patch !== undefined) {
          changed = args.patch;
          const { holder, properties } = found[changed], lie = lies[args.how];
          for (let i = 0; i < properties.length; i++) {
            const property = properties[i][1];
            define(holder, properties[i][0], 'value' in property ? { __proto__: null, value: lie, writable: true, enumerable: property.enumerable, configurable: true } : { __proto__: null, get: lie, set: lie, enumerable: property.enumerable, configurable: true });
          }
          return 'patched';
        }
        console.log('line', args.n);
        context.progress(0.5);
        const result = { __proto__: null, n: args.n, list: [1n], bytes: args.bytes };
        if (args.restore) restore();
        return result;
      }`, { parameters: { type: 'object', properties: { bytes: { type: 'string', contentEncoding: 'base64' } } } });
    const run = (args: unknown) => harness.runRevision(revision, args);
    const { result } = await run({ count: true });
    const names = result as string[];
    const wrong: unknown[] = [];
    for (const how of ['throw', 'lie'])
      for (let i = 0; i < names.length; i++) {
        const patched = await run({ patch: i, how });
        const told = await run({ n: i, bytes: 'AAEC', restore: true });
        const answered = told.result as { n: number; list: bigint[]; bytes: Uint8Array } | undefined;
        const good = answered?.n === i && answered.list[0] === 1n && answered.bytes[2] === 2 && told.logs.length === 1 && told.logs[0]?.text === `line ${i}`;
        if (!good) wrong.push([names[i], how, patched.outcome, told.outcome, told.error, told.logs]);
        if (told.outcome !== 'ok') { await ty.sandboxes.terminate(revision); await run({ count: true }) }
      }
    return { count: names.length, wrong };
  });
  expect(seen.count).toBeGreaterThan(150);
  expect(seen.wrong).toEqual([]);
});
