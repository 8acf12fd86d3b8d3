import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { Assignment, Contract, Kind, Verdict } from './page/types.js';
import { folder, hashOf, servedFor, sandboxPage, type Answer } from './served.js';

const types: { readonly [ext: string]: string } = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.json': 'application/json', '.wasm': 'application/wasm', '.txt': 'text/plain',
};

/** What the page tells its server. */
export type Told = { readonly what: 'begin'; readonly id: string } | { readonly what: 'verdict'; readonly verdict: Verdict } | { readonly what: 'end' } | { readonly what: 'error'; readonly message: string };

/** What one page is to run, and how it and the page of its sandboxes are served. */
export interface Plan {
  readonly assignment: Assignment;
  readonly contracts: readonly Contract[];
  readonly kind: Kind;
  readonly frame?: string; // the frame's script, where it is not the shipped one
  readonly policed: boolean; // the page has the documented policy
}

/**
 * The server of one page that runs contracts: what `make site` built, under the documented policy of a host page or, for controls,
 * under none. A frame script that is not the shipped one is named in the policy too, as an embedder would have to. In the served kind
 * sandbox.html is sent as documented, and a contract that wants it otherwise has an address of its own, some on a second origin.
 */
export class Site {
  private readonly answers = new Map<string, Answer>();
  private assignment = '';
  private policy: string | undefined;

  private constructor(
    private readonly server: Server,
    private readonly stranger: Server,
    readonly origin: string,
  ) {}

  static async serve(plan: Plan, told: (told: Told) => void): Promise<Site> {
    const [server, stranger] = [createServer(), createServer()];
    for (const one of [server, stranger]) await new Promise<void>((done) => one.listen(0, '127.0.0.1', done));
    const [origin, elsewhere] = [server, stranger].map((one) => `http://127.0.0.1:${(one.address() as AddressInfo).port}`) as [string, string];
    const site = new Site(server, stranger, origin);
    await site.prepare(plan, elsewhere);
    server.on('request', (request, response) => site.answer(request, response, plan.frame, told));
    stranger.on('request', (request, response) => void (site.own(request, response) || response.writeHead(404).end()));
    return site;
  }

  private async prepare({ assignment, contracts, kind, frame, policed }: Plan, elsewhere: string): Promise<void> {
    const pages: { [id: string]: string } = {};
    if (kind === 'page') {
      this.answers.set('/sandbox.html', await sandboxPage(frame, new Set(assignment.guardsOff)));
      for (const contract of contracts.filter(({ id }) => assignment.ids.includes(id))) {
        const { id, served } = contract;
        if (served) this.answers.set(`/served/${id}.html`, await servedFor(contract, assignment.ears[id]!.url, frame, assignment.guardsOff));
        pages[id] = served ? `${served.elsewhere ? elsewhere : this.origin}/served/${id}.html` : `${this.origin}/sandbox.html`;
      }
    }
    this.assignment = JSON.stringify({ ...assignment, ...(kind === 'page' ? { pages } : {}) });
    if (policed) this.policy = await policyOf(kind, frame, Object.values(pages));
  }

  private answer(request: IncomingMessage, response: ServerResponse, frame: string | undefined, told: (told: Told) => void): void {
    if (this.own(request, response)) return;
    const { pathname } = new URL(request.url ?? '/', this.origin);
    if (this.policy !== undefined) response.setHeader('content-security-policy', this.policy);
    response.setHeader('cache-control', 'no-store');
    const send = (type: string, body: string | Buffer): void => void response.writeHead(200, { 'content-type': type }).end(body);
    if (pathname === '/assignment') return send('application/json', this.assignment);
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
  }

  /** Answers with a page of sandboxes, if one is asked for. */
  private own(request: IncomingMessage, response: ServerResponse): boolean {
    const own = this.answers.get(new URL(request.url ?? '/', this.origin).pathname);
    if (own) response.writeHead(own.status, { ...own.headers, 'cache-control': 'no-store' }).end(own.body);
    return own !== undefined;
  }

  async close(): Promise<void> {
    for (const server of [this.server, this.stranger]) {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    }
  }
}

/** The documented policy of a host page. In the served kind it keeps worker-src, for the shared worker that a frame is to be kept from. */
async function policyOf(kind: Kind, frame: string | undefined, pages: readonly string[]): Promise<string> {
  const documented = (await readFile(join(folder, 'csp.txt'), 'utf8')).trim();
  if (kind === 'srcdoc') return frame === undefined ? documented : documented.replace(/script-src [^;]*/, (found) => `${found} ${hashOf(frame)}`);
  return documented.replace(/ 'sha256-[^']+'/, '').replace("frame-src 'none'", `frame-src ${[...new Set(pages)].join(' ')}`);
}

async function body(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
