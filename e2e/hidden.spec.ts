import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { test as base, expect } from './fixtures.js';

/**
 * A tab of a browser that treats hidden pages as people's browsers do. In the other specs' browser every page is in front, whatever
 * stands before it.
 */
class Tab {
  private constructor(
    private readonly browser: Browser,
    readonly page: Page,
  ) {}

  static async open(browser: Browser, url: string): Promise<Tab> {
    const tab = new Tab(browser, await browser.newPage());
    await tab.page.goto(url);
    await tab.becomes('visible');
    await tab.page.waitForFunction(() => 'harness' in globalThis, { polling: 50 });
    return tab;
  }

  /** Another page is brought to the front of the window. */
  async hide(): Promise<void> {
    await (await this.browser.newPage()).bringToFront();
    await this.becomes('hidden');
  }

  async show(): Promise<void> {
    await this.page.bringToFront();
    await this.becomes('visible');
  }

  private async becomes(state: DocumentVisibilityState): Promise<void> {
    await expect.poll(() => this.page.evaluate(() => document.visibilityState)).toBe(state);
  }
}

const test = base.extend<{ readonly flags: readonly string[]; readonly chrome: Browser; readonly tab: Tab }>({
  flags: [[], { option: true }],
  chrome: async ({ launchOptions: { executablePath = '/usr/bin/chromium', args = [] }, flags }, use) => {
    // None of the arguments that tests mostly have: they turn off what is tested here.
    const browser = await puppeteer.launch({ executablePath, ignoreDefaultArgs: true, args: ['--headless=new', ...args, ...flags] });
    await use(browser);
    await browser.close();
  },
  tab: async ({ chrome, baseURL }, use) => use(await Tab.open(chrome, `${baseURL}/blank.html`)),
});

const limit = 1000;
/** How long after its deadline a call may settle. A page's own timer comes up to a second late when it is hidden, and up to a minute later on. */
const late = 1500;

interface Ended {
  readonly outcome: string;
  readonly result: unknown;
  readonly ms: number;
  readonly seen: readonly string[]; // what the page was, before the call and after it
}

/** Loads an engine, and tools that end and do not. */
const load = (page: Page): Promise<void> =>
  page.evaluate(async (callMs) => {
    await harness.load({ store: 'memory', limits: { callMs } });
    const code = {
      honest: '({ input }) => input.toUpperCase()',
      waits: "() => new Promise((done) => setTimeout(done, 300, 'waited'))",
      loop: '() => { for (;;); }',
      microtasks: 'async () => { for (;;) await null }',
      asks: "async (_, { resolveInvocation }) => { const told = resolveInvocation('x').catch(() => {}); for (;;); await told }",
    };
    for (const [name, text] of Object.entries(code)) await harness.install(text, { name });
  }, limit);

const run = (page: Page, name: string): Promise<Ended> =>
  page.evaluate(async (name) => {
    const task = await ty.tasks.compile(harness.call(name, { input: 'hello' }));
    const [before, began] = [document.visibilityState, performance.now()];
    const { outcome, result } = await ty.tasks.run(task);
    return { outcome, result: result ?? null, ms: performance.now() - began, seen: [before, document.visibilityState] };
  }, name);

/** Starts a chain of timers of 10 ms, one set by the other. A page that is in front runs about a hundred of them in a second. */
const tick = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const counted = { ticks: 0 };
    const next = () => {
      counted.ticks++;
      setTimeout(next, 10);
    };
    next();
    Object.assign(globalThis, { counted });
  });

/** How many of them run within some time, by the clock of a worker. */
const ticksIn = (page: Page, ms: number): Promise<number> =>
  page.evaluate(async (ms) => {
    const { counted } = globalThis as unknown as { counted: { readonly ticks: number } };
    const before = counted.ticks;
    const worker = new Worker(URL.createObjectURL(new Blob([`setTimeout(postMessage, ${ms}, 'now')`], { type: 'text/javascript' })));
    await new Promise((done) => (worker.onmessage = done));
    worker.terminate();
    return counted.ticks - before;
  }, ms);

/** What must hold in a hidden page, whatever its own timers do. */
async function keepsItsPromises(page: Page): Promise<void> {
  const hidden = ['hidden', 'hidden'];
  for (const name of ['loop', 'microtasks', 'asks']) {
    const ended = await run(page, name);
    expect(ended, name).toMatchObject({ outcome: 'timeout', seen: hidden });
    expect(ended.ms, `${name} settles at its deadline`).toBeGreaterThanOrEqual(limit - 20);
    expect(ended.ms, `${name} settles at its deadline`).toBeLessThan(limit + late);
    const honest = await run(page, 'honest');
    expect(honest, `after ${name}`).toMatchObject({ outcome: 'ok', result: 'HELLO', seen: hidden });
    expect(honest.ms, `after ${name}`).toBeLessThan(late);
  }
  expect(await run(page, 'waits')).toMatchObject({ outcome: 'ok', result: 'waited', seen: hidden });
}

test('in a hidden page calls settle at their deadlines and honest calls return, and go on when it is seen again', async ({ tab }) => {
  const { page } = tab;
  await load(page);
  await tick(page);
  expect(await ticksIn(page, 1000)).toBeGreaterThan(20);
  expect(await run(page, 'honest')).toMatchObject({ outcome: 'ok', seen: ['visible', 'visible'] });
  await tab.hide();
  expect(await ticksIn(page, 3000), 'timers of a hidden page are slowed down').toBeLessThan(8);
  await keepsItsPromises(page);
  await tab.show();
  expect(await run(page, 'honest')).toMatchObject({ outcome: 'ok', result: 'HELLO', seen: ['visible', 'visible'] });
  expect(await run(page, 'loop')).toMatchObject({ outcome: 'timeout' });
});

test('a call that begins in a page that is seen ends at its deadline though the page is hidden meanwhile', async ({ tab }) => {
  const { page } = tab;
  await load(page);
  await run(page, 'loop'); // the sandbox is known to start
  const running = run(page, 'loop');
  await tab.hide();
  const ended = await running;
  expect(ended).toMatchObject({ outcome: 'timeout', seen: ['visible', 'hidden'] });
  expect(ended.ms).toBeLessThan(limit + late);
});

test('an engine that is loaded in a hidden page works', async ({ tab }) => {
  await tab.hide();
  await load(tab.page);
  await keepsItsPromises(tab.page);
});

test.describe('under intensive throttling', () => {
  test.use({ flags: ['--enable-features=IntensiveWakeUpThrottling:grace_period_seconds/1'] });

  test('a page that was hidden for long, whose timers run once a minute, settles calls at their deadlines', async ({ tab }) => {
    const { page } = tab;
    await load(page);
    await tick(page);
    await tab.hide();
    // Until the grace is over they run once a second.
    await expect.poll(() => ticksIn(page, 4000), { timeout: 40_000 }).toBeLessThan(2);
    await keepsItsPromises(page);
    expect(await ticksIn(page, 4000), 'still').toBeLessThan(2);
    await tab.show();
    expect(await run(page, 'honest')).toMatchObject({ outcome: 'ok', result: 'HELLO', seen: ['visible', 'visible'] });
  });
});
