/** Runs in the page: puts something under keys of the shelf, as the engine's rooms do. */
export async function shelve(keys: string[]): Promise<void> {
  const db = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open('taskyon');
    request.onsuccess = () => resolve(request.result);
  });
  await new Promise<void>((resolve) => {
    const transaction = db.transaction('shelf', 'readwrite');
    transaction.oncomplete = () => resolve();
    for (const key of keys) transaction.objectStore('shelf').put(new Uint8Array([1, 2]), new TextEncoder().encode(key));
  });
  db.close();
}

/** Runs in the page: the keys of the shelf. */
export async function shelved(): Promise<string[]> {
  const db = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open('taskyon');
    request.onsuccess = () => resolve(request.result);
  });
  const keys = await new Promise<IDBValidKey[]>((resolve) => {
    const request = db.transaction('shelf').objectStore('shelf').getAllKeys();
    request.onsuccess = () => resolve(request.result);
  });
  db.close();
  return keys.map((key) => new TextDecoder().decode(key as ArrayBuffer));
}
