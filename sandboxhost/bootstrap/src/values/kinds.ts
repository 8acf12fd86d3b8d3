import { getPrototypeOf, mapGet, mapSet, PlainMap, typedArrayPrototype } from '../primordials'

// Classes are told by prototypes that were captured before tool code ran: asking an object for a brand by trying would throw
// a dozen errors for each instance. What only looks like a class is found out when its data is read.

/** How a value's class decides how it travels. `instance` is any class that is not listed. */
export type Kind =
  | 'record' | 'instance' | 'refused' | 'error' | 'date' | 'map' | 'set' | 'buffer' | 'view' | 'typed' | 'wrapper'

const kinds = new PlainMap<object | null, Kind>([
  [Object.prototype, 'record'],
  [Error.prototype, 'error'],
  [Date.prototype, 'date'],
  [Map.prototype, 'map'],
  [Set.prototype, 'set'],
  [ArrayBuffer.prototype, 'buffer'],
  [DataView.prototype, 'view'],
  [typedArrayPrototype, 'typed'],
  [Number.prototype, 'wrapper'],
  [String.prototype, 'wrapper'],
  [Boolean.prototype, 'wrapper'],
  [BigInt.prototype, 'wrapper'],
])

// Classes whose data is not in their properties, also where a subclass adds some. Others of the engine are known by being empty.
const opaque = [
  'Symbol', 'Promise', 'WeakMap', 'WeakSet', 'WeakRef', 'RegExp', 'FinalizationRegistry', 'Iterator', 'SharedArrayBuffer',
  'Blob', 'CryptoKey', 'Event', 'EventTarget', 'FormData', 'Headers', 'ImageBitmap', 'ImageData', 'ReadableStream', 'Request',
  'Response', 'TransformStream', 'URLSearchParams', 'VideoFrame', 'WritableStream',
]
const refusedNames = new PlainMap<object | null, string>()
for (const name of opaque) {
  const prototype = (globalThis as unknown as Record<string, { prototype?: object } | undefined>)[name]?.prototype
  if (prototype) refuse(prototype, name)
}
// A page that is not isolated has no SharedArrayBuffer by that name, and a shared WebAssembly memory holds one all the same.
try {
  refuse(getPrototypeOf(new WebAssembly.Memory({ initial: 0, maximum: 0, shared: true }).buffer) as object, 'SharedArrayBuffer')
} catch {
  // an engine without shared memory
}
for (const namespace of ['Intl', 'WebAssembly'] as const) {
  const holder = (globalThis as unknown as Record<string, Record<string, { prototype?: object }> | undefined>)[namespace] ?? {}
  for (const name of Object.getOwnPropertyNames(holder)) {
    const prototype = holder[name]?.prototype
    if (prototype && !(prototype instanceof Error)) refuse(prototype, `${namespace}.${name}`)
  }
}
for (const generator of [function* () {}, async function* () {}]) {
  refuse(getPrototypeOf(getPrototypeOf(generator.prototype) as object) as object, 'generator or iterator')
}

/** Objects of this class cannot travel. */
export function refuse(prototype: object, name: string): void {
  mapSet(kinds, prototype, 'refused')
  mapSet(refusedNames, prototype, name)
}

/** The class because of which an object's kind is `refused`. */
export function refusedClass(value: object): string {
  let prototype = getPrototypeOf(value)
  for (let i = 0; i < maxChain && prototype !== null; i++) {
    const name = mapGet(refusedNames, prototype) as string | undefined
    if (name) return name
    prototype = getPrototypeOf(prototype)
  }
  return 'value of this class'
}

/** A tool can hang a Proxy into a prototype chain, and make the chain endless. */
const maxChain = 64

/** The kind of an object that is no array and no function. May throw what a Proxy throws. */
export function kindOf(value: object): Kind {
  let prototype = getPrototypeOf(value)
  if (prototype === null) return 'record'
  const direct = mapGet(kinds, prototype) as Kind | undefined
  if (direct) return direct
  for (let i = 0; i < maxChain; i++) {
    prototype = getPrototypeOf(prototype as object)
    if (prototype === null) break
    const kind = mapGet(kinds, prototype) as Kind | undefined
    if (kind) return kind === 'record' ? 'instance' : kind
  }
  return 'instance'
}
