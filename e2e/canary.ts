import { createServer, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import type { AddressInfo } from 'node:net';

/**
 * A listener that must stay silent. It counts every connection and every request; only requests below /open/ are its own:
 * there it serves the site with no policy at all, for positive controls.
 */
export class Canary {
  hits: string[] = [];
  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async listen(): Promise<Canary> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const canary = new Canary(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => {
      const { pathname } = new URL(request.url ?? '/', canary.origin);
      if (pathname.startsWith('/open/')) {
        void serve(pathname.slice('/open/'.length)).then(
          ({ type, body }) => response.writeHead(200, { 'content-type': type }).end(body),
          () => response.writeHead(404).end(),
        );
        return;
      }
      canary.hits.push(`${request.method} ${pathname}`);
      response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/javascript' }).end('');
    });
    server.on('upgrade', (request, socket) => {
      canary.hits.push(`UPGRADE ${request.url}`);
      socket.destroy();
    });
    return canary;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}

const types: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};

async function serve(path: string): Promise<{ type: string; body: Buffer }> {
  const name = normalize(path).replace(/^(\.\.[/\\])+/, '');
  let body = await readFile(join('build/site', name));
  // The pages import from the root of their site; here the site is a folder.
  if (/\.(html|js)$/.test(name)) body = Buffer.from(body.toString().replaceAll(/(['"])\/(harness\.js|taskyon\.js)/g, '$1/open/$2'));
  return { type: types[extname(name)] ?? 'application/octet-stream', body };
}
