// The page that runs the contracts it is assigned, one after the other, and tells each verdict at once: should the page die of
// one, its server knows of which.
import type { Taskyon, LoadOptions } from '../../../wasm/loader/taskyon.js';
import { onPermission } from './permission.js';
import { check } from './runner.js';
import type { Assignment, Contract, Suite, Verdict } from './types.js';

const { loadTaskyon } = (await import('/taskyon.js' as string)) as { loadTaskyon(options: LoadOptions): Promise<Taskyon> };

// What of the page a frame may try to reach.
const own = { host: location.origin, shared: sharedWorker() };

const tell = (what: string, body: unknown): Promise<Response> => fetch(`/tell/${what}`, { method: 'POST', body: JSON.stringify(body) });

async function run(): Promise<void> {
  const assignment = (await (await fetch('/assignment')).json()) as Assignment;
  const suite = (await (await fetch('/contracts.json')).json()) as Suite;
  if (assignment.frame !== undefined) Object.assign(globalThis, { taskyonFrame: await (await fetch(assignment.frame)).text() });
  let ty: Taskyon | undefined;
  let has = '';
  for (const id of assignment.ids) {
    const contract = suite.contracts.find((one) => one.id === id) as Contract;
    await tell('begin', { id });
    const limits = { callMs: 4000, startMs: 12_000, ...contract.limits, ...assignment.limits };
    const page = assignment.pages?.[id];
    const guardsOff = [...assignment.guardsOff, ...(contract.served?.off ?? [])];
    const wants = JSON.stringify([limits, page, guardsOff]);
    if (!ty || has !== wants) {
      await ty?.close();
      Object.assign(globalThis, { taskyonGuardsOff: guardsOff });
      ty = await loadTaskyon({ store: 'memory', onPermission, wasmURL: assignment.wasm, limits, ...(page === undefined ? {} : { sandbox: { page } }) });
      has = wants;
    }
    const verdict: Verdict = await check(ty, contract, { ...assignment.ears[id]!, ...own }, page);
    await tell('verdict', verdict);
    // An engine that did not live through a contract is not the next one's.
    if (verdict.result === 'fail') {
      await ty.close().catch(() => {});
      ty = undefined;
    }
  }
  await tell('end', {});
}

addEventListener('error', (event) => void tell('error', { message: `${event.message} ${event.filename}:${event.lineno}` }));
run().catch((error: unknown) => tell('error', { message: `${String(error)} ${(error as Error).stack ?? ''}` }));

function sharedWorker(): string {
  const url = URL.createObjectURL(new Blob(['onconnect = ({ ports: [port] }) => port.postMessage("here")'], { type: 'text/javascript' }));
  new SharedWorker(url, 'host');
  return url;
}
