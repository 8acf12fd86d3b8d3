import type { LoadOptions } from './taskyon.js';
import { TaskyonError } from './errors.js';

/** The address of the sandbox page, whole, that the options ask for; undefined for frames without an address. */
export function pageOf(sandbox: LoadOptions['sandbox'] = 'srcdoc'): string | undefined {
  if (sandbox === 'srcdoc') return undefined;
  const page = typeof sandbox === 'object' && sandbox !== null ? sandbox.page : undefined;
  if (typeof page !== 'string' && !(page instanceof URL)) throw refused("want 'srcdoc' or { page: the address of sandbox.html }");
  if (!URL.canParse(page, document.baseURI)) throw refused(`page ${JSON.stringify(page)} is no address`);
  const url = new URL(page, document.baseURI);
  // Any other scheme gives a document that inherits from this page, or none at all.
  if (!/^(https?|[a-z-]+-extension):$/.test(url.protocol)) throw refused(`page ${url.href.slice(0, 80)}: want an address of http, https or an extension`);
  url.hash = '';
  return url.href;
}

function refused(text: string): TaskyonError {
  return new TaskyonError('invalid_request', `loadTaskyon: sandbox: ${text}`, { path: '$.sandbox' });
}
