// `make contracts`: runs the security contracts in three engines and two kinds of sandbox, or with CONTROLS=1 proves that each contract fails
// without its guard. ENGINES=chromium,firefox, KIND=page and ONLY=N01,N02 choose some.
import { selfSigned } from './canary.js';
import { control } from './controls.js';
import { startChromium } from './engines/chromium.js';
import type { Engine } from './engines/engine.js';
import { startFirefox } from './engines/firefox.js';
import { startWebKit } from './engines/webkit.js';
import type { HostName, Kind, Suite } from './page/types.js';
import { differences, line, row, runs, runsWhole, type Row } from './report.js';
import { drilled, runPatiently, staged, suite, withNames, type Found } from './run.js';

const start: { readonly [host in HostName]: () => Promise<Engine> } = { chromium: startChromium, firefox: startFirefox, webkit: startWebKit };

const listed = (name: string): string[] | undefined => process.env[name]?.split(',').filter((part) => part !== '');
const hosts = (listed('ENGINES') ?? Object.keys(start)) as HostName[];
const kinds = (listed('KIND') ?? ['srcdoc', 'page']) as Kind[];
const only = listed('ONLY');

async function judge(host: HostName, kind: Kind, all: Suite): Promise<Row[]> {
  const contracts = all.contracts.filter((contract) => runs(contract, host, kind));
  const certificate = selfSigned();
  const engine = await start[host]();
  let found = new Map<string, Found>();
  let log: string | undefined;
  try {
    found = await runPatiently(engine, contracts.filter((contract) => !staged(contract)), { kind }, certificate);
    const setup = { kind, controls: true, frame: await drilled(all.contracts) };
    for (const [id, one] of await runPatiently(engine, contracts.filter(staged), setup, certificate)) found.set(id, one);
  } finally {
    log = await engine.close();
  }
  found = withNames(found, contracts, log);
  return all.contracts.map((contract) => row(contract, host, kind, found.get(contract.id)));
}

const whole = await suite();
const all = only ? { ...whole, contracts: whole.contracts.filter(({ id }) => only.includes(id)) } : whole;
let failed = 0;
const rows: Row[] = [];

async function pass(host: HostName, kind: Kind): Promise<void> {
  const began = Date.now();
  const here = await judge(host, kind, all);
  rows.push(...here);
  for (const { id, place, result, why: reason } of here) if (result === 'fail') console.log(`${place} ${id} fail: ${reason}`);
  failed += here.filter(({ result }) => result === 'fail').length;
  console.log(`${line(host, kind, here, all.absent.length)}  ${Math.round((Date.now() - began) / 1000)} s`);
}

const passes = kinds.flatMap((kind) => hosts.map((host) => ({ host, kind })));
if (process.env['CONTROLS'] === '1') {
  for (const { host, kind } of passes) failed += await control(host, kind, start[host], all);
} else {
  // A whole list measures how calm its page stays, and runs alone; what is about the frame itself mostly waits.
  for (const { host, kind } of passes.filter(({ host, kind }) => runsWhole(host, kind))) await pass(host, kind);
  await Promise.all(passes.filter(({ host, kind }) => !runsWhole(host, kind)).map(({ host, kind }) => pass(host, kind)));
}
if (rows.length > 0) console.log(differences(rows, all));
process.exitCode = failed > 0 ? 1 : 0;
// VERBOSE=1 shows what took longest.
if (process.env['VERBOSE']) for (const { id, place, ms } of [...rows].sort((a, b) => b.ms - a.ms).slice(0, 25)) console.log(`${place} ${id} ${ms} ms`);
