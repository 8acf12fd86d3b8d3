import type { Contract, HostName, Kind, Suite } from './page/types.js';
import { exception, kept, why, type Found } from './run.js';

export type Result = 'pass' | 'fail' | 'not applicable' | 'not observable' | 'judged as srcdoc';

/** One contract in one kind on one host. */
export interface Row {
  readonly id: string;
  readonly place: string;
  readonly result: Result;
  readonly why: string;
  readonly ms: number;
}

/** The kind that pages use unless they say otherwise goes without saying. */
export const placeName = (host: HostName, kind: Kind): string => (kind === 'srcdoc' ? host : `${host}/${kind}`);

/** Whether all contracts are run there. What a frame holds is the same text in each kind: one engine judges it once more in the served kind. */
export const runsWhole = (host: HostName, kind: Kind): boolean => kind === 'srcdoc' || host === 'chromium';

/** Whether a contract is run in a kind on a host: one of those that apply, or at least of those that are about the frame itself. */
export function runs(contract: Contract, host: HostName, kind: Kind): boolean {
  return exception(contract, host, kind) === undefined && (contract.framed || runsWhole(host, kind));
}

export function row(contract: Contract, host: HostName, kind: Kind, found: Found | undefined): Row {
  const here = { id: contract.id, place: placeName(host, kind), ms: 0 };
  const except = exception(contract, host, kind);
  if (except) return { ...here, result: except.result, why: except.reason };
  if (!runs(contract, host, kind)) return { ...here, result: 'judged as srcdoc', why: '' };
  if (!found) return { ...here, result: 'fail', why: 'it was not run' };
  return { ...here, result: kept(found) ? 'pass' : 'fail', why: why(found), ms: found.verdict.ms };
}

/** `engine passed/total (not applicable n, not observable m)`: total counts what was judged; the rest stands in the parentheses. */
export function line(host: HostName, kind: Kind, rows: readonly Row[], absent: number): string {
  const count = (result: Result): number => rows.filter((one) => one.result === result).length;
  const passed = count('pass');
  const elsewhere = count('judged as srcdoc');
  const rest = [`not applicable ${absent + count('not applicable')}`, `not observable ${count('not observable')}`, ...(elsewhere > 0 ? [`judged as srcdoc ${elsewhere}`] : [])];
  return `${placeName(host, kind)} ${passed}/${passed + count('fail')} (${rest.join(', ')})`;
}

/** The contracts that do not come out the same everywhere, with the reasons. Places that say the same share a line. */
export function differences(rows: readonly Row[], suite: Suite): string {
  const out: string[] = [];
  for (const { id, title } of suite.contracts) {
    const here = rows.filter((one) => one.id === id && one.result !== 'judged as srcdoc');
    if (here.every(({ result }) => result === 'pass')) continue;
    out.push(`${id} ${title}`);
    const said = new Map<string, string[]>();
    for (const { place, result, why: reason } of here) {
      const text = `${result}${reason === '' ? '' : `: ${reason}`}`;
      said.set(text, [...(said.get(text) ?? []), place]);
    }
    for (const [text, places] of said) out.push(`    ${places.join(', ')}: ${text}`);
  }
  return out.length === 0 ? 'no differences between the places' : `differences and what was not judged:\n${out.join('\n')}`;
}
