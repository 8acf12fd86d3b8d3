// What every spec does in a page: load an engine, install code, compile a draft, run the task. Results come back in a form that
// crosses to the test runner.
import { loadTaskyon, TaskyonError } from '/taskyon.js';

globalThis.loadTaskyon = loadTaskyon;

let revisions = 0;

const call = (name, args, tool) => ({ role: 'function', content: { functionCall: { name, arguments: args, ...(tool ? { tool } : {}) } } });

globalThis.harness = {
  async load(options = { store: 'memory' }) {
    globalThis.ty = await loadTaskyon(options);
  },
  install(code, more = {}) {
    const name = more.name ?? `tool-${++revisions}`;
    return ty.tools.install({ name, description: '', code, ...more }, { activate: true });
  },
  /** Registers a function of the page under a name of its own, in version 1. */
  native(fn, more = {}) {
    const name = more.name ?? `native-${++revisions}`;
    return ty.natives.register({ name, description: '', implementation: { class: 'trusted-native', native: name, version: '1' }, ...more }, fn);
  },
  async compile(revision, args = {}) {
    return ty.tasks.compile(call(revision.name, args, revision.id));
  },
  async runRevision(revision, args = {}, options = {}) {
    return ty.tasks.run(await harness.compile(revision, args), options);
  },
  async run(code, args = {}, options = {}) {
    return harness.runRevision(await harness.install(code), args, options);
  },
  call,
  /** The error that f rejects with, as plain fields; an error of another kind is a failure of ours. */
  async refusal(f) {
    try {
      await f();
    } catch (error) {
      if (!(error instanceof TaskyonError)) throw error;
      const { name, code, message, path, line, column } = error;
      return { name, code, message, path, line, column };
    }
    throw new Error('nothing was refused');
  },
  /**
   * Runs f and measures the longest time in which the page could not run a timer, in milliseconds. Whatever else the machine
   * does can only add to it, so f is run again, up to three times, until the page was calm enough; the calmest run counts. What `before` does is not measured.
   */
  async longestGap(f, enough, before = async () => {}) {
    let calmest;
    for (let attempt = 0; attempt < 3; attempt++) {
      await before();
      const run = await gapOf(f);
      if (!calmest || run.longest < calmest.longest) calmest = run;
      if (calmest.longest < enough) break;
    }
    return calmest;
  },
};

async function gapOf(f) {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 5);
  try {
    const value = await f();
    return { value, longest: Math.max(longest, performance.now() - last) };
  } finally {
    clearInterval(timer);
  }
}
