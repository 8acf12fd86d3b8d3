import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Contract } from './page/types.js';

/** What `make site` wrote. */
export const folder = 'build/site';

/** An answer of the server. */
export interface Answer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

/** The CSP source of a script. */
export const hashOf = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/**
 * sandbox.html as the documentation has it sent, less the guards that are off. A frame script that is not the shipped one stands in it under
 * its own hash, as a build of it would have it.
 */
export async function sandboxPage(frame: string | undefined, off: ReadonlySet<string>): Promise<Answer> {
  let body = await readFile(join(folder, 'sandbox.html'), 'utf8');
  let policy = (await readFile(join(folder, 'csp-sandbox.txt'), 'utf8')).trim();
  if (frame !== undefined) {
    const shipped = /'sha256-[^']+'/.exec(policy)![0];
    [body, policy] = [body, policy].map((text) => text.replace(shipped, () => hashOf(frame))) as [string, string];
    body = body.replace(/<script>[^]*<\/script>/, () => `<script>${frame}</script>`);
  }
  if (off.has('frame-policy')) body = body.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '');
  const left = policy.split('; ').filter((directive) => !off.has(guardOf(directive)));
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      ...(left.length > 0 ? { 'content-security-policy': left.join('; ') } : {}),
      ...(off.has('header-allowlist') ? {} : { 'connection-allowlist': '()' }),
    },
    body,
  };
}

function guardOf(directive: string): string {
  if (directive.startsWith('sandbox ')) return 'header-sandbox';
  return directive.startsWith('frame-ancestors ') ? 'header-ancestors' : 'header-policy';
}

/** What stands at the address of a contract. */
export async function servedFor({ served }: Contract, canary: string, frame: string | undefined, off: readonly string[]): Promise<Answer> {
  if (served?.body === undefined) return sandboxPage(frame, new Set([...off, ...(served?.off ?? [])]));
  return { status: served.status ?? 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: `<!doctype html>${served.body.replaceAll('{url}', canary)}` };
}
