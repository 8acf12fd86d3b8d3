import { randomBytes } from 'node:crypto';
import { expect, type BrowserContext, type Page } from '@playwright/test';
import { open, test } from './profile.js';

/** A new page with an engine, of a browser that the test opened. */
async function tab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto('/blank.html');
  return open(page);
}

const MOST = 1 << 20;

/** A definition of exactly that many bytes of JSON text, whose tool returns how much of it is data. No browser can compress it away. */
function definition(name: string, bytes: number): { text: string; result: number } {
  const text = (data: string) => JSON.stringify({ name, description: '', code: `() => "${data}".length` });
  const result = bytes - text('').length;
  return { text: text(randomBytes(bytes).toString('base64').slice(0, result)), result };
}

const install = (page: Page, text: string) => page.evaluate(async (text) => (await ty.tools.install(text, { activate: true })).id, text);

const refusal = (page: Page, text: string) => page.evaluate((text) => harness.refusal(() => ty.tools.install(text, { activate: true })), text);

const names = (page: Page) => page.evaluate(async () => (await ty.tools.list()).map((tool) => tool.name));

/** What the tool that a name means returns. */
const result = (page: Page, name: string) =>
  page.evaluate(async (name) => (await ty.tasks.run(await ty.tasks.compile(harness.call(name, {})))).result, name);

test('the largest definition is stored whole, also when two tabs install it at once', async ({ profile }) => {
  const [one, other] = [await profile.page(), await profile.page()];
  const large = definition('large', MOST);
  const ids = await Promise.all([install(one, large.text), install(other, large.text), install(one, large.text)]);
  expect(new Set(ids).size, 'the same content is one revision').toBe(1);
  expect(await refusal(one, definition('larger', MOST + 1).text)).toMatchObject({ code: 'too_large' });
  const fresh = await profile.page();
  expect(await names(fresh)).toEqual(['large']);
  expect(await result(fresh, 'large')).toBe(large.result);
});

test('a definition for which there is no room is refused whole, and fits when there is room again', async ({ profile, baseURL }) => {
  const bare = await profile.bare();
  const session = await bare.context().newCDPSession(bare);
  await session.send('Storage.overrideQuotaForOrigin', { origin: baseURL!, quotaSize: 200_000 });
  const page = await profile.page();
  await install(page, definition('small', 100).text);
  const large = definition('large', MOST);
  expect(await refusal(page, large.text)).toMatchObject({ code: 'too_large', message: expect.stringContaining('free disk space') });
  expect(await names(page)).toEqual(['small']);
  expect(await names(await profile.page()), 'nor does another tab see it').toEqual(['small']);
  await session.send('Storage.overrideQuotaForOrigin', { origin: baseURL! });
  await install(page, large.text);
  expect(await result(await profile.page(), 'large')).toBe(large.result);
});

test('a private window keeps its data until it is closed', async ({ browser, baseURL }) => {
  const window = await browser.newContext({ baseURL });
  const page = await tab(window);
  expect(await page.evaluate(() => ty.store)).toBe('indexeddb');
  await install(page, definition('private', 100).text);
  await page.close();
  expect(await names(await tab(window))).toEqual(['private']);
  await window.close();
  const next = await browser.newContext({ baseURL });
  expect(await names(await tab(next))).toEqual([]);
  await next.close();
});

/** The engine refuses by then, and says what to do; loaded again, the page starts anew. */
async function startsAnew(page: Page): Promise<void> {
  const told = () => page.evaluate(() => ty.tools.list().then(() => 'listed', (error: Error & { code: string }) => `${error.code} ${error.message}`));
  await expect.poll(told).toMatch(/^unavailable .*(deletes the data|site data is cleared); reload this page$/);
  expect(await refusal(page, definition('late', 100).text), 'nothing is taken that would not be kept').toMatchObject({ code: 'unavailable' });
  await page.reload();
  await open(page);
  expect(await names(page)).toEqual([]);
  await install(page, definition('again', 100).text);
  expect(await names(await tab(page.context()))).toEqual(['again']);
}

test('site data cleared while a page runs is told as such, and the page works again after a reload', async ({ profile, baseURL }) => {
  const page = await profile.page();
  await install(page, definition('gone', 100).text);
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: baseURL!, storageTypes: 'indexeddb' });
  await startsAnew(page);
});

test('a database deleted by another tab is told as such, and the page works again after a reload', async ({ profile }) => {
  const page = await profile.page();
  await install(page, definition('gone', 100).text);
  const other = await profile.bare();
  await other.goto('/blank.html');
  await other.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase('taskyon');
        request.onsuccess = () => resolve();
        request.onblocked = () => reject(new Error('blocked'));
      }),
  );
  await startsAnew(page);
});
