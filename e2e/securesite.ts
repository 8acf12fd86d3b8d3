import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { chromium, type Browser } from '@playwright/test';

export const app = 'https://app.example.com';

export interface Sent {
  readonly host: string;
  readonly path: string;
  readonly referrer: string | undefined;
}

const types: { readonly [extension: string]: string } = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.wasm': 'application/wasm' };

/** One server with a throwaway certificate for every name. `app` is the site under test as the documentation has it served; the others are what a test says. */
export class SecureSite {
  readonly pages = new Map<string, string>();
  /** Headers of a file of `app`, beside or in place of its own. */
  readonly own = new Map<string, { [name: string]: string }>();
  readonly sent: Sent[] = [];
  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async listen(): Promise<SecureSite> {
    const server = createServer(certificate());
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const site = new SecureSite(server, (server.address() as AddressInfo).port);
    server.on('request', (request, response) => {
      const host = request.headers.host ?? '';
      const path = normalize(new URL(request.url ?? '/', app).pathname);
      site.sent.push({ host, path: request.url ?? '', referrer: request.headers.referer });
      const page = site.pages.get(`https://${host}${path}`);
      if (page !== undefined) return void response.writeHead(200, { 'content-type': types['.html']! }).end(page);
      if (`https://${host}` !== app) return void response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/javascript' }).end('');
      void readFile(join('build/site', path)).then(
        (body) => response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream', ...headers(path), ...site.own.get(path) }).end(body),
        () => response.writeHead(404).end('no such file'),
      );
    });
    return site;
  }

  /** What was asked of a host. */
  of(host: string): readonly Sent[] {
    return this.sent.filter((sent) => sent.host === host);
  }

  /** A browser for which every name leads here. It blocks windows as it does for a user. */
  async browser(): Promise<Browser> {
    return chromium.launch({
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      ignoreDefaultArgs: ['--disable-popup-blocking'],
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
        `--host-resolver-rules=MAP *:443 127.0.0.1:${this.port}, EXCLUDE 127.0.0.1`],
    });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}

/** What the documentation says that files of this product are sent with. */
function headers(path: string): { [name: string]: string } {
  const policy = (file: string) => readFileSync(join('build/site', file), 'utf8').trim();
  if (path === '/popup.html') return { 'content-security-policy': policy('csp-popup.txt'), 'cross-origin-opener-policy': 'unsafe-none' };
  if (path === '/popup-frame.html') return { 'content-security-policy': policy('csp-popup-frame.txt'), 'connection-allowlist': '()' };
  if (path.endsWith('.html') && !path.startsWith('/framed')) {
    return { 'content-security-policy': policy('csp.txt'), 'cross-origin-opener-policy': 'same-origin-allow-popups' };
  }
  return {};
}

function certificate(): { key: string; cert: string } {
  const dir = mkdtempSync(join(tmpdir(), 'certificate-'));
  try {
    execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', '/CN=example.com',
      '-addext', 'subjectAltName=DNS:*.example.com,DNS:example.com', '-keyout', join(dir, 'key'), '-out', join(dir, 'cert')], { stdio: 'ignore' });
    return { key: readFileSync(join(dir, 'key'), 'utf8'), cert: readFileSync(join(dir, 'cert'), 'utf8') };
  } finally {
    rmSync(dir, { recursive: true });
  }
}
