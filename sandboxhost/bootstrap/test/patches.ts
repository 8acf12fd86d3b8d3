/** Program texts for a tool's first call, which replace what the language and the engine have. */

/** Replaces each function that can be reached from the globals with what `make` gives, by functions saved before. */
export const patchAll = (make: string, spare = ''): string => `
  const define = Object.defineProperty, own = Reflect.ownKeys, describe = Reflect.getOwnPropertyDescriptor, proto = Reflect.getPrototypeOf
  const seen = new Set([console, ${spare}]), queue = [globalThis, proto([][Symbol.iterator]()), proto(new Map().entries()), proto(new Set().values()),
    proto(''[Symbol.iterator]()), proto(function* () {}), proto(async () => {}), proto(Uint8Array), proto(proto(new Uint8Array()))]
  const found = []
  const root = Object.prototype
  const ours = (value) => {
    for (let at = value; at !== null; at = proto(at)) if (at === root) return true
    return false
  }
  const has = Set.prototype.has.call.bind(Set.prototype.has), add = Set.prototype.add.call.bind(Set.prototype.add)
  while (queue.length) {
    const holder = queue.pop()
    if (has(seen, holder) || !ours(holder)) continue
    add(seen, holder)
    for (const key of own(holder)) {
      const property = describe(holder, key)
      if (!property) continue
      for (const value of [property.value, property.get]) {
        if (value === null || (typeof value !== 'object' && typeof value !== 'function') || !ours(value)) continue
        queue.push(value)
      }
      if (property.configurable && (typeof property.value === 'function' || property.get)) found.push([holder, key, property])
    }
  }
  const make = ${make}
  for (let i = 0; i < found.length; i++) {
    const holder = found[i][0], key = found[i][1], property = found[i][2]
    try {
      if (property.get) define(holder, key, { get: make, set: make, configurable: true })
      else define(holder, key, { value: make, writable: true, configurable: true })
    } catch {}
  }
`

/** Puts accessors that throw behind every object. */
export const pollute = `
  const keys = ['get', 'set', 'value', 'then', 'toJSON', 'writable', 'enumerable', 'configurable', 'text', 'blobs', 'kind', 'call', 'error',
    'settings', 'dropped', '0', '1', '2', 'length', 'name', 'message', 'stack', 'cause', 'constructor', 'code', 'v', '$t', 'transfer', 'capture', 'signal', 'index', 'groups',
    'body', 'headers', 'method', 'status', 'type', 'url', 'done', 'byteLength', 'size', 'pull', 'cancel', 'start', 'highWaterMark', 'once']
  const holders = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Promise.prototype, Error.prototype]
  const define = Object.defineProperty
  for (const holder of holders) for (const key of keys) {
    // What the tool itself waits by.
    if (key === 'then' || key === 'constructor' || (key === 'call' && holder === Function.prototype)) continue
    try { define(holder, key, { __proto__: null, get() { throw new Error('read ' + key) }, set() { throw new Error('wrote ' + key) }, configurable: true }) } catch {}
  }
`
