import { test as base, expect, type Page } from '@playwright/test';

/** The console as a person sees it, with sites that answer any question; a fault of the page itself fails the test. */
const test = base.extend<{ console: Page; seen: string[] }>({
  seen: async ({}, use) => use([]),
  console: async ({ page, seen }, use) => {
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      // Chromium does not know the webrtc directive of the frame's policy and says so once a frame.
      if (message.type() === 'error' && !message.text().includes("directive 'webrtc'")) faults.push(message.text());
    });
    await page.route(/^https:/, async (route) => {
      seen.push(`${route.request().method()} ${route.request().url()} ${(await route.request().headerValue('authorization')) ?? ''}`.trim());
      await route.fulfill({
        json: { said: 'hello', current: { temperature_2m: 4.5 }, current_units: { temperature_2m: '°C' } },
        headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'authorization' },
      });
    });
    await page.goto('/');
    await expect(page.getByRole('button', { name: /^uppercase/ })).toBeVisible({ timeout: 20_000 });
    await use(page);
    expect(faults).toEqual([]);
  },
});

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const question = (page: Page) => page.getByRole('alertdialog');
const outcome = (page: Page) => region(page, 'Outcome');
const permissions = (page: Page) => region(page, 'Permissions');

const reads = (origin: string) => ({ fetch: [{ origin, access: 'read' }] });

async function fillDefinition(page: Page, definition: object): Promise<void> {
  await press(page, 'Install a tool');
  await page.getByRole('group', { name: 'How to give the definition' }).getByRole('button', { name: 'JSON' }).click();
  await page.getByRole('textbox', { name: 'Definition' }).fill(
    JSON.stringify({ name: 'asker', description: '', parameters: { type: 'object' }, ...definition }),
  );
}

async function install(page: Page, definition: object): Promise<void> {
  await fillDefinition(page, definition);
  await press(page, 'Install');
  await expect(page.locator('.note')).toContainText('installed as');
}

/** Answers the question as a person does: not before it takes answers. */
async function answer(page: Page, name: string): Promise<void> {
  const button = question(page).getByRole('button', { name, exact: true });
  await expect(button).toHaveAttribute('aria-disabled', 'false');
  await button.click();
  await expect(question(page)).toHaveCount(0);
}

test('a newcomer runs the tool that fetches, sees what it asks for, and after "always" it asks no more', async ({ console: page, seen }) => {
  await page.getByRole('button', { name: /^weather/ }).click();
  await press(page, 'Run');
  await expect(question(page)).toContainText('May this tool read from a site?');
  await expect(question(page)).toContainText('weather');
  await expect(question(page)).toContainText('https://api.open-meteo.com');
  await expect(question(page)).toContainText('read: fetch data from this site');
  await expect(question(page)).toContainText('GET');
  await expect(question(page)).toContainText('this site by name, to read');
  await expect(question(page)).toContainText('can travel there in the address and the headers');
  await expect(question(page).getByRole('button')).toHaveText(['Deny', 'Allow once', 'For this session', 'Always']);
  await expect(question(page).getByRole('button', { name: 'Deny' })).toBeFocused();
  expect(seen, 'nothing leaves before the answer').toEqual([]);
  await answer(page, 'Always');
  await expect(region(page, 'Result')).toContainText('4.5 °C');
  expect(seen).toHaveLength(1);
  await press(page, 'Run');
  await expect.poll(() => seen.length).toBe(2);
  await expect(outcome(page)).toContainText('ok');
  await expect(question(page)).toHaveCount(0);
  await expect(permissions(page)).toContainText('read from https://api.open-meteo.com');
  await permissions(page).getByRole('button', { name: /^Revoke/ }).click();
  await expect(permissions(page)).not.toContainText('You have allowed');
  await press(page, 'Run');
  await answer(page, 'Deny');
});

test('once is for once, and a changed revision asks again until its permissions are carried over', async ({ console: page, seen }) => {
  const code = 'async () => (await (await fetch("https://api.example.com/")).json()).said';
  await install(page, { code, needs: reads('https://api.example.com') });
  await press(page, 'Run');
  await answer(page, 'Allow once');
  await expect(outcome(page)).toContainText('"hello"');
  await press(page, 'Run');
  await answer(page, 'For this session');
  await expect.poll(() => seen.length).toBe(2);
  await press(page, 'Run');
  await expect.poll(() => seen.length).toBe(3);

  const wider = { fetch: [...reads('https://api.example.com').fetch, { origin: 'https://more.example.com', access: 'write' }] };
  await install(page, { code: code + ' + "!"', needs: wider });
  await press(page, 'Run');
  await answer(page, 'Deny');
  expect(seen).toHaveLength(3);
  await permissions(page).getByRole('button', { name: /^Compare and carry over/ }).click();
  const plan = page.getByRole('group', { name: /to this version$/ });
  await expect(plan).toContainText('This version will have');
  await expect(plan).toContainText('https://api.example.com');
  await expect(plan).toContainText('it is not allowed by this');
  await expect(plan).toContainText('https://more.example.com');
  await plan.getByRole('button', { name: 'Carry over' }).click();
  await expect(permissions(page)).toContainText('You have allowed');
  await press(page, 'Run');
  await expect(outcome(page)).toContainText('"hello!"');
  await expect(question(page)).toHaveCount(0);
});

test('deny gives the tool an error with its reason, and the record, the audit and Escape say the same', async ({ console: page, seen }) => {
  await install(page, { code: 'async () => { await fetch("https://api.example.com/") }', needs: reads('https://api.example.com') });
  await press(page, 'Run');
  await answer(page, 'Deny');
  await expect(outcome(page)).toContainText('tool error');
  await expect(outcome(page)).toContainText('the user has not allowed this');
  const ask = outcome(page).getByRole('listitem');
  await expect(ask).toContainText('denied');
  await expect(ask).toContainText('fetch read');
  await expect(ask).toContainText('https://api.example.com');
  await expect(ask).toContainText('reason not_granted');
  await expect(ask).toContainText('nothing was sent');
  await press(page, 'Run');
  await expect(question(page).getByRole('button', { name: 'Deny' })).toHaveAttribute('aria-disabled', 'false');
  await page.keyboard.press('Escape');
  await expect(question(page)).toHaveCount(0);
  await expect(outcome(page)).toContainText('tool error');
  expect(seen).toEqual([]);
  await press(page, 'Audit');
  const audit = region(page, 'Audit');
  await expect(audit.getByRole('listitem')).toHaveCount(2);
  await expect(audit.getByRole('listitem').first()).toContainText('asker');
  await audit.getByRole('combobox', { name: 'Decision' }).selectOption('allowed');
  await expect(audit.getByRole('listitem')).toHaveCount(0);
});

test('what is not declared is denied without a question', async ({ console: page, seen }) => {
  await install(page, { code: 'async () => { await fetch("https://other.example.com/") }', needs: reads('https://api.example.com') });
  await press(page, 'Run');
  await expect(outcome(page)).toContainText('tool error');
  await expect(outcome(page).getByRole('listitem')).toContainText('denied');
  await expect(question(page)).toHaveCount(0);
  expect(seen).toEqual([]);
});

test('the page stays usable beside a question, and abort takes it away', async ({ console: page, seen }) => {
  await install(page, { code: 'async () => { await fetch("https://api.example.com/") }', needs: reads('https://api.example.com') });
  await press(page, 'Run');
  await expect(question(page)).toBeVisible();
  await press(page, 'Abort');
  await expect(question(page)).toHaveCount(0);
  await expect(outcome(page)).toContainText('aborted');
  await press(page, 'Run');
  await expect(question(page), 'the next run asks').toBeVisible();
  await page.setViewportSize({ width: 390, height: 700 });
  await page.getByRole('button', { name: 'Abort' }).click();
  await expect(question(page)).toHaveCount(0);
  expect(seen).toEqual([]);
});

test('a person answers with the keyboard alone, and the focus goes back to where it was', async ({ console: page, seen }) => {
  await install(page, {
    code: 'async () => { await fetch("https://api.example.com/"); console.log("answered"); await new Promise(() => {}) }',
    needs: reads('https://api.example.com'),
  });
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await run.press('Enter');
  const deny = question(page).getByRole('button', { name: 'Deny' });
  await expect(deny).toBeFocused();
  await expect(deny).toHaveAttribute('aria-disabled', 'false');
  await page.keyboard.press('Tab');
  await expect(question(page).getByRole('button', { name: 'Allow once' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question(page)).toHaveCount(0);
  await expect(run).toBeFocused();
  await expect(region(page, 'Log 1 line')).toContainText('answered');
  expect(seen).toHaveLength(1);
  await press(page, 'Abort');
});

test('a click that was on its way when the question came answers nothing, and nothing on the page covers it', async ({ console: page, seen }) => {
  await install(page, { code: 'async () => { await fetch("https://api.example.com/") }', needs: reads('https://api.example.com') });
  // Clicks each button in the task after the one that drew it.
  const hasty = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          const buttons = document.querySelectorAll<HTMLElement>('.consent button');
          for (const button of buttons) button.click();
          resolve(buttons.length);
        };
        const drawn = new MutationObserver(() => {
          if (document.querySelector('.consent button') === null) return;
          drawn.disconnect();
          port2.postMessage(null);
        });
        drawn.observe(document.body, { childList: true, subtree: true });
      }),
  );
  await press(page, 'Run');
  await expect(question(page)).toBeVisible();
  expect(await hasty).toBe(4);
  await expect(question(page).getByRole('button', { name: 'Deny' })).toHaveAttribute('aria-disabled', 'false');
  const covered = await page.evaluate(() => {
    const over = document.createElement('div');
    over.className = 'consent'; // fixed, where the question is
    over.textContent = 'Nothing to see here';
    document.body.append(over);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('body > .consent { z-index: 2147483647; inset: 0; width: 100vw; height: 100vh; max-height: none }');
    document.adoptedStyleSheets = [sheet];
    const box = document.getElementById('consent-deny')!.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    over.remove();
    return top?.id;
  });
  expect(covered).toBe('consent-deny');
  expect(seen).toEqual([]);
  await answer(page, 'Deny');
});

test('one question is shown at a time, and it says how many more wait', async ({ console: page, seen }) => {
  await install(page, {
    code: 'async () => { await Promise.allSettled(["a", "b", "c"].map((name) => fetch(`https://${name}.example.com/`))); return "done" }',
    needs: { fetch: [{ origin: '*', access: 'read' }] },
  });
  await press(page, 'Run');
  await expect(question(page)).toHaveCount(1);
  await expect(question(page)).toContainText('2 more wait');
  await expect(question(page)).toContainText('any site: its definition does not name this one');
  await expect(question(page)).toContainText('https://a.example.com');
  await question(page).getByRole('button', { name: 'Allow once' }).click();
  await expect(question(page)).toContainText('https://b.example.com');
  await expect(question(page)).toContainText('1 more waits');
  await expect(question(page).getByRole('button', { name: 'Deny' })).toHaveAttribute('aria-disabled', 'false');
  await question(page).getByRole('button', { name: 'Deny' }).click();
  await expect(question(page)).toContainText('https://c.example.com');
  await answer(page, 'Deny');
  await expect(outcome(page)).toContainText('"done"');
  expect(seen).toEqual(['GET https://a.example.com/']);
});

test('names, methods, keys and values of a tool are shown as text, whatever they hold', async ({ console: page }) => {
  await fillDefinition(page, { name: '<img src=x>', code: '() => 1' });
  await press(page, 'Install');
  await expect(page.locator('#install-problem'), 'such a name never gets as far as a question').toContainText('Not installed');
  const hostile = '<img src=x onerror=alert(1)>\u202egnp.elif';
  await install(page, {
    code: `async (args, { storage }) => {
      await storage.set(${JSON.stringify(hostile)}, ${JSON.stringify(hostile)});
      await fetch("https://b\u00fccher.example.com/", { method: "X-*!|'&\u0060" });
    }`,
    needs: { storage: true, fetch: [{ origin: 'https://b\u00fccher.example.com', access: 'write' }] },
  });
  await press(page, 'Run');
  await expect(question(page)).toContainText('https://xn--bcher-kva.example.com');
  await expect(question(page)).toContainText('reads as https://b\u00fccher.example.com');
  await expect(question(page)).toContainText('write: send data to this site');
  await expect(question(page).locator('bdi').filter({ hasText: 'X-' })).toHaveText("X-*!|'&`");
  const full = question(page).getByLabel(/^revision tool:b3:[0-9a-f]{64}$/);
  await expect(full).toHaveText(/^[0-9a-f]{10}\u2026$/, { useInnerText: true });
  await full.focus();
  await expect(full, 'the whole id where it has the focus').toHaveText(/^tool:b3:[0-9a-f]{64}$/, { useInnerText: true });
  await answer(page, 'Deny');
  const stored = permissions(page).getByRole('list', { name: /^Stored/ });
  await expect(stored).toContainText('<img src=x onerror=alert(1)>[U+202E]gnp.elif');
  await expect(page.locator('main img, .consent img')).toHaveCount(0);
  await permissions(page).getByRole('button', { name: 'Clear what it stored' }).click();
  await permissions(page).getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(stored).toHaveCount(0);
});

test('the forecast stands beside the install button before anything is installed', async ({ console: page }) => {
  const forecast = page.getByRole('group', { name: 'What it may do' });
  await press(page, 'Install a tool');
  await expect(forecast).toContainText('It declares nothing');
  await fillDefinition(page, {
    code: '() => 1',
    needs: { storage: true, secrets: ['key'], fetch: [{ origin: 'https://b\u00fccher.example.com', access: 'write' }, { origin: '*', access: 'read' }] },
  });
  await expect(forecast).toContainText('Write to https://xn--bcher-kva.example.com');
  await expect(forecast).toContainText('reads as https://b\u00fccher.example.com');
  await expect(forecast).toContainText('Read from any site');
  await expect(forecast).toContainText('May do without asking');
  await expect(forecast).toContainText('Store values of its own');
  await expect(forecast).toContainText('key');
  await expect(forecast).toContainText('Whatever it does not declare is denied without a question.');
  await page.getByRole('textbox', { name: 'Definition' }).fill('{');
  await expect(forecast).toContainText('as soon as the definition can be read');
});

test('a secret leaves its field at once, goes to its site, and neither tool nor page shows it', async ({ console: page, seen }) => {
  await install(page, {
    code: 'async (args, { secrets }) => { await fetch("https://api.example.com/", { headers: { Authorization: "Bearer " + secrets.key } }); return secrets.key }',
    needs: { secrets: ['key'], ...reads('https://api.example.com') },
  });
  await permissions(page).getByRole('button', { name: 'Set secret key' }).click();
  const value = permissions(page).getByLabel('Value of key');
  await expect(value).toBeFocused();
  await expect(value).toHaveAttribute('type', 'password');
  await expect(permissions(page).getByRole('textbox', { name: 'Sites that may have it' })).toHaveValue('https://api.example.com');
  await permissions(page).getByRole('textbox', { name: 'Sites that may have it' }).fill('no origin');
  await value.fill('hunter2-hunter2');
  await permissions(page).getByRole('button', { name: 'Keep' }).click();
  await expect(page.locator('#permissions-problem')).toContainText('Not done');
  await expect(value, 'a refusal empties it too').toHaveValue('');
  await permissions(page).getByRole('textbox', { name: 'Sites that may have it' }).fill('https://api.example.com');
  await value.fill('hunter2-hunter2');
  await permissions(page).getByRole('button', { name: 'Keep' }).click();
  await expect(permissions(page)).toContainText(/set .* for https:\/\/api\.example\.com/);
  await press(page, 'Run');
  await expect(question(page)).toContainText('authorization');
  await expect(question(page)).toContainText('by which it identifies itself');
  await answer(page, 'Allow once');
  await expect(outcome(page)).toContainText('ok');
  expect(seen).toEqual(['GET https://api.example.com/ Bearer hunter2-hunter2']);
  expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toContain('hunter2-hunter2');
  await permissions(page).getByRole('button', { name: 'Forget secret key' }).click();
  await expect(permissions(page)).toContainText('not set');
});
