import { execFileSync } from 'node:child_process';
import { expect, type Page } from '@playwright/test';
import type { Revision, Task } from '../wasm/loader/taskyon.js';
import { test } from './profile.js';
import { shelve, shelved } from './shelf.js';

/** Runs in the page: how many rows each object store holds. */
async function rows(): Promise<Record<string, number>> {
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('taskyon');
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const counts = await Promise.all(
    ['tasks', 'records', 'revisions', 'bindings', 'settings', 'blocks', 'shelf'].map(
      (name) =>
        new Promise<[string, number]>((resolve) => {
          const request = db.transaction(name).objectStore(name).count();
          request.onsuccess = () => resolve([name, request.result]);
        }),
    ),
  );
  db.close();
  return Object.fromEntries(counts);
}

/** Runs in the page: changes a text in every row of an object store, as somebody with the developer tools would. */
async function edit([name, from, to]: [string, string, string]): Promise<void> {
  const db = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open('taskyon');
    request.onsuccess = () => resolve(request.result);
  });
  await new Promise<void>((resolve) => {
    const transaction = db.transaction(name, 'readwrite');
    transaction.oncomplete = () => resolve();
    transaction.objectStore(name).openCursor().onsuccess = (event) => {
      const cursor = (event.target as IDBRequest<IDBCursorWithValue | null>).result;
      if (!cursor) return;
      const value = cursor.value as Record<string, unknown>;
      cursor.update(Object.fromEntries(Object.entries(value).map(([k, v]) => [k, typeof v === 'string' && k !== 'id' ? v.replace(from, to) : v])));
      cursor.continue();
    };
  });
  db.close();
}

/** Runs in the page: sealed messages, one under the other, which this engine does not hold, as JSON text. */
async function chain([length, text]: [number, string]): Promise<string> {
  const forge = await loadTaskyon({ store: 'memory' });
  const tasks: Task[] = [];
  for (let parent: Task | undefined; tasks.length < length; parent = tasks.at(-1)) {
    tasks.push(await forge.tasks.compile({ role: 'user', ...(parent ? { parent: parent.id } : {}), content: { message: text } }));
  }
  await forge.close();
  return JSON.stringify(tasks);
}

declare global {
  var loadTaskyon: typeof import('../wasm/loader/taskyon.js').loadTaskyon;
  var tasks: Task[];
  var asked: number;
}

test('a task has the same id and the same result after the browser was closed and opened again', async ({ profile }) => {
  let page = await profile.page();
  const before = await page.evaluate(async () => {
    const revision = await harness.install('({ n }) => n * 2', { name: 'twice' });
    const task = await harness.compile(revision, { n: 21 });
    return { store: ty.store, task, record: await ty.tasks.run(task) };
  });
  expect(before).toMatchObject({ store: 'indexeddb', record: { outcome: 'ok', result: 42 } });
  await profile.restart();
  page = await profile.page();
  const after = await page.evaluate(async (id) => {
    const task = await ty.tasks.get(id);
    const again = await ty.tasks.compile(harness.call('twice', { n: 21 }));
    return { task, again: again.id, records: await ty.tasks.records(id), record: await ty.tasks.run(task), tools: await ty.tools.list() };
  }, before.task.id);
  expect(after.task).toEqual(before.task);
  expect(after.again).toBe(before.task.id);
  expect(after.records).toEqual([before.record]);
  expect(after.record).toMatchObject({ outcome: 'ok', result: 42 });
  expect(after.tools).toMatchObject([{ name: 'twice', id: before.task.content.functionCall?.tool }]);
});

test('a run that is aborted at once has a record, which is kept', async ({ profile }) => {
  const page = await profile.page();
  const seen = await page.evaluate(async () => {
    const task = await harness.compile(await harness.install('() => 1', { name: 'one' }));
    const record = await ty.tasks.run(task, { signal: AbortSignal.abort() });
    return { record, kept: (await ty.tasks.records(task)).length };
  });
  expect(seen).toMatchObject({ record: { outcome: 'aborted', started: false }, kept: 1 });
});

test('two tabs may install and run at once, and both see all of it', async ({ profile }) => {
  const tabs = [await profile.page(), await profile.page()];
  const ran = await Promise.all(
    tabs.map((tab, which) =>
      tab.evaluate(async (which) => {
        const ids: string[] = [];
        for (let n = 0; n < 10; n++) {
          await harness.install('() => "both"', { name: 'both' });
          const revision = await harness.install(`() => ${which}`, { name: `own-${which}-${n}` });
          const task = await harness.compile(revision);
          ids.push(task.id);
          if ((await ty.tasks.run(task)).outcome !== 'ok') throw new Error('not ok');
        }
        return ids;
      }, which),
    ),
  );
  for (const tab of tabs) {
    const seen = await tab.evaluate(async (ids) => {
      const records = await Promise.all(ids.map((id) => ty.tasks.records(id as Task['id'])));
      return { records: records.map((list) => list.length), tools: (await ty.tools.list()).length };
    }, ran.flat());
    expect(seen).toEqual({ records: Array(20).fill(1), tools: 21 });
  }
  expect(await tabs[0]!.evaluate(rows)).toMatchObject({ tasks: 20, records: 20, revisions: 21 });
});

test('a tab closed in the middle of a bulk write leaves all of it or nothing', async ({ profile }) => {
  test.setTimeout(180_000);
  const keeper = await profile.page();
  const list = await keeper.evaluate(chain, [1000, 'bulk '.repeat(100)] as [number, string]);
  const outcomes: number[] = [];
  for (const rowsWritten of [1, 300, 999, 1000, Infinity]) {
    const page = await profile.page();
    await page.evaluate(async () => {
      await ty.clear();
      await Promise.all(Array.from({ length: 3 }, (_, i) => ty.tasks.compile({ role: 'user', content: { message: `before ${i}` } })));
    });
    await page.evaluate((text) => void (globalThis.tasks = JSON.parse(text) as Task[]), list);
    // When that many rows are written and nothing is committed, the page holds still until the tab is closed.
    await page.evaluate((rowsWritten) => {
      const { add } = IDBObjectStore.prototype;
      let written = 0;
      IDBObjectStore.prototype.add = function (value) {
        const request = add.call(this, value) as IDBRequest<IDBValidKey>;
        request.addEventListener('success', () => {
          if (++written !== rowsWritten) return;
          console.log('middle');
          for (const until = performance.now() + 20_000; performance.now() < until; );
        });
        return request;
      };
    }, rowsWritten);
    const middle = rowsWritten === Infinity ? Promise.resolve() : page.waitForEvent('console', (message) => message.text() === 'middle');
    const write = page.evaluate(() => ty.tasks.put(tasks)).catch(() => undefined);
    await middle;
    if (rowsWritten === Infinity) await write;
    await page.close();
    outcomes.push((await keeper.evaluate(rows))['tasks']! - 3);
  }
  expect(outcomes).toEqual([0, 0, 0, 0, 1000]);
});

test('a row edited by hand is refused with its id', async ({ profile }) => {
  const page = await profile.page();
  const { task, tool, settings } = await page.evaluate(async () => {
    const revision = await harness.install('() => "innocent"', { name: 'edited', settings: { type: 'object' } });
    const task = await harness.compile(revision, {});
    await ty.tasks.run(task);
    const settings = await ty.settings.set(revision, { theme: 'innocent' });
    return { task: task.id, tool: revision.id, settings: settings.id };
  });
  const read = () =>
    page.evaluate(
      async ([task, tool, settings]) => {
        await ty.close();
        await harness.load({ store: 'indexeddb' }); // nothing is remembered from before
        const refused = async (f: () => Promise<unknown>) => f().then(() => 'read', (error: Error & { code: string }) => `${error.code} ${error.message}`);
        return Promise.all([
          refused(() => ty.tasks.get(task)), refused(() => ty.tasks.records(task)), refused(() => ty.tools.lookup(tool)),
          refused(() => ty.settings.lookup(settings)),
        ]);
      },
      [task, tool, settings] as const,
    );
  expect(await read()).toEqual(['read', 'read', 'read', 'read']);
  await page.evaluate(edit, ['records', 'innocent', 'guilty'] as [string, string, string]);
  await page.evaluate(edit, ['revisions', 'innocent', 'guilty'] as [string, string, string]);
  await page.evaluate(edit, ['settings', 'innocent', 'guilty'] as [string, string, string]);
  const [first, second, third, fourth] = await read();
  expect(first).toBe('read');
  expect(second).toMatch(new RegExp(`^corrupt .*${task}`));
  expect(third).toMatch(new RegExp(`^corrupt .*${tool}`));
  expect(fourth).toMatch(new RegExp(`^corrupt .*${settings}`));
  await page.evaluate(edit, ['tasks', '"name":"edited"', '"name":"other"'] as [string, string, string]);
  expect((await read())[0]).toMatch(new RegExp(`^corrupt .*${task}`));
});

test('erasing leaves nothing behind', async ({ profile }) => {
  const page = await profile.page();
  const seen = await page.evaluate(async () => {
    const revision = await harness.install('() => 1', { name: 'gone', settings: { type: 'object' } });
    await ty.settings.set(revision, { theme: 'dark' });
    const chat = await ty.tasks.compile({ role: 'user', content: { message: 'chat' } });
    const task = await ty.tasks.compile({ ...harness.call('gone', {}), parent: chat.id });
    await ty.tasks.run(task);
    const pinned = await harness.refusal(() => ty.tools.erase(revision));
    await ty.tasks.erase(chat.id);
    const active = await harness.refusal(() => ty.tools.erase(revision));
    await harness.install('() => 2', { name: 'gone' });
    await ty.tools.erase(revision);
    await ty.tools.block(revision, 'was bad');
    return { pinned: pinned.code, active: active.code, after: (await harness.refusal(() => ty.tools.lookup(revision.id))).code };
  });
  expect(seen).toEqual({ pinned: 'conflict', active: 'conflict', after: 'not_found' });
  expect(await page.evaluate(rows)).toEqual({ tasks: 0, records: 0, revisions: 1, bindings: 1, settings: 0, blocks: 1, shelf: 0 });
  await page.evaluate(() => ty.clear());
  expect(await page.evaluate(rows)).toEqual({ tasks: 0, records: 0, revisions: 0, bindings: 0, settings: 0, blocks: 0, shelf: 0 });
});

test('erasing a revision takes what is kept for it, and erasing everything takes all', async ({ profile }) => {
  const page = await profile.page();
  const [gone, stays] = await page.evaluate(async () => {
    const revision = await harness.install('() => 1', { name: 'gone' });
    return [revision.id, (await harness.install('() => 2', { name: 'gone' })).id];
  });
  const kept = (id: string) => ['grant', 'secret', 'storage'].map((room) => `${room}/${id}/é`);
  await page.evaluate(shelve, [...kept(gone!), ...kept(stays!), 'audit/1']);
  await page.evaluate((id) => ty.tools.erase(id as Revision['id']), gone!);
  expect(await page.evaluate(shelved)).toEqual(['audit/1', ...kept(stays!)]);
  await page.evaluate(() => ty.clear());
  expect(await page.evaluate(shelved)).toEqual([]);
});

test('a page without IndexedDB works from memory and says so', async ({ profile }) => {
  const page = await profile.page(() => void Object.defineProperty(globalThis, 'indexedDB', { value: undefined }));
  expect(await page.evaluate(async () => ({ store: ty.store, record: await harness.run('() => 7') }))).toMatchObject({ store: 'memory', record: { result: 7 } });
});

test('another tab may upgrade: this one lets go and says so, and an old page says that it is old', async ({ profile }) => {
  const page = await profile.page();
  const other = await profile.bare();
  await other.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const request = indexedDB.open('taskyon', 1000);
        request.onblocked = () => reject(new Error('blocked'));
        request.onsuccess = () => resolve(request.result.close());
      }),
  );
  const refused = await page.evaluate(() => harness.refusal(() => ty.tools.list()));
  expect(refused).toMatchObject({ code: 'unavailable', message: expect.stringContaining('newer version') });
  const old = await other.evaluate(() => harness.refusal(() => harness.load({ store: 'indexeddb' })));
  expect(old).toMatchObject({ code: 'unavailable', message: expect.stringContaining('reload') });
});

test('an upgrade that another tab blocks says what to do', async ({ profile }) => {
  await (await profile.page()).close();
  const holder = await profile.bare();
  await holder.evaluate(
    () =>
      new Promise<void>((resolve) => {
        indexedDB.open('taskyon').onsuccess = () => resolve(); // and never lets go
      }),
  );
  const newer = await profile.bare(() => {
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (name, version) {
      return open.call(this, name, (version ?? 1) + 1);
    };
  });
  const refused = await newer.evaluate(() => harness.refusal(() => harness.load({ store: 'indexeddb' })));
  expect(refused).toMatchObject({ code: 'unavailable', message: expect.stringContaining('close the other tabs') });
  await holder.close();
  const after = await profile.page();
  expect(await after.evaluate(async () => (await harness.run('() => 8')).result), 'the refused upgrade is not made later').toBe(8);
});

test('a full quota is a typed error that changes nothing', async ({ profile, baseURL }) => {
  const page = await profile.page();
  const tasks = await page.evaluate(chain, [100, 'x'.repeat(50_000)] as [number, string]);
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.overrideQuotaForOrigin', { origin: baseURL!, quotaSize: 200_000 });
  const refused = await page.evaluate((text) => harness.refusal(() => ty.tasks.put(JSON.parse(text) as Task[])), tasks);
  expect(refused).toMatchObject({ code: 'too_large', message: expect.stringContaining('erase chats') });
  expect(await page.evaluate(rows)).toMatchObject({ tasks: 0 });
  await session.send('Storage.overrideQuotaForOrigin', { origin: baseURL! });
  await page.evaluate((text) => ty.tasks.put(JSON.parse(text) as Task[]), tasks);
  expect(await page.evaluate(rows)).toMatchObject({ tasks: 100 });
});

test('the browser is asked once to keep the data, after the first install', async ({ profile }) => {
  const count = () => {
    globalThis.asked = 0;
    navigator.storage.persist = () => Promise.resolve(++globalThis.asked > 0);
  };
  const page = await profile.page(count);
  expect(await page.evaluate(() => asked)).toBe(0);
  await page.evaluate(async () => {
    await harness.install('() => 1');
    await harness.install('() => 2');
  });
  await expect.poll(() => page.evaluate(() => asked)).toBe(1);
  const next = await profile.page(count);
  await next.evaluate(() => harness.install('() => 3'));
  expect(await next.evaluate(() => asked)).toBe(0);
});

/** The Go tests of the store in a page: what they print, and the code with which they end. They need no engine. */
async function goTests(page: Page, run: string, env: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  execFileSync('go', ['test', '-c', '-o', 'build/site/store-test.wasm', './wasm/browser/store'], {
    env: { ...process.env, GOOS: 'js', GOARCH: 'wasm' },
    stdio: 'inherit',
  });
  const ended = await page.evaluate(
    async ({ run, env }) => {
      const runtime = '/wasm_exec.js';
      await import(runtime);
      const scope = globalThis as unknown as {
        Go: new () => {
          argv: string[]; env: Record<string, string>; exit: (code: number) => void; importObject: WebAssembly.Imports;
          run(instance: WebAssembly.Instance): Promise<void>;
        };
        fs: { writeSync(file: number, bytes: Uint8Array): number };
      };
      let output = '';
      scope.fs.writeSync = (_, bytes) => {
        output += new TextDecoder().decode(bytes);
        return bytes.length;
      };
      const go = new scope.Go();
      let code = -1;
      go.argv = ['store.test', '-test.v', `-test.run=${run}`];
      go.env = env;
      go.exit = (exit) => void (code = exit);
      const { instance } = await WebAssembly.instantiateStreaming(fetch('/store-test.wasm'), go.importObject);
      await go.run(instance);
      return { code, output };
    },
    { run, env },
  );
  test.info().annotations.push({ type: 'output', description: ended.output });
  return ended;
}

test('IndexedDB keeps the contracts that every store keeps', async ({ profile }) => {
  test.setTimeout(180_000);
  const { code, output } = await goTests(await profile.bare(), '.');
  expect(code, output).toBe(0);
  for (const each of ['IndexedDBKeepsTheStoreContracts', 'ARowOfTheShelfThatIsNoBytesIsRefusedWithItsKey', 'AShelfWhoseDatabaseIsDeletedOrClosedSaysSo']) {
    expect(output).toContain(`--- PASS: Test${each}`);
  }
});

test('a shelf for which there is no room says so and keeps what it has', async ({ profile, baseURL }) => {
  const page = await profile.bare();
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.overrideQuotaForOrigin', { origin: baseURL!, quotaSize: 200_000 });
  const { code, output } = await goTests(page, 'NoRoom', { LITTLE_ROOM: 'yes' });
  expect(code, output).toBe(0);
  expect(output).toContain('--- PASS: TestAShelfForWhichThereIsNoRoomSaysSoAndKeepsWhatItHas');
});
