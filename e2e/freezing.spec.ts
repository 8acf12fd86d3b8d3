import { test, expect } from './fixtures.js';

/** Begins a call that does not end by itself, beside an idle sandbox and a warm one. */
const begin = async () => {
  const revision = await harness.install('let count = 0; export default ({ wait }) => wait ? new Promise(() => {}) : ++count', { name: 'stopped' });
  const idle = await harness.install('let count = 0; export default () => ++count', { name: 'idle' });
  await harness.runRevision(idle);
  await harness.runRevision(revision);
  while ((await ty.sandboxes.warm()) === 0) await new Promise((done) => setTimeout(done, 5));
  Object.assign(globalThis, { running: harness.runRevision(revision, { wait: true }) });
  while (!(await ty.sandboxes.list()).some((s) => s.phase === 'running')) await new Promise((done) => setTimeout(done, 5));
};

/** What the page finds when it goes on. */
const goOn = async () => {
  const record = await (globalThis as unknown as { running: ReturnType<typeof harness.runRevision> }).running;
  const again = async (name: string) => (await ty.tasks.run(await ty.tasks.compile(harness.call(name, {})))).result;
  return { record, results: [await again('stopped'), await again('idle')] };
};

const crashed = { record: { outcome: 'crashed', started: true }, results: [1, 1] };

test('a page that the browser freezes ends its calls as crashed, and goes on with new sandboxes', async ({ host }) => {
  await host.evaluate(begin);
  // No browser without a window freezes a page; what it would say first is said here.
  await host.evaluate(() => document.dispatchEvent(new Event('freeze')));
  expect(await host.evaluate(goOn)).toMatchObject(crashed);
});

test('a page that comes back from the back/forward cache has ended its calls as crashed, and goes on with new sandboxes', async ({ playwright, launchOptions, baseURL }) => {
  const browser = await playwright.chromium.launch({ ...launchOptions, ignoreDefaultArgs: ['--disable-back-forward-cache'] });
  try {
    const page = await browser.newPage({ ...(baseURL === undefined ? {} : { baseURL }) });
    await page.goto('/blank.html');
    await page.waitForFunction(() => 'harness' in globalThis);
    await page.evaluate(() => harness.load());
    await page.evaluate(begin);
    await page.evaluate(() => {
      addEventListener('pageshow', (event) => Object.assign(globalThis, { cameBack: event.persisted }));
      location.href = '/nothing';
    });
    await page.waitForURL('**/nothing');
    await page.goBack({ waitUntil: 'commit' });
    await page.waitForFunction(() => 'cameBack' in globalThis);
    expect(await page.evaluate(() => (globalThis as unknown as { cameBack: boolean }).cameBack), 'the very same page').toBe(true);
    expect(await page.evaluate(goOn)).toMatchObject(crashed);
  } finally {
    await browser.close();
  }
});

test('a page that is left for good, and one that only loses sight, end nothing early', async ({ host }) => {
  await host.evaluate(begin);
  const phases = await host.evaluate(async () => {
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: false }));
    document.dispatchEvent(new Event('visibilitychange'));
    return (await ty.sandboxes.list()).map((s) => s.phase);
  });
  expect(phases).toEqual(['idle', 'running']);
});

test('what listens for the end of the page is gone with its sandbox', async ({ page }) => {
  await page.addInitScript(() => {
    let listening = 0;
    const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
    EventTarget.prototype.addEventListener = function (type: string, ...rest: [never]) {
      if (type === 'freeze' || type === 'pagehide') listening++;
      return add.call(this, type, ...rest);
    };
    EventTarget.prototype.removeEventListener = function (type: string, ...rest: [never]) {
      if (type === 'freeze' || type === 'pagehide') listening--;
      return remove.call(this, type, ...rest);
    };
    Object.assign(globalThis, { listening: () => listening });
  });
  await page.goto('/blank.html');
  await page.waitForFunction(() => 'harness' in globalThis);
  const seen = await page.evaluate(async () => {
    const { listening } = globalThis as unknown as { listening: () => number };
    const before = listening();
    await harness.load();
    await harness.run('() => 1');
    const during = listening() - before;
    await ty.close();
    return { during, after: listening() - before };
  });
  expect(seen.during).toBeGreaterThanOrEqual(4);
  expect(seen.after).toBe(0);
});
