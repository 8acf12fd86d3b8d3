import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { names } from '../names.js';
import { patiently, type Engine } from './engine.js';

/** Firefox by WebDriver BiDi. Names looked up are read from the log of its resolver. */
export async function startFirefox(): Promise<Engine> {
  const dir = await mkdtemp(join(tmpdir(), 'contracts-firefox-'));
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env['FIREFOX'] ?? '/usr/bin/firefox-esr',
    headless: true,
    acceptInsecureCerts: true,
    env: { ...process.env, HOME: dir, MOZ_LOG: 'nsHostResolver:5,sync', MOZ_LOG_FILE: join(dir, 'resolver') },
    extraPrefsFirefox: {
      // Nothing leaves this machine, whatever the browser itself would like to know.
      'network.proxy.type': 0, 'network.captive-portal-service.enabled': false, 'network.connectivity-service.enabled': false, 'app.normandy.enabled': false,
      'services.settings.server': 'data:,', 'browser.safebrowsing.update.enabled': false, 'network.trr.mode': 5, 'network.dns.localDomains': names.join(','),
    },
  });
  return {
    host: 'firefox',
    async open(url) {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      page.on('dialog', (dialog) => void dialog.accept().catch(() => {}));
      if (process.env['CONTRACTS_CONSOLE']) page.on('console', (message) => console.log(`  [${message.type()}] ${message.text()}`));
      await page.goto(url, { waitUntil: 'domcontentloaded' });
      return () => patiently(5000, context.close());
    },
    async close() {
      await patiently(10_000, browser.close());
      browser.process()?.kill('SIGKILL');
      const logs = (await readdir(dir)).filter((name) => name.startsWith('resolver'));
      const texts = await Promise.all(logs.map((name) => readFile(join(dir, name), 'utf8')));
      await rm(dir, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
      return texts.join('\n');
    },
  };
}
