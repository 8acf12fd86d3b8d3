import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { chromium } from '@playwright/test';

export const site = 'build/bench';

const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };

/** Serves the site on a free port of its own, which is an origin of its own. `told` gets what a page posts, read. */
export async function serve(told = () => {}) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://bench');
    if (request.method === 'POST') {
      let text = '';
      request.on('data', (chunk) => (text += chunk)).on('end', () => {
        response.writeHead(204).end();
        told(JSON.parse(text));
      });
      return;
    }
    readFile(join(site, pathname)).then(
      (body) => response.writeHead(200, { 'content-type': types[extname(pathname)] ?? 'text/plain' }).end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

/** A browser that has no data yet, and pages of the bench in it. */
export class Host {
  #browser;
  #servers = [];
  #session;

  static async open() {
    const host = new Host();
    host.#browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      // The name of the bench's other server, which has a certificate of nobody.
      args: ['--host-resolver-rules=MAP *.example.com 127.0.0.1', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });
    return host;
  }

  /** A page with `bench` in it, of an origin that no other page has. The caller closes it. */
  async page(file = 'bench.html') {
    const server = await serve();
    this.#servers.push(server);
    const page = await this.#browser.newPage({ ignoreHTTPSErrors: true });
    await page.goto(`http://127.0.0.1:${server.address().port}/${file}`);
    await page.waitForFunction(() => 'bench' in globalThis);
    return page;
  }

  /** Bytes that the processes of all pages have in memory. */
  async memory() {
    const session = (this.#session ??= await this.#browser.newBrowserCDPSession());
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const sizes = await Promise.all(processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => resident(id)));
    return sizes.reduce((a, b) => a + b, 0);
  }

  async close() {
    await this.#browser.close();
    for (const server of this.#servers) server.close();
  }
}

/** Bytes of a process in memory; 0 for one that is gone. */
async function resident(pid) {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) * 1024;
}
