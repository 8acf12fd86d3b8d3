import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import type { AddressInfo } from 'node:net';

export interface Answer {
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string | Buffer;
}

const text = (name: string): string => readFileSync(join('build/site', name), 'utf8').trim();

/** The documented policies of this build. */
export const hostPolicy = (): string => text('csp.txt');
export const framePolicy = (): string => text('csp-sandbox.txt');
export const frameHash = (): string => /'sha256-[^']+'/.exec(hostPolicy())![0];

/** The headers that our server sends with sandbox.html; a spec holds the two together. */
export const frameHeaders = (): { readonly [name: string]: string } => ({
  'content-security-policy': framePolicy(),
  'connection-allowlist': '()',
});

/** A host page's policy for the served kind: no hash, no worker-src, one address of a frame. */
export const servedPolicy = (page: string): string =>
  hostPolicy().replace(` ${frameHash()}`, '').replace(' worker-src blob:;', '').replace("frame-src 'none'", `frame-src ${page}`);

/** The site under test, with a policy for each path. What has no answer of its own is a file of the site without any policy. */
export class PolicySite {
  private readonly answers = new Map<string, Answer>();
  private count = 0;
  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async listen(): Promise<PolicySite> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const site = new PolicySite(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => void site.answer(request, response));
    return site;
  }

  /** An address that is answered so. */
  at(path: string, answer: Answer): string {
    this.answers.set(path, answer);
    return this.origin + path;
  }

  /** A page with the harness and these headers. */
  page(headers: { readonly [name: string]: string }, head = ''): string {
    return this.at(`/host-${++this.count}.html`, {
      headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
      body: `<!doctype html><html lang="en"><meta charset="utf-8">${head}<link rel="icon" href="data:,"><title>host</title><script type="module" src="/harness.js"></script>`,
    });
  }

  /** A page under a policy. */
  under(policy: string): string {
    return this.page({ 'content-security-policy': policy });
  }

  /** sandbox.html as the documentation has it sent, or with other headers. */
  sandbox(headers: { readonly [name: string]: string } = frameHeaders()): string {
    return this.at(`/sandbox-${++this.count}.html`, { headers: { 'content-type': 'text/html; charset=utf-8', ...headers }, body: text('sandbox.html') });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.origin);
    const own = this.answers.get(pathname);
    if (own) {
      response.writeHead(own.status ?? 200, own.headers ?? {}).end(own.body ?? '');
      return;
    }
    try {
      const name = normalize(pathname).replace(/^(\.\.[/\\])+/, '');
      const body = await readFile(join('build/site', name));
      // A page with an opaque origin loads its own modules as a stranger.
      response.writeHead(200, { 'content-type': types[extname(name)] ?? 'application/octet-stream', 'access-control-allow-origin': '*' }).end(body);
    } catch {
      response.writeHead(404).end('no such file');
    }
  }
}

const types: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};
