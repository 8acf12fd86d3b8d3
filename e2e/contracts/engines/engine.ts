import type { HostName } from '../page/types.js';

/** A browser that was started for contracts. */
export interface Engine {
  readonly host: HostName;
  /** Opens an address in a fresh page; the function that it gives closes that page, or whatever is left of it. */
  open(url: string): Promise<() => Promise<void>>;
  /** Ends the browser. Gives its log of names looked up, undefined where it keeps none. */
  close(): Promise<string | undefined>;
}

/** Gives up waiting for a browser that does not answer. */
export async function patiently(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([work.catch(() => {}), new Promise((done) => (timer = setTimeout(done, ms)))]);
  clearTimeout(timer);
}
