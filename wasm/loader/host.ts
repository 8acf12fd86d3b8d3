import type { Globals } from './before.js';

/** What Go's script keeps of its own, outside the page's globals: its file system is where a dying program writes its last words. */
export const host: Globals = {};
