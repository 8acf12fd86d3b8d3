import type { Revision, Taskyon } from '../../../wasm/loader/taskyon.js';
import { drillInFrame } from './drill.js';
import { mismatch, short } from './match.js';
import { asked, expects } from './permission.js';
import { probe } from './probes.js';
import type { Contract, Ears, Step, Verdict } from './types.js';

/**
 * Runs one contract in an engine that it has to itself for that time. Whatever else the machine does can only add to a standstill of
 * the page, so a contract that fails for nothing else is run again, up to three times, and the calmest run counts.
 */
export async function check(ty: Taskyon, contract: Contract, ears: Ears, page?: string): Promise<Verdict> {
  const started = performance.now();
  let why: string | undefined;
  let broken = false;
  for (let round = 0; round < 3; round++) {
    const calm = watch();
    try {
      why = await within(45_000, attempt(ty, contract, ears, page));
    } catch (error) {
      why = `the runner: ${String(error)}`;
      broken = true;
    }
    const longest = calm();
    await ty.sandboxes.clear();
    if (why !== undefined || contract.calmMs === undefined || longest <= contract.calmMs) break;
    if (round === 2) why = `the page stood still for ${Math.round(longest)} ms, want at most ${contract.calmMs}`;
  }
  return { id: contract.id, result: why === undefined ? 'pass' : 'fail', ...(why === undefined ? {} : { why }), broken, ms: Math.round(performance.now() - started) };
}

async function attempt(ty: Taskyon, contract: Contract, ears: Ears, page: string | undefined): Promise<string | undefined> {
  const revisions: (Revision | undefined)[] = [];
  for (const [i, tool] of (contract.tools ?? []).entries()) {
    const definition = { name: `${contract.id}-${i}`, description: contract.title, code: tool.code + (tool.padKiB ? `/*${'x'.repeat(tool.padKiB * 1024)}*/` : ''), ...tool.more };
    try {
      revisions.push(await ty.tools.install(definition as never, { activate: true }));
      if (tool.refused !== undefined) return `tool ${i} was installed, want ${short(tool.refused)}`;
    } catch (error) {
      const { code, message, path, line } = error as { [key: string]: unknown };
      const found = { code, message, path, line };
      if (tool.refused === undefined) throw error;
      const why = mismatch(found, tool.refused);
      if (why) return `tool ${i}: ${why}`;
      revisions.push(undefined);
    }
  }
  const running: Promise<string | undefined>[] = [];
  for (const [i, step] of contract.steps.entries()) {
    const one = take(ty, contract, step, revisions, ears, page).then((why) => (why === undefined ? undefined : `step ${i}: ${why}`));
    running.push(one);
    if (step.beside) continue;
    const why = await one;
    if (why !== undefined) return why;
  }
  return (await Promise.all(running)).find((why) => why !== undefined);
}

async function take(ty: Taskyon, contract: Contract, step: Step, revisions: readonly (Revision | undefined)[], ears: Ears, page: string | undefined): Promise<string | undefined> {
  const started = performance.now();
  step = filled(step, contract.id, ears);
  const value = step.probe !== undefined ? await probe(step.probe, { ty, contract, ears, revisions, page, step }) : step.drill ? await drillInFrame(contract.id, ears) : await call(ty, step, revisions, ears);
  const took = performance.now() - started;
  const why = mismatch(value, step.expect);
  if (why !== undefined) return `${why}${errorOf(value)}`;
  return step.withinMs !== undefined && took > step.withinMs ? `took ${Math.round(took)} ms, want at most ${step.withinMs}` : undefined;
}

/** A step with the canary's port and the contract's id in their places. */
function filled(step: Step, id: string, { port }: Ears): Step {
  return JSON.parse(JSON.stringify(step).replaceAll('{port}', `${port}`).replaceAll('{id}', id)) as Step;
}

function errorOf(value: unknown): string {
  const { error } = (value ?? {}) as { error?: { message?: string } };
  return error?.message === undefined ? '' : ` (${short(error.message)})`;
}

/** The record of a call, or why there was nothing to run. */
async function call(ty: Taskyon, step: Step, revisions: readonly (Revision | undefined)[], ears: Ears): Promise<unknown> {
  const revision = revisions[step.tool]!;
  const questions = asked(revision.id);
  expects(revision.id, step.permission ?? 'session');
  const draft = { role: 'function', content: { functionCall: { name: revision.name, arguments: { ...ears, ...step.args }, tool: revision.id } } } as const;
  const options = {
    ...(step.partition === undefined ? {} : { partition: step.partition }),
    ...(step.disposable ? { disposable: true } : {}),
    ...(step.abortMs === undefined ? {} : { signal: AbortSignal.timeout(step.abortMs) }),
  };
  try {
    return { ...(await ty.tasks.run(await ty.tasks.compile(draft), options)), asked: questions() };
  } catch (error) {
    const { name, code, message } = error as { name?: string; code?: string; message?: string };
    if (name !== 'TaskyonError') throw error;
    return { refused: code, message };
  }
}

/** Measures the longest time in which the page could not run a timer. */
function watch(): () => number {
  let longest = 0;
  let last = performance.now();
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 5);
  return () => {
    clearInterval(timer);
    look();
    return longest;
  };
}

function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return Promise.race([promise, new Promise<never>((_done, fail) => setTimeout(() => fail(new Error(`nothing within ${ms} ms`)), ms))]);
}
