import type { Contract, HostName, Suite } from './page/types.js';
import { kept, why, type Found } from './run.js';

export type Result = 'pass' | 'fail' | 'not applicable' | 'not observable';

/** One contract on one host. */
export interface Row {
  readonly id: string;
  readonly host: HostName;
  readonly result: Result;
  readonly why: string;
  readonly ms: number;
}

export function row(contract: Contract, host: HostName, found: Found | undefined): Row {
  const except = contract.except?.[host];
  if (except) return { id: contract.id, host, result: except.result, why: except.reason, ms: 0 };
  if (!found) return { id: contract.id, host, result: 'fail', why: 'it was not run', ms: 0 };
  return { id: contract.id, host, result: kept(found) ? 'pass' : 'fail', why: why(found), ms: found.verdict.ms };
}

/** `engine passed/total (not applicable n, not observable m)`: total counts what was judged; the rest stands in the parentheses. */
export function line(host: HostName, rows: readonly Row[], absent: number): string {
  const count = (result: Result): number => rows.filter((one) => one.result === result).length;
  const passed = count('pass');
  return `${host} ${passed}/${passed + count('fail')} (not applicable ${absent + count('not applicable')}, not observable ${count('not observable')})`;
}

/** The contracts that do not come out the same on every host, with the reasons. */
export function differences(rows: readonly Row[], suite: Suite): string {
  const out: string[] = [];
  for (const { id, title } of suite.contracts) {
    const here = rows.filter((one) => one.id === id);
    if (here.every(({ result }) => result === 'pass')) continue;
    out.push(`${id} ${title}`);
    for (const { host, result, why: reason } of here) out.push(`    ${host}: ${result}${reason === '' ? '' : `: ${reason}`}`);
  }
  return out.length === 0 ? 'no differences between the engines' : `differences and what was not judged:\n${out.join('\n')}`;
}
