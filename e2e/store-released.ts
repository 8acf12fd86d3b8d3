/**
 * The databases of released versions and what they held, row for row: an upgrade must find all of it. None of this ever changes, since
 * it lies in browsers.
 */

export const tool = 'tool:b3:007a0cbc80996061df5b48b1abbb84acd3117fd3b341eb32a2d424109cfabc0a';
export const chat = 'task:b3:6dcd31c191db1ad69f2cea899d47a21d6c7a94dcfc2d51a00ab65746e772dc74';
export const task = 'task:b3:c03bc2b2412ed304dbfd7e377bf2467b6a19d306ca6f06ebda2c1b2904a80152';

/** Of version 2 alone: settings of the tool, and a revision that is blocked. */
export const setting = 'settings:b3:38de70128acbdbae88332826c5e5446fdf96e73d1679a2b1d600535ac469230f';
export const blocked = 'tool:b3:92c19ae7446dddb0846bdabe26f26da2774c87ae4e85c2c852fbd213d32674f4';

type Row = Record<string, string | number>;

const rows: Record<string, Row[]> = {
  tasks: [
    { id: chat, parent: '', root: chat, depth: 0, node: '{"content":{"message":"twice 21"},"role":"user"}' },
    {
      id: task, parent: chat, root: chat, depth: 1, tool,
      node: `{"content":{"functionCall":{"arguments":{"n":21},"name":"twice","tool":"${tool}"}},"parent":"${chat}","role":"function"}`,
    },
  ],
  revisions: [{
    id: tool, name: 'twice',
    definition:
      '{"description":"","implementation":{"class":"sandboxed-code","code":"({ n }) => n * 2","language":"javascript"},"name":"twice",' +
      '"parameters":{"properties":{"n":{"type":"number"}},"type":"object"}}',
  }],
  bindings: [{ name: 'twice', revision: tool, at: '2026-01-02T12:00:00.5Z' }],
};

const record = {
  digest: 'b3:de386e0bbf9c3c330ab7bead8fad266ccf581905a2db8f54115cab6053e2e7a7',
  record:
    '{"durationMs":0,"isolation":"browser","outcome":"ok","queuedMs":0,"result":42,"started":true,"startedAt":"",' +
    `"task":"${task}","tool":"${tool}"}`,
};

/** What `makeVersion` is given: it runs in the page and sees nothing of this file. */
interface Held {
  readonly version: 1 | 2;
  /** Of the stores that count up. */
  readonly rows: Record<string, Row[]>;
  /** Of the others: what is put under which key. */
  readonly keyed: { store: string; value: Row | boolean; key: string | [string, number] }[];
}

export const versionOne: Held = { version: 1, rows, keyed: [{ store: 'records', value: record, key: [task, 0] }, { store: 'meta', value: true, key: 'asked to persist' }] };

const at = '2026-01-02T12:00:00.5Z';

export const versionTwo: Held = {
  version: 2,
  rows: { ...rows, settings: [{ revision: tool, id: setting, values: `{"tool":"${tool}","values":{"theme":"dark"}}`, at }] },
  keyed: [...versionOne.keyed, { store: 'blocks', value: { revision: blocked, reason: 'leaks', at }, key: blocked }],
};

/** Runs in the page: makes the database as a program of that version left it, by plain calls. hold keeps it open and never lets go. */
export async function makeVersion([{ version, rows, keyed }, hold]: [Held, boolean]): Promise<void> {
  const request = indexedDB.open('taskyon', version);
  request.onupgradeneeded = () => {
    const db = request.result;
    const make = (name: string, unique: string[], others: string[]) => {
      const store = db.createObjectStore(name, { keyPath: 'seq', autoIncrement: true });
      for (const field of unique) store.createIndex(field, field, { unique: true });
      for (const field of others) store.createIndex(field, field, { unique: false });
    };
    make('tasks', ['id'], ['parent', 'root', 'tool']);
    db.createObjectStore('records');
    make('revisions', ['id'], ['name']);
    make('bindings', [], ['name', 'revision']);
    db.createObjectStore('meta');
    if (version === 1) return;
    make('settings', [], ['id', 'revision']);
    db.createObjectStore('blocks');
  };
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  await new Promise<void>((resolve, reject) => {
    const transaction = db.transaction([...db.objectStoreNames], 'readwrite');
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    for (const [name, list] of Object.entries(rows)) for (const row of list) transaction.objectStore(name).add(row);
    for (const { store, value, key } of keyed) transaction.objectStore(store).add(value, key);
  });
  if (hold) Object.assign(globalThis, { held: db }); // what nothing refers to, the browser closes
  else db.close();
}
