import { loadTaskyon } from '/taskyon.js';
import { createBLAKE3 } from '/hash-wasm.js';
import { interleaved } from '/common.js';

/**
 * Milliseconds of reading the longest lineage, by the engine and by hand, and how many IndexedDB requests the engine makes for each
 * length. Requests are counted before the engine is loaded, so that it cannot have kept the functions as they were.
 */
export async function lineage({ lengths, rounds }) {
  const counter = countRequests();
  const ty = await loadTaskyon({ store: 'indexeddb' });
  if (ty.store !== 'indexeddb') throw new Error(`the store is ${ty.store}`);
  const chats = new Map();
  for (const length of lengths) chats.set(length, await fill(ty, length));
  const requests = {};
  for (const [length, chat] of chats) {
    const before = counter.requests;
    await ours(ty, chat);
    requests[length] = counter.requests - before;
  }
  const chat = chats.get(Math.max(...lengths));
  const raw = await openRaw();
  const samples = await interleaved({ ours: () => ours(ty, chat), raw: () => raw.read(chat) }, { warmup: 2, rounds });
  raw.close();
  await ty.close();
  return { requests, ...samples };
}

async function ours(ty, { root, leaf, length }) {
  const tasks = await ty.tasks.lineage(leaf);
  if (tasks.length !== length || tasks[0].id !== root || tasks.at(-1).id !== leaf) throw new Error(`${tasks.length} tasks, not ${length}`);
}

/** Counts what reads one result each: requests, and the steps of cursors. */
function countRequests() {
  const counter = { requests: 0 };
  const reads = ['get', 'getKey', 'getAll', 'getAllKeys', 'getAllRecords', 'count', 'openCursor', 'openKeyCursor'];
  for (const [{ prototype }, names] of [[IDBObjectStore, reads], [IDBIndex, reads], [IDBCursor, ['continue', 'continuePrimaryKey', 'advance']]]) {
    for (const name of names) {
      const kept = prototype[name];
      if (!kept) continue;
      prototype[name] = function (...args) {
        counter.requests++;
        return kept.apply(this, args);
      };
    }
  }
  return counter;
}

/** Stores a chat of that many messages. An engine of its own compiles them, so that importing is the only way in. */
async function fill(ty, length) {
  const author = await loadTaskyon({ store: 'memory' });
  const tasks = [];
  for (let i = 0; i < length; i++) {
    const parent = tasks.at(-1)?.id;
    const message = `message ${i} of ${length}: what was said here is as long as a line of a letter`;
    tasks.push(await author.tasks.compile({ role: i % 2 ? 'assistant' : 'user', ...(parent && { parent }), content: { message } }));
  }
  await author.close();
  for (let i = 0; i < length; i += 1000) await ty.tasks.put(tasks.slice(i, i + 1000));
  return { root: tasks[0].id, leaf: tasks.at(-1).id, length };
}

/** Reads the same rows with one getAll, parses and hashes each. */
async function openRaw() {
  const hash = await createBLAKE3();
  const db = await result(indexedDB.open('taskyon'));
  return {
    read: async ({ root, length }) => {
      const rows = await result(db.transaction('tasks').objectStore('tasks').index('root').getAll(root));
      const tasks = rows.map(({ node }) => ({ id: hash.init().update(node).digest('hex'), ...JSON.parse(node) }));
      if (tasks.length !== length) throw new Error(`${tasks.length} rows, not ${length}`);
    },
    close: () => db.close(),
  };
}

function result(request) {
  return new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
}
