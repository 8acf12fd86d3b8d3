// Counts what the engine holds of the page. A classic script, which must run before every other: a spec puts it in front of the page.
(() => {
  const held = { channels: 0, urls: 0, listeners: 0 };

  // A channel counts from its making until its first end is closed; the other end leaves the page.
  const first = new WeakSet();
  globalThis.MessageChannel = class extends MessageChannel {
    constructor() {
      super();
      held.channels++;
      first.add(this.port1);
    }
  };
  const { close } = MessagePort.prototype;
  MessagePort.prototype.close = function () {
    if (first.delete(this)) held.channels--;
    close.call(this);
  };

  const urls = new Set();
  const { createObjectURL, revokeObjectURL } = URL;
  URL.createObjectURL = (blob) => {
    const url = createObjectURL.call(URL, blob);
    urls.add(url);
    held.urls = urls.size;
    return url;
  };
  URL.revokeObjectURL = (url) => {
    urls.delete(url);
    held.urls = urls.size;
    revokeObjectURL.call(URL, url);
  };

  // A listener is one of its target, type, function and phase. One that is removed after its first event is gone then.
  const listeners = new WeakMap();
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const place = (type, options) => `${type} ${typeof options === 'boolean' ? options : Boolean(options?.capture)}`;
  const forget = (target, type, f, options) => {
    if (listeners.get(target)?.get(f)?.delete(place(type, options))) held.listeners--;
  };
  EventTarget.prototype.addEventListener = function (type, f, options) {
    const target = this ?? globalThis;
    if (f) {
      if (!listeners.has(target)) listeners.set(target, new Map());
      const functions = listeners.get(target);
      if (!functions.has(f)) functions.set(f, new Set());
      const places = functions.get(f);
      if (!places.has(place(type, options))) {
        places.add(place(type, options));
        held.listeners++;
        if (options?.once) addEventListener.call(target, type, () => forget(target, type, f, options), { once: true, capture: options.capture });
      }
    }
    addEventListener.call(target, type, f, options);
  };
  EventTarget.prototype.removeEventListener = function (type, f, options) {
    const target = this ?? globalThis;
    if (f) forget(target, type, f, options);
    removeEventListener.call(target, type, f, options);
  };

  // The runtime of a Go program makes the table of the values that Go holds when the program starts: that is when it is met.
  // It is asked to tell of each collection, `gc 7 @1.2s 3%: … 4->5->2 MB …`: the last is what was in use after it.
  let go;
  let inUse = NaN;
  const { log } = console;
  console.log = (...args) => {
    const told = /^gc \d+ @.*->(\d+) MB, /.exec(args[0]);
    if (told) inUse = Number(told[1]);
    else log.apply(console, args);
  };
  const functions = new WeakSet();
  Object.defineProperty(Object.prototype, '_values', {
    configurable: true,
    set(values) {
      Object.defineProperty(this, '_values', { value: values, writable: true, configurable: true, enumerable: true });
      go = this;
      go.env = { GODEBUG: 'gctrace=1' };
      const { _makeFuncWrapper: make } = go;
      go._makeFuncWrapper = (id) => {
        const f = make.call(go, id);
        functions.add(f);
        return f;
      };
    },
  });

  /** What Go holds now: it falls only when Go has collected its garbage. */
  const ofGo = () => {
    const values = go._values.filter((_, id) => go._goRefCounts[id] > 0);
    return { functions: values.filter((value) => typeof value === 'function' && functions.has(value)).length, values: values.length, goMiB: inUse };
  };

  globalThis.census = {
    /** What is held now, and the least that Go held while it collected its garbage: it is given much of it, texts that are refused. */
    async take() {
      const least = ofGo();
      least.goMiB = Infinity;
      const text = 'x'.repeat(1 << 20);
      for (let i = 0; i < 400; i++) {
        inUse = Infinity; // only what is told from now on counts
        await ty.tools.install(text).catch(() => {});
        for (const [name, count] of Object.entries(ofGo())) least[name] = Math.min(least[name], count);
      }
      return { ...held, frames: document.querySelectorAll('iframe').length, ...least, wasmMiB: go._inst.exports.mem.buffer.byteLength / 2 ** 20 };
    },
  };
})();
