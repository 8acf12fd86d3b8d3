import { test as base, expect, type Page } from '@playwright/test';
import type {
  Definition, Draft, FullDefinition, NativeFunction, Revision, RunOptions, Task, Taskyon, TaskRecord, LoadOptions,
} from '../wasm/loader/taskyon.js';
import { Canary } from './canary.js';

export interface Refusal {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
}

/** What e2e/pages/harness.js puts into a page. */
export interface Harness {
  load(options?: LoadOptions): Promise<void>;
  install(code: string, more?: Partial<Definition>): Promise<Revision>;
  native(fn: NativeFunction, more?: Partial<FullDefinition>): Promise<Revision>;
  compile(revision: Revision, args?: unknown): Promise<Task>;
  runRevision(revision: Revision, args?: unknown, options?: RunOptions): Promise<TaskRecord>;
  run(code: string, args?: unknown, options?: RunOptions): Promise<TaskRecord>;
  call(name: string, args: unknown, tool?: string): Draft;
  refusal(f: () => Promise<unknown>): Promise<Refusal>;
  longestGap<T>(f: () => Promise<T>, enough: number, before?: () => Promise<unknown>): Promise<{ value: T; longest: number }>;
}

declare global {
  var harness: Harness;
  var ty: Taskyon;
}

interface Fixtures {
  /** A page under the host policy with an engine loaded. */
  readonly host: Page;
  readonly canary: Canary;
  /** Installs code under a name of its own, compiles a draft and runs the task. */
  readonly run: (code: string, args?: unknown, options?: { disposable?: boolean; partition?: string }) => Promise<TaskRecord>;
}

export const test = base.extend<Fixtures>({
  host: async ({ page }, use) => {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && /BUG|call to released function/.test(message.text())) errors.push(message.text());
    });
    await page.goto('/blank.html');
    await page.waitForFunction(() => 'harness' in globalThis);
    await page.evaluate(() => harness.load());
    await use(page);
    expect(errors, 'errors of the page itself').toEqual([]);
  },
  run: async ({ host }, use) => {
    await use((code, args = {}, options = {}) =>
      host.evaluate(([code, args, options]) => harness.run(code, args, options), [code, args, options] as const),
    );
  },
  canary: async ({}, use) => {
    const canary = await Canary.listen();
    await use(canary);
    await canary.close();
  },
});

export { expect };
