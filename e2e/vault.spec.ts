import { execFileSync } from 'node:child_process';
import { expect, type Page } from '@playwright/test';
import { test } from './profile.js';

test.beforeAll(() => {
  execFileSync('go', ['test', '-c', '-o', 'build/site/vault-test.wasm', './wasm/browser'], { env: { ...process.env, GOOS: 'js', GOARCH: 'wasm' }, stdio: 'inherit' });
});

/** Runs Go tests of the vault in a page, and expects each to pass and none to be skipped. */
async function passes(page: Page, ...names: string[]): Promise<void> {
  const { code, output } = await page.evaluate(async (names) => {
    const runtime = '/wasm_exec.js';
    await import(runtime);
    const scope = globalThis as unknown as {
      Go: new () => { argv: string[]; exit: (code: number) => void; importObject: WebAssembly.Imports; run(instance: WebAssembly.Instance): Promise<void> };
      fs: { writeSync(file: number, bytes: Uint8Array): number };
    };
    let output = '';
    scope.fs.writeSync = (_, bytes) => {
      output += new TextDecoder().decode(bytes);
      return bytes.length;
    };
    const go = new scope.Go();
    let code = -1;
    go.argv = ['vault.test', '-test.v', `-test.run=^(${names.join('|')})$`];
    go.exit = (exit) => void (code = exit);
    const { instance } = await WebAssembly.instantiateStreaming(fetch('/vault-test.wasm'), go.importObject);
    await go.run(instance);
    return { code, output };
  }, names);
  expect(code, output).toBe(0);
  for (const name of names) expect(output).toContain(`--- PASS: ${name}`);
}

/** Runs in the page: what stands in the key's place, and what comes of exporting it and a key that may be exported. */
async function exported(): Promise<{ kind: string; extractable: boolean; usages: string[]; refused: string[]; control: number }> {
  const db = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open('taskyon');
    request.onsuccess = () => resolve(request.result);
  });
  const key = await new Promise<CryptoKey>((resolve) => {
    const request = db.transaction('meta').objectStore('meta').get('vault') as IDBRequest<CryptoKey>;
    request.onsuccess = () => resolve(request.result);
  });
  db.close();
  const refusal = (format: 'raw' | 'jwk') => crypto.subtle.exportKey(format, key).then(() => 'exported', (error: Error) => error.name);
  const open = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt']);
  return {
    kind: Object.prototype.toString.call(key), extractable: key.extractable, usages: [...key.usages].sort(),
    refused: [await refusal('raw'), await refusal('jwk')], control: (await crypto.subtle.exportKey('raw', open)).byteLength,
  };
}

test('a vault seals with the cryptography of the page, and two tabs have one key', async ({ profile }) => {
  await passes(await profile.bare(), 'TestAVaultInMemoryKeepsItsPromises', 'TestThePagesVaultKeepsItsPromises', 'TestTabsThatOpenAVaultAtOnceGetOneKey');
});

test('a page that is no secure context has no vault', async ({ profile }) => {
  const page = await profile.bare(() => void Object.defineProperty(crypto, 'subtle', { value: undefined }));
  await passes(page, 'TestAPageThatIsNoSecureContextHasNoVault');
});

test('the key outlives the browser and nobody can export it', async ({ profile }) => {
  await passes(await profile.bare(), 'TestBeforeTheBrowserEnds');
  await profile.restart();
  const page = await profile.bare();
  await passes(page, 'TestAfterTheBrowserHasEnded');
  expect(await page.evaluate(exported)).toEqual({
    kind: '[object CryptoKey]', extractable: false, usages: ['decrypt', 'encrypt'], refused: ['InvalidAccessError', 'InvalidAccessError'], control: 32,
  });
});

test('a key that can be exported, or is none, is not taken', async ({ profile }) => {
  for (const what of ['extractable', 'text', 'object'] as const) {
    const page = await profile.bare();
    await passes(page, 'TestBeforeTheBrowserEnds');
    await page.evaluate(async (what) => {
      const open = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt', 'decrypt']);
      const db = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open('taskyon');
        request.onsuccess = () => resolve(request.result);
      });
      const put = { extractable: open, text: 'key', object: { extractable: false, algorithm: { name: 'AES-GCM', length: 256 } } }[what];
      await new Promise<void>((resolve) => {
        const change = db.transaction('meta', 'readwrite');
        change.oncomplete = () => resolve();
        change.objectStore('meta').put(put, 'vault');
      });
      db.close();
    }, what);
    await passes(page, 'TestAfterTheKeyWasReplacedByHand');
    expect(await page.evaluate(exported)).toMatchObject({ kind: '[object CryptoKey]', extractable: false });
  }
});
