import type { Revision, Taskyon } from '../../../wasm/loader/taskyon.js';
import { drill } from './drill.js';
import type { Contract, Ears, Step } from './types.js';

/** What a probe may look at. */
export interface Sight {
  readonly ty: Taskyon;
  readonly contract: Contract;
  readonly ears: Ears;
  readonly revisions: readonly (Revision | undefined)[];
  readonly page: string | undefined; // that the frames show
  readonly step: Step; // its args are the probe's
}

/** What the page itself hears and shows, from its first moment on. */
const bait = { broadcast: 0, messages: 0, shared: '' };
const channel = new BroadcastChannel('taskyon');
channel.onmessage = () => bait.broadcast++;
addEventListener('message', ({ data }) => {
  if ((data as { drilled?: unknown } | null)?.drilled === undefined) bait.messages++;
});
document.title = 'host';
window.name = 'host';
localStorage.setItem('secret', 'of the host');
document.cookie = 'secret=host';

const probes: { readonly [name: string]: (sight: Sight) => unknown } = {
  /** What reached the page beside the ports, and what it shows. */
  host: () => ({
    ...bait,
    title: document.title,
    name: window.name,
    history: history.length,
    path: location.pathname,
    active: document.activeElement?.tagName ?? '',
    secret: localStorage.getItem('secret'),
    polluted: Object.keys(globalThis).filter((key) => key.startsWith('polluted')),
    visible: [...document.querySelectorAll('iframe')].filter((frame) => frame.getClientRects().length > 0 && frame.offsetParent !== null).length,
  }),
  /** How frames are made. */
  frames: () =>
    [...document.querySelectorAll<HTMLIFrameElement>('iframe[data-taskyon]')].map((frame) => ({
      ...Object.fromEntries(frame.getAttributeNames().map((name) => [name, frame.getAttribute(name)])),
      srcdoc: '',
      policy: /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(frame.srcdoc)?.[1],
      maps: /importmap|<base/i.test(frame.srcdoc.replace(/<script>[^]*/, '')),
    })),
  /** The headers of this page and of what it loads. */
  headers: async () => {
    const names = ['report-to', 'reporting-endpoints', 'nel', 'link', 'content-security-policy-report-only', 'refresh'];
    const found: { [name: string]: string } = {};
    for (const path of [location.pathname, '/taskyon.js', '/taskyon.wasm', '/sandbox.html']) {
      const { headers } = await fetch(path, { method: 'HEAD' });
      for (const name of names) if (headers.has(name)) found[`${path} ${name}`] = headers.get(name) ?? '';
      const policy = headers.get('content-security-policy') ?? 'none';
      if (/report-|strict-dynamic|nonce-|unsafe-inline|unsafe-eval'|^none$/.test(policy.replace("'wasm-unsafe-eval'", ''))) found[`${path} policy`] = policy;
    }
    return found;
  },
  /** Whether a frame's window that loads something else again is lost. */
  reload: () => {
    const frame = [...document.querySelectorAll<HTMLIFrameElement>('iframe[data-taskyon]')].at(-1)!;
    frame.srcdoc = '<p>another document';
    return new Promise((done) => setTimeout(done, 300, { done: true }));
  },
  /** The page of the frames in a window of its own: what its drill tells, and what a port hears that it is offered. */
  opened: async ({ contract, ears, page }) => {
    const other = open(page);
    if (!other) throw new Error('no window was opened');
    try {
      const told = await drill(other, contract.id, ears, { everyMs: 100 });
      return { told, heard: await heardBy(other) };
    } finally {
      other.close();
    }
  },
  /** A stranger's port, offered to a frame that has one. */
  offer: async ({ contract }) => {
    const frame = [...document.querySelectorAll<HTMLIFrameElement>('iframe[data-taskyon]')].at(-1)!;
    return { id: contract.id, heard: await heardBy(frame.contentWindow!) };
  },
  /** Sandboxes that are ended while they start and while they run. */
  races: async ({ ty, revisions }) => {
    const revision = revisions[0]!;
    const outcomes: string[] = [];
    for (let round = 0; round < 12; round++) {
      const partition = `race-${round}`;
      const call = { name: revision.name, arguments: { ms: 1000 }, tool: revision.id };
      const running = ty.tasks.run(await ty.tasks.compile({ role: 'function', content: { functionCall: call } }), { partition });
      await new Promise((done) => setTimeout(done, (round % 6) * 12));
      await ty.sandboxes.terminate(revision, { partition });
      outcomes.push((await running).outcome);
    }
    await ty.sandboxes.clear();
    await new Promise((done) => setTimeout(done, 100));
    return { left: (await ty.sandboxes.list()).length, frames: document.querySelectorAll('iframe[data-taskyon]').length, outcomes };
  },
  /** More tools than there may be sandboxes. */
  many: async ({ ty }) => {
    const records = await Promise.all(
      Array.from({ length: 24 }, async (_, i) => {
        const { name, id } = await ty.tools.install({ name: `many-${i}`, description: '', code: `() => ${i}` }, { activate: true });
        return ty.tasks.run(await ty.tasks.compile({ role: 'function', content: { functionCall: { name, arguments: {}, tool: id } } }));
      }),
    );
    const ok = records.filter(({ outcome, result }, i) => outcome === 'ok' && result === i).length;
    return { ok, count: (await ty.sandboxes.list()).length, frames: document.querySelectorAll('iframe[data-taskyon]').length };
  },
  /** Texts that would take a reader down. */
  bombs: async ({ ty }) => {
    const code = async (f: () => Promise<unknown>): Promise<string> => f().then(() => 'went', (error: { code?: string }) => error.code ?? 'thrown');
    const deep = '['.repeat(1e5) + ']'.repeat(1e5);
    return {
      task: await code(() => ty.tasks.put([deep])),
      many: await code(() => ty.tasks.put(Array.from({ length: 2e4 }, () => '{"id":1}'))),
      draft: await code(() => ty.tasks.compile(`{"role":"user","content":{"message":"x","more":${deep}}}`)),
      definition: await code(() => ty.tools.install(`{"name":"x","description":"","parameters":${deep},"code":"() => 1"}`)),
      keys: await code(() => ty.tools.install('{"name":"x","name":"y","description":"","code":"() => 1"}')),
      big: await code(() => ty.tools.install(`{"name":"x","description":"${'x'.repeat(4 << 20)}","code":"() => 1"}`)),
    };
  },
  /** The user is logged in at another site. */
  login: async ({ step }) => {
    const { url } = step.args as { url: string };
    await fetch(url, { mode: 'no-cors', credentials: 'include' });
    // Whether the engine takes and sends such cookies at all.
    await fetch(`${url}?again`, { mode: 'no-cors', credentials: 'include' });
    return { done: true };
  },
  /** Sets a secret of a tool. */
  secret: async ({ ty, revisions, step }) => {
    const { name, value, origins } = step.args as { name: string; value: string; origins: string[] };
    await ty.secrets.set(revisions[step.tool]!, name, value, { origins });
    return { set: true };
  },
  /** Takes back what was allowed to a tool. */
  revoke: async ({ ty, revisions, step }) => {
    const grants = await ty.grants.list(revisions[step.tool]!);
    for (const { id } of grants) await ty.grants.revoke(id);
    return { revoked: grants.length };
  },
  /** What the log of asks tells of a tool. */
  audit: async ({ ty, revisions, step }) => (await ty.audit.query({ revision: revisions[step.tool]! })).map(({ capability, decision, scope, class: kind, sent, bytesOut }) => ({ capability, decision, scope, class: kind, sent, bytesOut })),
  rest: ({ step }) => new Promise((done) => setTimeout(done, (step.args as { ms: number }).ms, { rested: true })),
  sandboxes: async ({ ty }) => ({ count: (await ty.sandboxes.list()).length, frames: document.querySelectorAll('iframe[data-taskyon]').length }),
};

/** What a window says to a port that it is offered. */
async function heardBy(target: Window): Promise<readonly unknown[]> {
  const heard: unknown[] = [];
  for (const word of ['taskyon', { drill: '' }, 'taskyon']) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => heard.push(data);
    target.postMessage(word, '*', [port2]);
    port1.postMessage(JSON.stringify({ kind: 'ping', seq: 1 }));
    port1.postMessage(1);
  }
  await new Promise((done) => setTimeout(done, 300));
  return heard;
}

export async function probe(name: string, sight: Sight): Promise<unknown> {
  const look = probes[name];
  if (!look) throw new Error(`no probe ${name}`);
  return look(sight);
}
