import { test as base, expect, type Browser, type Frame, type Page } from '@playwright/test';
import type { Json, PermissionRequest, Popup, PopupRequest, TaskRecord } from '../wasm/loader/taskyon.js';
import { SecureSite, app } from './securesite.js';

/** One run of a function that opens a window, as a page keeps it. */
export interface Attempt {
  popup?: Popup;
  refused?: { name: string; code: string; message: string };
  heard: Json[];
  ended?: string;
  record?: TaskRecord;
  finish: (value?: unknown) => void;
}

declare global {
  var attempts: Attempt[];
  var prompted: PermissionRequest[];
  var answering: 'once' | 'session' | 'always' | 'deny' | 'wait';
  var openPopup: (request: unknown, needs?: readonly string[], more?: { timeoutMs?: number; signal?: AbortSignal }) => number;
}

interface Fixtures {
  readonly browserOf: Browser;
  readonly site: SecureSite;
  /** A page of `app` with an engine that asks the test. */
  readonly host: Page;
}

export const test = base.extend<Fixtures>({
  site: async ({}, use) => {
    const site = await SecureSite.listen();
    await use(site);
    await site.close();
  },
  browserOf: async ({ site }, use) => {
    const browser = await site.browser();
    await use(browser);
    await browser.close();
  },
  host: async ({ browserOf }, use) => {
    const page = await (await browserOf.newContext({ ignoreHTTPSErrors: true })).newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(`${app}/blank.html`);
    await load(page);
    await use(page);
    expect(errors, 'errors of the page itself').toEqual([]);
  },
});

export { expect };

export async function load(page: Page | Frame, options: { readonly popupURL?: string; readonly own?: boolean } = {}): Promise<void> {
  await page.waitForFunction(() => 'harness' in globalThis);
  await page.evaluate(async ({ own, ...options }) => {
    globalThis.attempts = [];
    globalThis.prompted = [];
    globalThis.answering = 'once';
    await harness.load({
      store: 'memory',
      ...options,
      onPermission: (request, { signal }) => {
        prompted.push(request);
        if (answering !== 'wait') return answering;
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve('once')));
      },
      ...(own
        ? {
            onPopup: (notice, { open, dismiss, signal }) => {
              const button = document.createElement('button');
              button.textContent = `${notice.kind} ${notice.scope}`;
              button.onclick = (event) => (event.shiftKey ? dismiss() : open());
              signal.addEventListener('abort', () => button.remove());
              document.body.append(button);
            },
          }
        : {}),
    });
    globalThis.openPopup = (request, needs = ['custom-html', 'https://shop.example.com'], { timeoutMs, signal } = {}) => {
      const attempt: Attempt = { heard: [], finish: () => {} };
      const end = new Promise((resolve) => (attempt.finish = resolve));
      void (async () => {
        const revision = await harness.native(
          async (_, { popup }) => {
            try {
              attempt.popup = await popup(request as PopupRequest);
            } catch (error) {
              const { name, code, message } = error as Error & { code: string };
              attempt.refused = { name, code, message };
              throw error;
            }
            void attempt.popup.closed.then((how) => (attempt.ended = how));
            void (async () => {
              for await (const message of attempt.popup!.messages) attempt.heard.push(message);
              attempt.heard.push('(end)');
            })();
            return end;
          },
          { needs: { popup: needs }, ...(timeoutMs ? { limits: { timeoutMs } } : {}) },
        );
        attempt.record = await harness.runRevision(revision, {}, signal ? { signal } : {});
      })();
      return attempts.push(attempt) - 1;
    };
  }, options);
}

/** Runs a function that asks for a window, and waits for the window. */
export async function opened(host: Page, request: unknown, needs?: readonly string[]): Promise<{ at: number; shell: Page }> {
  const shell = host.context().waitForEvent('page');
  const at = await host.evaluate(([request, needs]) => openPopup(request, needs), [request, needs] as const);
  const page = await shell;
  await host.waitForFunction((at) => attempts[at]?.popup, at);
  return { at, shell: page };
}

export const html = (text: string): PopupRequest => ({ kind: 'custom-html', html: text });

/** Runs a function whose window is refused; gives the code, and what the record says of the ask. */
export async function refused(host: Page | Frame, request: unknown, needs?: readonly string[]): Promise<unknown[]> {
  const at = await host.evaluate(([request, needs]) => openPopup(request, needs), [request, needs] as const);
  await host.waitForFunction((at) => attempts[at]?.record, at);
  return host.evaluate((at) => {
    const { refused, record, popup } = attempts[at]!;
    const [ask] = record!.asks;
    return [refused?.name, refused?.code, record!.outcome, popup !== undefined, ask && [ask.capability, ask.decision, ask.reason, ask.scope, ask.sent]];
  }, at);
}

/** Runs a function that asks for a window; gives the code, or `opened`. */
export async function tried(host: Page, request: unknown): Promise<string | undefined> {
  const at = await host.evaluate((request) => openPopup(request), request);
  await host.waitForFunction((at) => attempts[at]!.popup ?? attempts[at]!.refused, at);
  return host.evaluate((at) => attempts[at]!.refused?.code ?? 'opened', at);
}

/** Calls f without the gesture that Playwright's own evaluate is taken for, once the last one is stale. */
export async function withoutGesture(page: Page, expression: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const say = async (expression: string) => (await session.send('Runtime.evaluate', { expression, userGesture: false, returnByValue: true })).result.value as unknown;
  await expect.poll(() => say('navigator.userActivation.isActive'), { timeout: 15_000 }).toBe(false);
  await say(expression);
  await session.detach();
}
