/** Globals that Go's loader script sets. A page does not expect them; ours leaves none behind. */
export const goGlobals = ['Go', 'fs', 'path', 'process'] as const;

export type Globals = { [name: string]: unknown };

/** What the page had under those names. This module is imported before Go's script runs. */
export const before = take(goGlobals);

/** Reads and removes globals. */
export function take(names: readonly string[]): Globals {
  const globals = globalThis as unknown as Globals;
  const taken: Globals = {};
  for (const name of names) {
    if (!Object.hasOwn(globals, name)) continue;
    taken[name] = globals[name];
    delete globals[name];
  }
  return taken;
}
