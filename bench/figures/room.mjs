import { serve } from '../host.mjs';

const starts = {
  chromium: async () => (await import('../../build/contracts/engines/chromium.js')).startChromium(),
  firefox: async () => (await import('../../build/contracts/engines/firefox.js')).startFirefox(),
  webkit: async () => (await import('../../build/contracts/engines/webkit.js')).startWebKit(),
};

/** An engine of the contracts' drivers that pages of figures are opened in. A driver can open a page and no more: the page posts what it found. */
export class Room {
  constructor(name, engine) {
    this.name = name;
    this.engine = engine;
  }

  static async open(name) {
    if (!(name in starts)) throw new Error(`no such engine: ${name}; there are ${Object.keys(starts)}`);
    return new Room(name, await starts[name]());
  }

  /** Runs a subject in a page of its own and gives what it found; fails when the page says nothing for so many milliseconds. */
  async ask(subject, options, patience) {
    let told;
    const word = new Promise((done) => (told = done));
    const server = await serve(told);
    let timer;
    const late = new Promise((done) => (timer = setTimeout(done, patience, { error: `nothing was heard of the page for ${patience} ms` })));
    const query = new URLSearchParams({ subject, options: JSON.stringify(options) });
    let close = async () => {};
    try {
      close = await this.engine.open(`http://127.0.0.1:${server.address().port}/figures.html?${query}`);
      const { found, error } = await Promise.race([word, late]);
      if (error !== undefined) throw new Error(`${this.name} ${subject}: ${error}`);
      return found;
    } finally {
      clearTimeout(timer);
      await close();
      server.closeAllConnections();
      server.close();
    }
  }

  /** Puts a new browser in the place of this room's. */
  async again() {
    await this.engine.close();
    this.engine = await starts[this.name]();
  }

  close() {
    return this.engine.close();
  }
}
