/**
 * The language's own functions, captured when this module loads: before tool code exists. Code that runs beside a tool uses
 * these and syntax only. No method call on a built-in, no `for … of`, no spread and no array destructuring, since each of
 * them looks something up that a tool may have replaced.
 */

/** Turns a method into a function whose first argument is its `this`. */
export const uncurry = Function.prototype.bind.bind(Function.prototype.call) as unknown as <T, A extends unknown[], R>(
  method: (this: T, ...args: A) => R,
) => (self: unknown, ...args: A) => R

export const { apply, construct, defineProperty, deleteProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys, setPrototypeOf } = Reflect
export const { freeze, hasOwn, keys } = Object
export const { isArray } = Array
export const { parse, stringify } = JSON
export const { ceil, floor, max, min } = Math

export const functionText = uncurry(Function.prototype.toString)
export const propertyIsEnumerable = uncurry(Object.prototype.propertyIsEnumerable)
export const charCodeAt = uncurry(String.prototype.charCodeAt)
export const slice = uncurry(String.prototype.slice as (this: string, start?: number, end?: number) => string)
export const indexOf = uncurry(String.prototype.indexOf as (this: string, text: string, from?: number) => number)
export const exec = uncurry(RegExp.prototype.exec)
export const toExponential = uncurry(Number.prototype.toExponential)
export const toFixed = uncurry(Number.prototype.toFixed)
export const toLowerCase = uncurry(String.prototype.toLowerCase)
export const toUpperCase = uncurry(String.prototype.toUpperCase)
export const { fromCharCode } = String
export const PlainDate = Date
export const PlainMap = Map
export const PlainSet = Set
export const PlainWeakMap = WeakMap
export const PlainRangeError = RangeError
export const PlainError = Error
export const PlainPromise = Promise
export const PlainProxy = Proxy
export const PlainTypeError = TypeError
export const PlainDOMException = DOMException
export const Bytes = Uint8Array
export const toBigInt = BigInt

export const toISOString = uncurry(Date.prototype.toISOString)
export const dateTime = uncurry(Date.prototype.getTime)
export const mapGet = uncurry(Map.prototype.get)
export const mapSet = uncurry(Map.prototype.set)
export const mapHas = uncurry(Map.prototype.has)
export const mapDelete = uncurry(Map.prototype.delete)
export const mapClear = uncurry(Map.prototype.clear)
export const mapEach = uncurry(Map.prototype.forEach)
export const mapSize = getter(Map.prototype, 'size') as (map: unknown) => number
export const weakGet = uncurry(WeakMap.prototype.get)
export const weakSet = uncurry(WeakMap.prototype.set)
export const setAdd = uncurry(Set.prototype.add)
export const setEach = uncurry(Set.prototype.forEach)
export const setSize = getter(Set.prototype, 'size') as (set: unknown) => number
export const promiseThen = uncurry(Promise.prototype.then) as (
  promise: unknown,
  ok: (value: unknown) => void,
  failed: (reason: unknown) => void,
) => unknown
const promiseResolve = Promise.resolve

const typedArray = Reflect.getPrototypeOf(Uint8Array.prototype) as object
export const typedArrayPrototype = typedArray
/** The class name of a typed array, undefined for anything else. */
export const typedArrayName = getter(typedArray, Symbol.toStringTag) as (value: unknown) => string | undefined
export const typedArrayLength = getter(typedArray, 'length') as (value: unknown) => number
export const typedArrayBuffer = getter(typedArray, 'buffer') as (value: unknown) => ArrayBuffer
export const bufferLength = getter(ArrayBuffer.prototype, 'byteLength') as (value: unknown) => number
export const typedArrayOffset = getter(typedArray, 'byteOffset') as (value: unknown) => number
export const typedArrayBytes = getter(typedArray, 'byteLength') as (value: unknown) => number
export const bufferSlice = uncurry(ArrayBuffer.prototype.slice) as (buffer: unknown, from: number) => ArrayBuffer
export const { isView } = ArrayBuffer
export const viewBuffer = getter(DataView.prototype, 'buffer') as (value: unknown) => ArrayBuffer
export const viewOffset = getter(DataView.prototype, 'byteOffset') as (value: unknown) => number
export const viewLength = getter(DataView.prototype, 'byteLength') as (value: unknown) => number
export const setBytes = uncurry(Uint8Array.prototype.set as (this: Uint8Array, from: ArrayLike<number>, at?: number) => void)

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encodeText = uncurry(TextEncoder.prototype.encode)
const decodeText = uncurry(TextDecoder.prototype.decode)
/** UTF-8 of a text; lone surrogates become U+FFFD. */
export const toUtf8 = (text: string): Uint8Array<ArrayBuffer> => encodeText(encoder, text) as Uint8Array<ArrayBuffer>
/** Text of UTF-8; throws a TypeError on anything else. */
export const fromUtf8 = (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): string => decodeText(decoder, bytes)

/** The getter of a property that every engine has. */
export function getter(holder: object, name: PropertyKey): (self: unknown) => unknown {
  return uncurry(Reflect.getOwnPropertyDescriptor(holder, name)?.get as () => unknown)
}

/** An empty list whose items can be assigned by index: nothing stands behind it that could have a setter. */
export function list<T>(): T[] {
  const empty: T[] = []
  setPrototypeOf(empty, null)
  return empty
}

const { iterator } = Symbol

/** A list for the engine, which reads lists through their iterator: this one is nothing that a tool can replace. */
export function each<T>(items: readonly T[]): Iterable<T> {
  return {
    __proto__: null,
    [iterator]: () => {
      let at = 0
      return {
        __proto__: null,
        next: () => ({ __proto__: null, done: at >= items.length, value: at < items.length ? items[at++] : undefined }),
      }
    },
  } as unknown as Iterable<T>
}

/** Defines an ordinary data property, also `__proto__`. */
export function define(target: object, key: PropertyKey, value: unknown, enumerable = true): boolean {
  return defineProperty(target, key, { __proto__: null, value, enumerable, writable: true, configurable: true } as PropertyDescriptor)
}

/** Puts a value in the place of a name on an object and on everything behind it. */
export function replace(target: object, key: PropertyKey, value: unknown): void {
  for (let at = getPrototypeOf(target); at !== null; at = getPrototypeOf(at)) if (hasOwn(at, key)) define(at, key, value)
  define(target, key, value)
}

/** Defines a property for good. */
export function lock(target: object, key: PropertyKey, value: unknown): boolean {
  const fixed = { __proto__: null, value, enumerable: false, writable: false, configurable: false }
  return defineProperty(target, key, fixed as PropertyDescriptor)
}

/** The promise that a value stands for: itself if it is one of this realm. Throws what reading its `then` throws. */
export function toPromise(value: unknown): Promise<unknown> {
  return apply(promiseResolve, PlainPromise, [value])
}

export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
