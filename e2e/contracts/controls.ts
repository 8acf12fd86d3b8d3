import { readFile } from 'node:fs/promises';
import { selfSigned } from './canary.js';
import type { Engine } from './engines/engine.js';
import type { Contract, Guard, HostName, Kind, Suite } from './page/types.js';
import { placeName } from './report.js';
import { drilled, exception, kept, runContracts, runPatiently, why, withNames, type Found, type Setup } from './run.js';

/**
 * Proves on one host that the contracts notice: in one and the same page each must be kept while every guard is on, and must fail
 * when its guard is off. Gives the number of contracts that prove nothing.
 */
export async function control(host: HostName, kind: Kind, start: () => Promise<Engine>, suite: Suite): Promise<number> {
  const contracts = suite.contracts.filter((contract) => exception(contract, host, kind) === undefined);
  const place = placeName(host, kind);
  const certificate = selfSigned();
  const weak = JSON.parse(await readFile('build/site/frames/guards.json', 'utf8')) as string[];
  const inFrame = suite.guards.filter((guard) => guard.kind === 'frame').map(({ name }) => name);
  const strangers = weak.filter((name) => !inFrame.includes(name));
  if (strangers.length > 0) throw new Error(`guards that no contract knows: ${strangers.join(', ')}`);
  let blind = 0;
  for (const guard of suite.guards) {
    const watchers = contracts.filter(({ guard: own, guardOn }) => (guardOn?.[host] ?? own) === guard.name);
    if (watchers.length === 0) continue;
    const { on, off } = await setups(guard, kind, suite);
    const engine = await start();
    let withGuard: Map<string, Found>;
    let without: Map<string, Found>;
    let log: string | undefined;
    try {
      withGuard = await runPatiently(engine, watchers, on, certificate);
      without = await runContracts(engine, watchers, off, certificate);
      // A busy machine can keep a contract from being run at all.
      const broken = watchers.filter(({ id }) => ofRunner(without.get(id)));
      for (const [id, found] of broken.length > 0 ? await runContracts(engine, broken, off, certificate) : []) without.set(id, found);
    } finally {
      log = await engine.close();
    }
    without = withNames(without, watchers, log);
    const failures = watchers.map((contract) => blindness(contract, withGuard.get(contract.id), without.get(contract.id))).filter((reason) => reason !== undefined);
    console.log(`${place} without ${guard.name}: ${watchers.length - failures.length} of ${watchers.length} contracts fail, as they must`);
    for (const failure of failures) console.log(`    ${failure}`);
    // VERBOSE=1 shows how each of them fails.
    if (process.env['VERBOSE']) for (const { id } of watchers) console.log(`    ${id}: ${why(without.get(id)!)}`);
    blind += failures.length;
  }
  const unguarded = contracts.filter(({ guard }) => guard === '').map(({ id }) => id);
  console.log(`${place}: ${contracts.length - blind - unguarded.length}/${contracts.length - unguarded.length} contracts notice that their guard is off; ${unguarded.length} have none: ${unguarded.join(', ')}`);
  return blind;
}

/** The same page with the guard and without it. What would stand in for it is off in both. */
async function setups({ name, kind: where, lifted, behind = [] }: Guard, kind: Kind, suite: Suite): Promise<{ on: Setup; off: Setup }> {
  const [inFrame, ...more] = suite.guards.filter((guard) => guard.kind === 'frame' && behind.includes(guard.name)).map((guard) => guard.name);
  if (more.length > 0 || (inFrame !== undefined && where === 'frame')) throw new Error(`guard ${name}: there is no frame that is without several guards`);
  const { contracts } = suite;
  const on: Setup = { kind, controls: true, frame: await drilled(contracts, inFrame), guardsOff: behind, policed: !behind.includes('host-policy') };
  const without = [...behind, name];
  switch (where) {
    case 'frame':
      return { on, off: { ...on, frame: await drilled(contracts, name) } };
    case 'page':
      return { on, off: { ...on, policed: false } };
    case 'host':
    case 'core':
    case 'served':
      // The page's policy would stand in for what the frame lacks.
      return { on: { ...on, policed: false }, off: { ...on, policed: false, guardsOff: without } };
    case 'limits':
      return { on, off: { ...on, limits: lifted ?? {} } };
  }
}

function blindness({ id }: Contract, withGuard: Found | undefined, without: Found | undefined): string | undefined {
  if (!withGuard || !without) return `${id}: it was not run`;
  if (!kept(withGuard)) return `${id}: fails with the guard too: ${why(withGuard)}`;
  if (kept(without)) return `${id}: is kept without its guard, so it proves nothing`;
  if (ofRunner(without)) return `${id}: its failure is the runner's: ${without.verdict.why}`;
  return undefined;
}

/** Whether what failed is the runner and not the contract. */
function ofRunner(found: Found | undefined): boolean {
  return found?.verdict.broken === true && found.heard.length === 0;
}
