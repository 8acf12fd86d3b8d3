import { chromium } from '@playwright/test';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { names } from '../names.js';
import { patiently, type Engine } from './engine.js';

/** Chromium by Playwright. Names looked up are read from its NetLog, which is whole once it has ended. */
export async function startChromium(): Promise<Engine> {
  const dir = await mkdtemp(join(tmpdir(), 'contracts-chromium-'));
  const log = join(dir, 'netlog.json');
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', `--host-resolver-rules=${names.map((name) => `MAP ${name} 127.0.0.1`).join(',')}`, `--log-net-log=${log}`],
  });
  return {
    host: 'chromium',
    async open(url) {
      const context = await browser.newContext({ ignoreHTTPSErrors: true, acceptDownloads: true });
      const page = await context.newPage();
      page.on('dialog', (dialog) => void dialog.accept().catch(() => {}));
      if (process.env['CONTRACTS_CONSOLE']) page.on('console', (message) => console.log(`  [${message.type()}] ${message.text()}`));
      await page.goto(url, { waitUntil: 'commit' });
      return () => patiently(5000, context.close());
    },
    async close() {
      await patiently(10_000, browser.close());
      const text = await readFile(log, 'utf8').catch(() => undefined);
      await rm(dir, { recursive: true, force: true });
      return text;
    },
  };
}
