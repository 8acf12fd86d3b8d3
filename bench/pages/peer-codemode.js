import { IframeSandboxExecutor } from '/peers/codemode/browser.js';

/** Every run has a frame of its own: cold and warm are the same. */
export async function codemode() {
  const fns = { x: async () => 1 };
  const run = (code, timeout) => new IframeSandboxExecutor({ timeout }).execute(code, [{ name: 'codemode', fns }]);
  const cold = async (code) => {
    const { result, error } = await run(code, 30_000);
    if (error !== undefined) throw new Error(error);
    return result;
  };
  const ended = async (code, ms) => (await run(code, ms)).error ?? 'ok';
  return {
    cold,
    warm: async (code) => () => cold(code),
    endless: ended,
    flood: (ms) => ended('async () => { for (;;) { codemode.x().catch(() => {}); await null } }', ms),
    close: async () => {},
  };
}
