import { test as base, expect } from './fixtures.js';
import { PolicySite } from './policysite.js';

// What a frame could say on its port if somebody else held it. A test build takes such a frame in the place of ours.

const test = base.extend<{ readonly site: PolicySite }>({
  site: async ({}, use) => {
    const site = await PolicySite.listen();
    await use(site);
    await site.close();
  },
});

/** Each posts something on `port`. */
const said: readonly [string, string][] = [
  ['a BigInt', 'port.postMessage(10n)'],
  ['nothing', 'port.postMessage(undefined)'],
  ['null', 'port.postMessage(null)'],
  ['a date', 'port.postMessage(new Date())'],
  ['a message with a BigInt as its text', 'port.postMessage({ text: 10n, blobs: [] })'],
  ['a word of its own in a BigInt', 'port.postMessage({ frame: 10n })'],
  ['a text without blobs', 'port.postMessage({ text: "{}" })'],
  ['blobs that are none', 'port.postMessage({ text: "{}", blobs: null })'],
  ['more blobs than there can be', 'port.postMessage({ text: "{}", blobs: { length: 3e9 } })'],
  ['a list of more blobs than there can be', 'port.postMessage({ text: "{}", blobs: Object.assign([], { length: 2 ** 32 - 1 }) })'],
  ['a number in the place of bytes', 'port.postMessage({ text: "{}", blobs: [3e9] })'],
  ['a claim of bytes', 'port.postMessage({ text: "{}", blobs: [{ length: 3e9 }] })'],
  ['shares of bytes', 'port.postMessage({ text: "{}", blobs: [new Uint8Array(8)] })'],
];

for (const [title, words] of said) {
  test(`a frame that says ${title} is lost at once, and the page stays whole`, async ({ page, site }) => {
    const trouble: string[] = [];
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('console', (message) => void (message.text().includes('BUG') && trouble.push(message.text())));
    await page.goto(site.page({}));
    await page.waitForFunction(() => 'harness' in globalThis);
    const seen = await page.evaluate(async (words) => {
      const frame = `addEventListener('message', ({ ports: [port] }) => { ${words} })`;
      Object.assign(globalThis, { taskyonFrame: frame });
      await harness.load({ wasmURL: '/taskyon-controls.wasm', store: 'memory' });
      const began = performance.now();
      const { value, longest } = await harness.longestGap(() => harness.refusal(() => harness.install('() => 1')), 1000);
      const took = performance.now() - began;
      const list = await ty.tools.list();
      Object.assign(globalThis, { taskyonFrame: undefined });
      await harness.load({ wasmURL: '/taskyon-controls.wasm', store: 'memory' });
      return { refusal: value, longest, took, list, next: (await harness.run('() => 1')).result };
    }, words);
    expect(seen.refusal).toMatchObject({ code: 'unavailable', message: expect.stringContaining('was lost: a message has no envelope') });
    expect(seen.took).toBeLessThan(3000);
    expect(seen.longest).toBeLessThan(1000);
    expect(seen).toMatchObject({ list: [], next: 1 });
    expect(trouble).toEqual([]);
  });
}

test('a frame that says it is ready twice, or gives a result before it is asked, is lost', async ({ page, site }) => {
  for (const words of [
    'port.onmessage = ({ data }) => { if (typeof data === "number") return port.postMessage(data); for (let i = 0; i < 2; i++) port.postMessage(\'{"kind":"ready","version":1}\') }',
    'port.onmessage = ({ data }) => { if (typeof data === "number") return port.postMessage(data); port.postMessage(\'{"kind":"result","call":1,"value":"early"}\') }',
  ]) {
    await page.goto(site.page({}));
    await page.waitForFunction(() => 'harness' in globalThis);
    const seen = await page.evaluate(async (words) => {
      Object.assign(globalThis, { taskyonFrame: `addEventListener('message', ({ ports: [port] }) => { ${words} })` });
      await harness.load({ wasmURL: '/taskyon-controls.wasm', store: 'memory' });
      return harness.refusal(() => harness.install('() => 1'));
    }, words);
    expect(seen, words).toMatchObject({ code: 'unavailable', message: expect.stringContaining('broke the protocol') });
  }
});
