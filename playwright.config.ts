import { defineConfig } from '@playwright/test';

/** The site under test: what `make run` serves, with the pages of e2e beside it. */
const port = Number(process.env['E2E_PORT'] ?? 8931);

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  // A spec measures how calm the page stays while a tool burns a core; a second one beside it would be measured too.
  workers: 1,
  forbidOnly: true,
  timeout: 60_000,
  reporter: 'list',
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    },
  },
  webServer: {
    command: `go run ./web/serve -dir build/site -port ${port}`,
    url: `http://127.0.0.1:${port}/blank.html`,
    timeout: 120_000,
  },
});
