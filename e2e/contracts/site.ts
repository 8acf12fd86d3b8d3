import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { Assignment, Verdict } from './page/types.js';

const folder = 'build/site';
const types: { readonly [ext: string]: string } = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.json': 'application/json', '.wasm': 'application/wasm', '.txt': 'text/plain',
};

/** What the page tells its server. */
export type Told = { readonly what: 'begin'; readonly id: string } | { readonly what: 'verdict'; readonly verdict: Verdict } | { readonly what: 'end' } | { readonly what: 'error'; readonly message: string };

/**
 * The server of one page that runs contracts: what `make site` built, under the documented policy of a host page or, for controls,
 * under none. A frame script that is not the shipped one is named in the policy too, as an embedder would have to.
 */
export class Site {
  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async serve(assignment: Assignment, frame: string | undefined, policed: boolean, told: (told: Told) => void): Promise<Site> {
    const documented = (await readFile(join(folder, 'csp.txt'), 'utf8')).trim();
    const more = frame === undefined ? '' : ` 'sha256-${createHash('sha256').update(frame).digest('base64')}'`;
    const policy = documented.replace(/script-src [^;]*/, (found) => found + more);
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://site');
      if (policed) response.setHeader('content-security-policy', policy);
      response.setHeader('cache-control', 'no-store');
      const send = (type: string, body: string | Buffer): void => void response.writeHead(200, { 'content-type': type }).end(body);
      if (pathname === '/assignment') return send('application/json', JSON.stringify(assignment));
      if (pathname === '/frame.js') return send('text/javascript; charset=utf-8', frame ?? '');
      if (pathname.startsWith('/tell/')) {
        const what = pathname.slice('/tell/'.length);
        return void body(request).then((text) => {
          told((what === 'verdict' ? { what, verdict: JSON.parse(text) } : { what, ...JSON.parse(text) }) as Told);
          response.writeHead(204).end();
        });
      }
      const file = normalize(pathname).replace(/^\/+/, '');
      readFile(join(folder, file)).then(
        (bytes) => send(types[extname(file)] ?? 'application/octet-stream', bytes),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return new Site(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((done) => this.server.close(() => done()));
  }
}

async function body(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
