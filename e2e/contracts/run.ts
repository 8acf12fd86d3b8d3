import { readFile } from 'node:fs/promises';
import { Canary, type Certificate } from './canary.js';
import type { Engine } from './engines/engine.js';
import type { Assignment, Contract, Ears, Exception, HostName, Kind, Place, Suite, Verdict } from './page/types.js';
import { Site, type Told } from './site.js';

/** A contract may take so long before its page is given up. */
const patience = 60_000;
const silent = 'the page does not answer any more';

/** How a page is set up: by default as it ships. */
export interface Setup {
  readonly kind: Kind;
  readonly controls?: boolean; // the engine whose guards can be turned off
  readonly guardsOff?: readonly string[];
  readonly frame?: string; // the frame's script
  readonly limits?: { readonly [name: string]: number };
  readonly policed?: boolean; // the page has the documented policy; true unless said otherwise
}

/** What was found about one contract: the page's word, and what its canary heard. */
export interface Found {
  readonly verdict: Verdict;
  readonly heard: readonly string[];
}

export async function suite(): Promise<Suite> {
  return JSON.parse(await readFile('build/site/contracts.json', 'utf8')) as Suite;
}

/** The frame's script, whole or without a guard, in front of it the drills of a frame that an attacker holds. */
export async function drilled(contracts: readonly Contract[], guard?: string): Promise<string> {
  const frame = await readFile(`build/site/frames/frame${guard === undefined ? '' : `-${guard}`}.js`, 'utf8');
  const drills = contracts.filter(({ drill }) => drill !== undefined).map(({ id, drill }) => `${id}: async ({ url, https, ws, udp, name, host, shared }) => {\n${drill}\n},`);
  // An attacker who had the frame from the start has kept what the frame gives away later.
  return `(() => { const kept = { fetch: window.fetch, RTCPeerConnection: window.RTCPeerConnection, WebTransport: window.WebTransport, WebSocket: window.WebSocket, open: window.open };
const drills = {\n${drills.join('\n')}\n};
addEventListener('message', async ({ source, data }) => {
  const id = data && data.drill;
  if ((source !== parent && source !== opener) || !Object.hasOwn(drills, id)) return;
  let value;
  try { value = await drills[id](data.to) } catch (error) { value = { threw: String(error && error.name) } }
  source.postMessage({ drilled: id, value: value === undefined ? null : value }, '*');
}) })();\n${frame}`;
}

/**
 * Runs contracts in one engine. One that fails is run again, up to three times in all, since a machine that is busy with something else can
 * make a clock run out. That is told; and what its canary heard at any time counts.
 */
export async function runPatiently(engine: Engine, contracts: readonly Contract[], setup: Setup, certificate: Certificate): Promise<Map<string, Found>> {
  const found = await runContracts(engine, contracts, setup, certificate);
  for (let round = 2; round <= 3; round++) {
    const again = contracts.filter(({ id }) => !kept(found.get(id)!));
    if (again.length === 0) break;
    for (const [id, { verdict, heard }] of await runContracts(engine, again, setup, certificate)) {
      const before = found.get(id)!;
      const both = { verdict, heard: [...before.heard, ...heard] };
      if (kept(both)) console.log(`${engine.host} ${id} was kept at try ${round}; before: ${why(before)}`);
      found.set(id, both);
    }
  }
  return found;
}

/** Runs contracts in one engine, each with a canary of its own. A page that dies is replaced, and its contract has failed. */
export async function runContracts(engine: Engine, contracts: readonly Contract[], setup: Setup, certificate: Certificate): Promise<Map<string, Found>> {
  const canaries = new Map<string, Canary>();
  for (const { id } of contracts) canaries.set(id, await Canary.listen(id, certificate));
  const ears: { [id: string]: Ears } = {};
  for (const [id, canary] of canaries) ears[id] = canary.ears;
  const verdicts = new Map<string, Verdict>();
  try {
    for (let left = contracts.map(({ id }) => id); left.length > 0; left = left.filter((id) => !verdicts.has(id))) {
      const assignment: Assignment = {
        ids: left,
        ears,
        wasm: setup.controls ? '/taskyon-controls.wasm' : '/taskyon.wasm',
        guardsOff: setup.guardsOff ?? [],
        ...(setup.frame === undefined ? {} : { frame: '/frame.js' }),
        ...(setup.limits === undefined ? {} : { limits: setup.limits }),
      };
      await onePage(engine, assignment, contracts, setup, verdicts);
    }
    // What is on its way yet may arrive.
    await new Promise((done) => setTimeout(done, 300));
    // Without the header Connection-Allowlist a served frame connects like one of the other kind.
    const listed = setup.kind === 'page' && !setup.guardsOff?.includes('header-allowlist');
    const heard = ({ id, bare, hears }: Contract): string[] => {
      const hits = (canaries.get(id)?.hits ?? []).filter((hit) => hit !== 'connection' || !at(bare, engine.host, listed ? 'page' : 'srcdoc'));
      return hears === undefined ? hits : unforeseen(hits, hears.map((line) => line.replaceAll('{id}', id)));
    };
    return new Map(contracts.flatMap((contract) => {
      const verdict = verdicts.get(contract.id);
      return verdict ? [[contract.id, { verdict, heard: heard(contract) }]] : [];
    }));
  } finally {
    await Promise.all([...canaries.values()].map((canary) => canary.close()));
  }
}

/** Runs contracts until the page is through with them, or has died of one. */
async function onePage(engine: Engine, assignment: Assignment, contracts: readonly Contract[], { kind, frame, policed }: Setup, verdicts: Map<string, Verdict>): Promise<void> {
  let current = assignment.ids[0] as string;
  let began = Date.now();
  let end: (why?: string) => void = () => {};
  const ended = new Promise<string | undefined>((done) => (end = done));
  const told = (word: Told): void => {
    if (word.what === 'begin') [current, began] = [word.id, Date.now()];
    else if (word.what === 'verdict') verdicts.set(word.verdict.id, word.verdict);
    else if (word.what === 'error') end(`an error of the page: ${word.message}`);
    else end();
  };
  const site = await Site.serve({ assignment, contracts, kind, policed: policed ?? true, ...(frame === undefined ? {} : { frame }) }, told);
  const clock = setInterval(() => Date.now() - began > patience && end(silent), 500);
  let close = async (): Promise<void> => {};
  try {
    close = await engine.open(`${site.origin}/contracts.html`);
    const why = await ended;
    if (why !== undefined && !verdicts.has(current)) verdicts.set(current, { id: current, result: 'fail', why, broken: why !== silent, ms: Date.now() - began });
  } finally {
    clearInterval(clock);
    await close();
    await site.close();
  }
}

/** What was heard beyond what is to be heard, and what was not heard of that. A request that is foreseen may be cut short. */
function unforeseen(hits: readonly string[], hears: readonly string[]): string[] {
  const lines = hears.map((line) => ({ line, re: new RegExp(`^(?:${line})$`) }));
  const foreseen = (hit: string): boolean => hit === 'connection' || hit === 'bytes' || lines.some(({ re }) => re.test(hit) || re.test(hit.replace(/^cut /, '')));
  return [...hits.filter((hit) => !foreseen(hit)), ...lines.filter(({ re }) => !hits.some((hit) => re.test(hit))).map(({ line }) => `no ${line}`)];
}

/** A name that was looked up is heard too, in engines that tell. */
export function withNames(found: Map<string, Found>, contracts: readonly Contract[], log: string | undefined): Map<string, Found> {
  if (log === undefined) return found;
  const all = new Map(found);
  for (const { id } of contracts) {
    const one = all.get(id);
    const name = new RegExp(`\\b${id.toLowerCase()}-\\d+\\.localhost`).exec(log)?.[0];
    if (one && name !== undefined) all.set(id, { ...one, heard: [...one.heard, `lookup of ${name}`] });
  }
  return all;
}

/** Whether a contract was kept. */
export function kept({ verdict, heard }: Found): boolean {
  return verdict.result === 'pass' && heard.length === 0;
}

export function why({ verdict, heard }: Found): string {
  return [verdict.why, heard.length > 0 ? `the canary heard ${[...new Set(heard)].slice(0, 4).join(', ')}` : undefined].filter(Boolean).join('; ');
}

/** Why a contract is not judged in a kind on a host, if it is not. */
export function exception({ except }: Contract, host: HostName, kind: Kind): Exception | undefined {
  return at(except, host, kind);
}

function at<T>(places: { readonly [place in Place]?: T } | undefined, host: HostName, kind: Kind): T | undefined {
  return places?.[`${host}/${kind}`] ?? places?.[host] ?? places?.[kind];
}

/** Contracts that are run with an engine whose guards can be turned off: they play a frame that an attacker holds, or want a page that the engine would refuse. */
export function staged({ drill, served }: Contract): boolean {
  return drill !== undefined || (served?.off ?? []).length > 0;
}
