/** Hears what the page's policy refuses, from now on until `stop`. */
export class Violations {
  readonly #heard: SecurityPolicyViolationEvent[] = [];
  readonly #hear = (event: SecurityPolicyViolationEvent): void => {
    if (event.disposition === 'enforce') this.#heard.push(event);
  };

  constructor() {
    document.addEventListener('securitypolicyviolation', this.#hear);
  }

  stop(): void {
    document.removeEventListener('securitypolicyviolation', this.#hear);
  }

  /** What kept the engine's program from being loaded from there, and what to do; undefined where it was not the policy. */
  async reason(url: string | URL): Promise<string | undefined> {
    if (typeof WebAssembly !== 'object') return 'this browser has no WebAssembly; use another one, or allow it in its settings';
    if (!(await compiles())) return "the page's policy blocks it: script-src lacks 'wasm-unsafe-eval'; add it to the page's script-src";
    // A violation is told by a task of its own, which comes after the failure that it explains.
    await new Promise((done) => setTimeout(done, 50));
    const { href, origin } = new URL(url, document.baseURI);
    const blocked = this.#heard.some((event) => event.effectiveDirective === 'connect-src' && (event.blockedURI === href || event.blockedURI === origin));
    return blocked ? `the page's policy blocks it: connect-src does not admit ${href}; add 'self' or that address to the page's connect-src` : undefined;
  }
}

/** Tries the smallest module there is, in the way that the engine's is made: WebKit admits others. */
async function compiles(): Promise<boolean> {
  try {
    await WebAssembly.instantiate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
    return true;
  } catch {
    return false;
  }
}
