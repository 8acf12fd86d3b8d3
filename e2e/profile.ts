import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from '@playwright/test';
import { test as base } from './fixtures.js';

/** A browser whose profile is on disk. */
export interface Profile {
  /** A new page with an engine over IndexedDB. */
  page(before?: () => void): Promise<Page>;
  /** A new page without an engine. */
  bare(before?: () => void): Promise<Page>;
  /** Closes the browser; the next page is of a new one with the same profile. */
  restart(): Promise<void>;
}

export const test = base.extend<{ readonly profile: Profile }>({
  profile: async ({ baseURL, launchOptions }, use) => {
    const dir = mkdtempSync(join(tmpdir(), 'taskyon-profile-'));
    let context: BrowserContext | undefined;
    const bare = async (before?: () => void) => {
      context ??= await chromium.launchPersistentContext(dir, { ...launchOptions, baseURL });
      const page = await context.newPage();
      if (before) await page.addInitScript(before);
      await page.goto('/blank.html');
      await page.waitForFunction(() => 'harness' in globalThis);
      return page;
    };
    const restart = async () => {
      await context?.close();
      context = undefined;
    };
    const page = async (before?: () => void) => open(await bare(before));
    await use({ page, bare, restart });
    await restart();
    rmSync(dir, { recursive: true, force: true });
  },
});

/** An engine over IndexedDB in a page of the site. */
export async function open(page: Page): Promise<Page> {
  await page.waitForFunction(() => 'harness' in globalThis);
  await page.evaluate(() => harness.load({ store: 'indexeddb' }));
  return page;
}
