import { test as base, expect, type Page } from '@playwright/test';

/** The console as a person sees it; a fault of the page itself fails the test. */
const test = base.extend<{ console: Page }>({
  console: async ({ page }, use) => {
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      // Chromium does not know the webrtc directive of the frame's policy and says so once a frame.
      if (message.type() === 'error' && !message.text().includes("directive 'webrtc'")) faults.push(message.text());
    });
    await page.goto('/');
    await expect(page.getByRole('button', { name: /^uppercase/ })).toBeVisible({ timeout: 20_000 });
    await use(page);
    expect(faults).toEqual([]);
  },
});

const outcome = (page: Page) => page.getByRole('region', { name: 'Outcome' });

test('a person runs the ready tools from a form and sees result, log and revision', async ({ console: page }) => {
  await page.getByRole('button', { name: /^uppercase/ }).click();
  await page.getByRole('textbox', { name: 'input' }).fill('hello');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(outcome(page)).toContainText('"HELLO"');
  await expect(outcome(page)).toContainText('ok');

  await page.getByRole('button', { name: /^add/ }).click();
  await page.getByRole('textbox', { name: 'a', exact: true }).fill('2');
  await page.getByRole('textbox', { name: 'b', exact: true }).fill('40.5');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(outcome(page)).toContainText('42.5');
  await expect(page.getByRole('region', { name: /^Log/ })).not.toBeEmpty();
  await expect(page.getByRole('button', { name: /^Copy revision tool:b3:[0-9a-f]{64}$/ }).first()).toBeVisible();
});

test('a person installs a tool of their own, a second version of it, and goes back to the first', async ({ console: page }) => {
  const install = async (code: string) => {
    await page.getByRole('button', { name: 'Install a tool' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('mine');
    await page.getByRole('textbox', { name: 'Description' }).fill('My tool');
    await page.getByRole('textbox', { name: 'Parameters' }).fill('{"type":"object"}');
    await page.getByRole('textbox', { name: 'Code' }).fill(code);
    await page.getByRole('button', { name: 'Install', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'mine', level: 2 })).toBeVisible();
  };
  const run = async (result: string) => {
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Result' })).toHaveText(result);
  };
  await install('() => "first"');
  await run('"first"');
  await install('() => "second"');
  await run('"second"');
  const versions = page.getByRole('region', { name: 'Versions' });
  await expect(versions.getByRole('listitem')).toHaveCount(2);
  await versions.getByRole('button', { name: /^Activate/ }).click();
  await expect(versions.getByRole('listitem').nth(1)).toContainText('active');
  await page.getByRole('button', { name: /^mine/ }).click();
  await run('"first"');
});

test('a person sees why a tool was refused and where, and why a call failed and where', async ({ console: page }) => {
  await page.getByRole('button', { name: 'Install a tool' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('broken');
  await page.getByRole('textbox', { name: 'Parameters' }).fill('{"type":"object"}');
  await page.getByRole('textbox', { name: 'Code' }).fill('() => {\n  const x = ;\n}');
  await page.getByRole('button', { name: 'Install', exact: true }).click();
  await expect(page.locator('#install-problem')).toContainText(/line 2/i);
  await page.getByRole('textbox', { name: 'Code' }).fill('() => {\n  throw new TypeError("<b>mine</b>")\n}');
  await page.getByRole('button', { name: 'Install', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'broken', level: 2 })).toBeVisible();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(outcome(page)).toContainText('<b>mine</b>');
  await expect(outcome(page)).toContainText(/line 2/i);
  await expect(outcome(page)).toContainText('TypeError');
});

test('a person aborts a tool that never ends, and the next run works', async ({ console: page }) => {
  await page.getByRole('button', { name: 'Install a tool' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('endless');
  await page.getByRole('textbox', { name: 'Parameters' }).fill('{"type":"object","properties":{"loop":{"type":"boolean"}}}');
  await page.getByRole('textbox', { name: 'Code' }).fill('({ loop }) => { while (loop); return "done" }');
  await page.getByRole('button', { name: 'Install', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'endless', level: 2 })).toBeVisible();
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  const json = page.getByRole('region', { name: 'Arguments' }).getByRole('textbox');
  await json.fill('{"loop":true}');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('button', { name: 'Abort' }).click();
  await expect(outcome(page)).toContainText('aborted');
  await json.fill('{"loop":false}');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Result' })).toHaveText('"done"');
});

test('a console whose program is lost says so once, and works again after a reload', async ({ page }) => {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto('/');
  await page.getByRole('button', { name: /^uppercase/ }).click();
  // Go is not guarded while it reads a property.
  await page.evaluate(() => Object.defineProperty(Navigator.prototype, 'clipboard', { configurable: true, get: () => { throw new RangeError('unwound') } }));
  await page.getByRole('button', { name: /^Copy revision/ }).first().click();
  await expect(page.getByRole('alert').filter({ hasText: 'The console stopped. Reload the page.' })).toBeVisible();
  for (const name of [/^add/, /^uppercase/]) await page.getByRole('button', { name }).click();
  expect(faults).toEqual(['unwound']);
  await page.reload();
  await page.getByRole('button', { name: /^uppercase/ }).click();
  await page.getByRole('textbox', { name: 'input' }).fill('again');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(outcome(page)).toContainText('"AGAIN"');
});
