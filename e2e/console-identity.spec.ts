import { test as base, expect, type Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';

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

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 2 });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function installJSON(page: Page, definition: object): Promise<void> {
  await press(page, 'Install a tool');
  await page.getByRole('group', { name: 'How to give the definition' }).getByRole('button', { name: 'JSON' }).click();
  await page.getByRole('textbox', { name: 'Definition' }).fill(JSON.stringify(definition));
  await press(page, 'Install');
  await expect(page.locator('.note')).toContainText('installed as');
}

async function newVersion(page: Page, description: string, code: string): Promise<void> {
  await press(page, 'Edit as new version');
  await page.getByRole('textbox', { name: 'Description' }).fill(description);
  await page.getByRole('textbox', { name: 'Code' }).fill(code);
  await press(page, 'Install');
  await expect(page.locator('.note')).toContainText('installed as');
}

const greeting = {
  name: 'greeting',
  description: 'Greets with a word that is set.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
  settings: { type: 'object', properties: { word: { type: 'string' }, loud: { type: 'boolean' } }, required: ['word'], additionalProperties: false },
  code: '(args, { settings }) => settings.word',
};

test('a person gives a tool its settings, runs it with them, and gives a new version its own', async ({ console: page }) => {
  await expect(region(page, 'Settings')).toHaveCount(0);
  await installJSON(page, greeting);
  await press(page, 'Run');
  const settings = region(page, 'Settings');
  const word = settings.getByRole('textbox', { name: 'word' });
  await expect(region(page, 'Outcome')).toContainText('invalid settings');
  await expect(word).toBeFocused();
  await expect(word).toHaveAttribute('aria-invalid', 'true');
  await word.fill('hello');
  await settings.getByRole('button', { name: 'Save' }).click();
  await expect(region(page, 'Saved for this version')).toContainText('"word": "hello"');
  await press(page, 'Run');
  await expect(region(page, 'Result')).toHaveText('"hello"');

  await page.reload();
  await expect(region(page, 'Saved for this version')).toContainText('"word": "hello"');
  await press(page, 'Edit as new version');
  const definition = page.getByRole('textbox', { name: 'Definition' });
  await definition.fill((await definition.inputValue()).replace('Greets', 'Greets loudly'));
  await press(page, 'Install');
  await expect(settings).toContainText('Nothing yet.');
  await press(page, 'Go to Settings');
  await expect(settings.getByRole('heading', { name: 'Settings' })).toBeFocused();
});

test('a person who edited one tool cannot replace it with the form for another', async ({ console: page }) => {
  await press(page, 'Edit as new version');
  await expect(heading(page, 'New version of uppercase')).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'Name' })).not.toBeEditable();
  await press(page, 'Install a tool');
  await expect(heading(page, 'Install a tool')).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('word_count');
  await press(page, 'Install');
  await expect(heading(page, 'word_count')).toBeVisible();
  await press(page, 'Install a tool');
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('');
  await page.getByRole('textbox', { name: 'Name' }).fill('add');
  await expect(page.getByText('a tool of this name is here')).toBeVisible();
  await press(page, 'Cancel');
  await expect(heading(page, 'word_count')).toBeFocused();
});

test('a person reads how a version differs from the active one before going back to it', async ({ console: page }) => {
  await newVersion(page, 'Louder.', '({input}) => input.toUpperCase() + "!"');
  const versions = region(page, 'Versions');
  await expect(versions.getByRole('listitem').nth(0)).toContainText(/active since \d{4}-\d\d-\d\d/);
  await versions.getByRole('button', { name: /^Compare with active/ }).click();
  const comparison = page.getByRole('region', { name: /^From the active/ });
  await expect(comparison.getByRole('heading', { name: /^From the active/ })).toBeFocused();
  await expect(comparison.locator('.change').filter({ hasText: '$.description' }).getByRole('region', { name: 'Before' })).toHaveText('Louder.');
  const code = comparison.locator('.change').filter({ hasText: '$.implementation.code' });
  await expect(code.getByRole('region', { name: 'Before' })).toHaveText('({input}) => input.toUpperCase() + "!"');
  await expect(code.getByRole('region', { name: 'After' })).toHaveText('({input}) => input.toUpperCase()');
  await comparison.getByRole('button', { name: 'Close' }).click();
  await expect(comparison).toHaveCount(0);
});

test('a person blocks a version with a reason, which a run is told, and takes that back', async ({ console: page }) => {
  const versions = region(page, 'Versions');
  await versions.getByRole('button', { name: /^Block/ }).click();
  await expect(versions.getByRole('textbox', { name: 'Reason for the block' })).toBeFocused();
  await page.keyboard.type('it leaks');
  await page.keyboard.press('Enter');
  await expect(versions.getByRole('listitem')).toContainText('Blocked: it leaks');
  await press(page, 'Run');
  await expect(region(page, 'Outcome')).toContainText('is blocked here: it leaks');
  await versions.getByRole('button', { name: /^Unblock/ }).click();
  await expect(versions.getByRole('listitem')).not.toContainText('leaks');
  await press(page, 'Run');
  await expect(region(page, 'Result')).toHaveText('"HELLO SANDBOX"');
});

test('a person removes a name, activates a version again, and erases what no task needs', async ({ console: page }) => {
  await press(page, 'Run');
  await expect(region(page, 'Result')).toBeVisible();
  await newVersion(page, 'Second.', '() => 2');
  const versions = region(page, 'Versions');
  const items = versions.getByRole('listitem');
  await versions.getByRole('button', { name: 'Remove uppercase' }).click();
  await expect(page.locator('.note')).toContainText('removed');
  await expect(page.getByRole('button', { name: /^uppercase/ })).toContainText('not active');
  await items.nth(1).getByRole('button', { name: /^Activate/ }).click();
  await expect(items.nth(1)).toContainText('active since');

  await items.nth(0).getByRole('button', { name: /^Activate/ }).click();
  await items.nth(1).getByRole('button', { name: /^Erase tool/ }).click();
  await versions.getByRole('button', { name: 'Erase this version' }).click();
  await expect(versions).toContainText('a task is pinned to it');
  await expect(items).toHaveCount(2);
  await newVersion(page, 'Third.', '() => 3');
  await items.nth(1).getByRole('button', { name: /^Erase tool/ }).click();
  await versions.getByRole('button', { name: 'Erase this version' }).click();
  await expect(items).toHaveCount(2);
  await expect(items.nth(1)).toContainText('Turns a text into capitals.');
});

test('a person takes a tool along as a file, and sees what an import took and refused', async ({ console: page }) => {
  await page.evaluate(() => {
    const revoke = URL.revokeObjectURL.bind(URL);
    URL.revokeObjectURL = (url) => { revoke(url); document.body.dataset['revoked'] = url; };
  });
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Export')]);
  expect(download.suggestedFilename()).toBe('uppercase.taskyon.jsonl');
  await expect(page.locator('body')).toHaveAttribute('data-revoked', /^blob:/);
  const text = await readFile(await download.path(), 'utf8');

  const mine = text.replaceAll('uppercase', 'lowercase'); // its hash does not fit any more
  await page.getByLabel('Import a file').setInputFiles({ name: 'mine.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(text + mine.split('\n')[1] + '\n') });
  await expect(heading(page, 'Import')).toBeFocused();
  await expect(page.getByRole('row', { name: /^revisions/ })).toHaveText(/revisions\s*0\s*1/);
  await expect(page.getByRole('list', { name: 'Refused' }).getByRole('listitem')).toContainText(/line 3.*hash/);
  await press(page, 'Close');
  await expect(heading(page, 'uppercase')).toBeFocused();

  await page.getByLabel('Import a file').setInputFiles({ name: 'holiday.jsonl', mimeType: 'text/plain', buffer: Buffer.from('no archive') });
  await expect(region(page, 'Import')).toContainText('Nothing was imported');
});

test('a person on a narrow screen is led to the heading of a tool and to the outcome of a run', async ({ console: page }) => {
  await page.setViewportSize({ width: 380, height: 560 });
  await page.getByRole('button', { name: /^add/ }).click();
  await expect(heading(page, 'add')).toBeFocused();
  await expect(heading(page, 'add')).toBeInViewport();
  await page.getByRole('textbox', { name: 'a', exact: true }).press('Enter');
  await expect(region(page, 'Outcome').getByRole('heading', { name: 'Outcome' })).toBeFocused();
  await expect(region(page, 'Outcome').getByRole('heading', { name: 'Outcome' })).toBeInViewport();
  await expect(region(page, 'Result')).toBeInViewport();
  for (const open of ['Edit as new version', 'Install a tool']) {
    await press(page, open);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), open).toBeLessThanOrEqual(380);
  }
});

test('a person finds the selected tool again after a reload and with the back button', async ({ console: page }) => {
  await page.getByRole('button', { name: /^add/ }).click();
  await expect(page).toHaveURL(/#tool=add$/);
  await page.reload();
  await expect(heading(page, 'add')).toBeVisible();
  await page.getByRole('button', { name: /^uppercase/ }).click();
  await expect(heading(page, 'uppercase')).toBeVisible();
  await page.goBack();
  await expect(heading(page, 'add')).toBeVisible();
  await page.goBack();
  await expect(heading(page, 'uppercase')).toBeVisible();
});

test('a person who types JSON that the form cannot show is told what is wrong with it', async ({ console: page }) => {
  await press(page, 'Install a tool');
  const how = page.getByRole('group', { name: 'How to give the definition' });
  await how.getByRole('button', { name: 'JSON' }).click();
  await page.getByRole('textbox', { name: 'Definition' }).fill('{"name": }');
  await how.getByRole('button', { name: 'Form' }).click();
  await expect(page.locator('#install-problem')).toContainText('The form cannot show this');
  await expect(page.locator('#install-problem')).not.toContainText('Not installed');
  await press(page, 'Cancel');
  await region(page, 'Arguments').getByRole('button', { name: 'JSON' }).click();
  await region(page, 'Arguments').getByRole('textbox').fill('{"input": 1');
  await region(page, 'Arguments').getByRole('button', { name: 'Form' }).click();
  await expect(region(page, 'Arguments')).toContainText('The form cannot show this: json line 1');
});
