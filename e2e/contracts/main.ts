// `make contracts`: runs the security contracts in three engines, or with CONTROLS=1 proves that each contract fails without its
// guard. ENGINES=chromium,firefox and ONLY=N01,N02 choose some.
import { selfSigned } from './canary.js';
import { control } from './controls.js';
import { startChromium } from './engines/chromium.js';
import type { Engine } from './engines/engine.js';
import { startFirefox } from './engines/firefox.js';
import { startWebKit } from './engines/webkit.js';
import type { HostName, Suite } from './page/types.js';
import { differences, line, row, type Row } from './report.js';
import { drilled, judged, runPatiently, suite, withNames, type Found } from './run.js';

const start: { readonly [host in HostName]: () => Promise<Engine> } = { chromium: startChromium, firefox: startFirefox, webkit: startWebKit };

const listed = (name: string): string[] | undefined => process.env[name]?.split(',').filter((part) => part !== '');
const hosts = (listed('ENGINES') ?? Object.keys(start)) as HostName[];
const only = listed('ONLY');

async function judge(host: HostName, all: Suite): Promise<Row[]> {
  const contracts = judged(all.contracts, host);
  const certificate = selfSigned();
  const engine = await start[host]();
  let found = new Map<string, Found>();
  let log: string | undefined;
  try {
    found = await runPatiently(engine, contracts.filter(({ drill }) => drill === undefined), {}, certificate);
    const drills = contracts.filter(({ drill }) => drill !== undefined);
    const setup = { controls: true, frame: await drilled(all.contracts) };
    for (const [id, one] of await runPatiently(engine, drills, setup, certificate)) found.set(id, one);
  } finally {
    log = await engine.close();
  }
  found = withNames(found, contracts, log);
  return all.contracts.map((contract) => row(contract, host, found.get(contract.id)));
}

const whole = await suite();
const all = only ? { ...whole, contracts: whole.contracts.filter(({ id }) => only.includes(id)) } : whole;
let failed = 0;
const rows: Row[] = [];
for (const host of hosts) {
  if (process.env['CONTROLS'] === '1') {
    failed += await control(host, start[host], all);
    continue;
  }
  const began = Date.now();
  const here = await judge(host, all);
  rows.push(...here);
  for (const { id, result, why: reason } of here) if (result === 'fail') console.log(`${host} ${id} fail: ${reason}`);
  failed += here.filter(({ result }) => result === 'fail').length;
  console.log(`${line(host, here, all.absent.length)}  ${Math.round((Date.now() - began) / 1000)} s`);
}
if (rows.length > 0) console.log(differences(rows, all));
process.exitCode = failed > 0 ? 1 : 0;
