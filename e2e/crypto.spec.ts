import { readFileSync } from 'node:fs';
import { test, expect } from './fixtures.js';

interface Row {
  readonly name: string;
  readonly code: string;
  readonly result: unknown;
}

/** Known answers; the runtime's own tests run the same programs against another engine's cryptography. */
const rows = JSON.parse(readFileSync('sandboxhost/bootstrap/testdata/crypto.json', 'utf8')) as readonly Row[];

test('crypto.subtle and crypto.randomUUID give the known answers', async ({ run }) => {
  expect(rows.length).toBeGreaterThan(15);
  for (const row of rows) expect.soft(await run(row.code), row.name).toMatchObject({ outcome: 'ok', result: row.result });
});

test('a key does not outlive its call, nor travel in a result', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    const revision = await harness.install(`async ({ make }) => {
      if (make) { globalThis.key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt']); return 'made' }
      return crypto.subtle.exportKey('raw', key).catch((error) => [error instanceof DOMException, error.name])
    }`);
    const made = await harness.runRevision(revision, { make: true });
    const later = await harness.runRevision(revision, {});
    const out = await harness.run("async () => ({ key: await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt']) })");
    return { made: made.result, later: later.result, out };
  });
  expect(seen).toMatchObject({ made: 'made', later: [true, 'InvalidAccessError'], out: { outcome: 'invalid_result', error: { path: '$.key' } } });
});

test('asking for cryptography without end keeps the page calm and ends at the deadline, and the next call works', async ({ host }) => {
  const seen = await host.evaluate(async () => {
    await ty.close();
    await harness.load({ store: 'memory', limits: { callMs: 1500 } });
    const revision = await harness.install(`async ({ flood }) => {
      if (!flood) return new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(0)))[0];
      for (;;) await Promise.all(Array.from({ length: 500 }, () => crypto.subtle.digest('SHA-256', new Uint8Array(1))));
    }`);
    const { value, longest } = await harness.longestGap(() => harness.runRevision(revision, { flood: true }), 100, () => harness.runRevision(revision, {}));
    return { value, longest, next: (await harness.runRevision(revision, {})).result };
  });
  expect(seen.value).toMatchObject({ outcome: 'timeout', started: true });
  expect(seen.longest).toBeLessThan(100);
  expect(seen.next).toBe(227);
});
