import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { chromium, expect, type Browser, type Page } from '@playwright/test';
import type { Definition, LoadOptions, PermissionAnswer, PermissionRequest, Revision, RunOptions, TaskRecord } from '../wasm/loader/taskyon.js';
import { test as base } from './fixtures.js';

/** One request as the hostile server saw it. */
export interface Seen {
  readonly conn: number;
  readonly proto: string;
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  /** base64, of the first 64 KiB. */
  readonly body?: string;
  readonly bytes: number;
  readonly sha256: string;
  /** cut: the client was gone before the answer was whole. */
  readonly state: 'open' | 'answered' | 'cut';
  /** Bytes of the answer that were written. */
  readonly sent: number;
}

export interface AllSeen {
  readonly requests: readonly Seen[];
  readonly connections: number;
  readonly underWay: number;
  /** Most requests that were under way at once. */
  readonly most: number;
}

/** The server of internal/hostile, and how a browser reaches it under names of the world. */
export class Hostile {
  private constructor(
    private readonly child: ChildProcess,
    private readonly port: number,
    private readonly control: string,
    private readonly spki: string,
  ) {}

  static async start(): Promise<Hostile> {
    execFileSync('go', ['build', '-o', 'build/hostile', './internal/hostile'], { stdio: 'inherit' });
    const child = spawn('build/hostile', { stdio: ['pipe', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { port, control, spki } = JSON.parse(line) as { port: number; control: number; spki: string };
    return new Hostile(child, port, `http://127.0.0.1:${control}`, spki);
  }

  /** What makes Chromium find every such name here, and take the certificate of this run. Nothing of the policy knows of it. */
  get args(): readonly string[] {
    const map = ['com', 'net', 'org'].map((end) => `MAP *.example.${end} 127.0.0.1:${this.port}`);
    return [`--host-resolver-rules=${map.join(',')}`, `--ignore-certificate-errors-spki-list=${this.spki}`];
  }

  async seen(): Promise<AllSeen> {
    return (await (await fetch(`${this.control}/seen`)).json()) as AllSeen;
  }

  /** What was asked for, preflights left out, in order. */
  async requests(): Promise<readonly Seen[]> {
    const { requests } = await this.seen();
    return requests.filter(({ method, headers }) => method !== 'OPTIONS' || headers['access-control-request-method'] === undefined);
  }

  /** The same in short. */
  async lines(): Promise<readonly string[]> {
    return (await this.requests()).map(({ method, host, path }) => `${method} ${host}${path}`);
  }

  async forget(): Promise<void> {
    await fetch(`${this.control}/forget`, { method: 'POST' });
  }

  /** Lets go of the answers that are held. */
  async release(): Promise<void> {
    await fetch(`${this.control}/release`, { method: 'POST' });
  }

  async end(): Promise<void> {
    const over = once(this.child, 'exit');
    this.child.stdin?.end();
    await over;
  }
}

export interface Options extends Omit<LoadOptions, 'onPermission'> {
  /** What the user says to every question; `silent`: nothing; `none`: there is no handler. */
  readonly says?: PermissionAnswer | 'silent' | 'none';
}

/** A question that the page's handler was asked. */
export interface Asked {
  readonly request: PermissionRequest;
  withdrawn: boolean;
}

/** Runs a tool that may read and write at the hosts of the specs. The code is the body of an async function of `args` and `context`. */
export interface Web {
  readonly page: Page;
  load(options?: Options): Promise<void>;
  install(body: string, more?: Partial<Definition>): Promise<Revision>;
  run(tool: string | Revision, args?: unknown, options?: Omit<RunOptions, 'signal'>): Promise<TaskRecord>;
  /** What the run gives; another outcome than ok fails the spec. */
  result<T>(tool: string | Revision, args?: unknown): Promise<T>;
  asked(): Promise<readonly Asked[]>;
}

declare global {
  var promptsSeen: Asked[];
}

export const origins = ['api', 'other', 'h2'].map((name) => `https://${name}.example.com`).concat('https://login.example.net');
export const api = origins[0]!;
export const h2 = origins[2]!;

/** What a tool of the specs declares. */
export const needs = { fetch: origins.map((origin) => ({ origin, access: 'write' as const })) };

/** Prepended to tools: the outcome of a promise as data. */
const helpers = `const said = (promise) => promise.then((value) => value, (error) => ({ failed: error.code ?? error.name, kind: error.name, message: error.message }));`;

export const toolOf = (body: string): string => `async (args, context) => { ${helpers}\n${body}\n}`;

interface Fixtures {
  readonly web: Web;
}

export const test = base.extend<Fixtures, { readonly hostile: Hostile; readonly browser: Browser }>({
  hostile: [
    async ({}, use) => {
      const hostile = await Hostile.start();
      await use(hostile);
      await hostile.end();
    },
    { scope: 'worker' },
  ],
  browser: [
    async ({ hostile, launchOptions }, use) => {
      const browser = await chromium.launch({ ...launchOptions, args: [...(launchOptions.args ?? []), ...hostile.args] });
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  web: async ({ page, hostile }, use) => {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    const load = async ({ says = 'session', ...options }: Options = {}): Promise<void> => {
      await page.waitForFunction(() => 'harness' in globalThis);
      await page.evaluate(
        async ([says, options]) => {
          globalThis.promptsSeen = [];
          const onPermission = (request: PermissionRequest, { signal }: { signal: AbortSignal }): Promise<PermissionAnswer> => {
            const entry = { request, withdrawn: false };
            promptsSeen.push(entry);
            signal.addEventListener('abort', () => (entry.withdrawn = true));
            return says === 'silent' || says === 'none' ? new Promise(() => {}) : Promise.resolve(says);
          };
          await harness.load({ store: 'memory', ...options, ...(says === 'none' ? {} : { onPermission }) });
        },
        [says, options] as const,
      );
    };
    const install = (body: string, more: Partial<Definition> = {}): Promise<Revision> =>
      page.evaluate(([code, more]) => harness.install(code, more), [toolOf(body), { needs, ...more } as Partial<Definition>] as const);
    const run: Web['run'] = async (tool, args = {}, options = {}) => {
      const revision = typeof tool === 'string' ? await install(tool) : tool;
      return page.evaluate(([revision, args, options]) => harness.runRevision(revision, args, options), [revision, args, options] as const);
    };
    const result = async <T>(tool: string | Revision, args: unknown = {}): Promise<T> => {
      const record = await run(tool, args);
      expect(record, JSON.stringify(record.error)).toMatchObject({ outcome: 'ok' });
      return record.result as T;
    };
    const asked = (): Promise<readonly Asked[]> => page.evaluate(() => globalThis.promptsSeen);
    await hostile.release();
    await hostile.forget();
    await page.goto('/blank.html');
    await use({ page, load, install, run, result, asked });
    expect(errors, 'errors of the page itself').toEqual([]);
    await hostile.release();
  },
});

export { expect };
