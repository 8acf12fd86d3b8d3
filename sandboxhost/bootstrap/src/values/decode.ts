import {
  charCodeAt, define, deleteProperty, hasOwn, isArray, keys, list, mapSet, PlainDate, PlainError, PlainMap, PlainSet, setAdd, slice, toBigInt,
} from '../primordials'
import { fromBase64 } from './base64'

/**
 * The JavaScript value of a well-formed tagged tree (core/protocol/value.go) that was just parsed from JSON. The tree is used
 * up: its arrays and objects become the value's.
 */
export function decodeValue(tree: unknown): unknown {
  if (typeof tree !== 'object' || tree === null) return tree
  if (isArray(tree)) return decodeItems(tree as unknown[])
  const object = tree as Record<string, unknown>
  if (hasOwn(object, '$t')) return decodeTagged(object.$t, object.v)
  return decodeRecord(object)
}

function decodeItems(items: unknown[]): unknown[] {
  for (let i = 0; i < items.length; i++) {
    const item = items[i]
    if (typeof item === 'object' && item !== null) items[i] = decodeValue(item)
  }
  return items
}

/** Only own properties are written to, so that a key such as `__proto__` is one like any other. */
function decodeRecord(object: Record<string, unknown>): Record<string, unknown> {
  const names = keys(object)
  let doubled = false
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string
    if (charCodeAt(name, 0) === 0x24) doubled = true
    const item = object[name]
    if (typeof item === 'object' && item !== null) object[name] = decodeValue(item)
  }
  return doubled ? undouble(object, names) : object
}

/**
 * Takes one `$` from the keys that have two. The new name of one may be the old name of another (`$$$a` and `$$a`), so all values
 * are taken out before any is put back.
 */
function undouble(object: Record<string, unknown>, names: string[]): Record<string, unknown> {
  const items = list<unknown>()
  for (let i = 0; i < names.length; i++) {
    items[i] = object[names[i] as string]
    deleteProperty(object, names[i] as string)
  }
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string
    define(object, charCodeAt(name, 0) === 0x24 ? slice(name, 1) : name, items[i])
  }
  return object
}

function decodeTagged(tag: unknown, v: unknown): unknown {
  switch (tag) {
    case 'undefined':
      return undefined
    case 'number':
      return v === 'NaN' ? NaN : v === 'Infinity' ? Infinity : v === '-Infinity' ? -Infinity : -0
    case 'bigint':
      return toBigInt(v as string)
    case 'date':
      return new PlainDate(v === null ? NaN : (v as string))
    case 'bytes':
      return fromBase64(v as string)
    case 'map':
      return decodeMap(v as [unknown, unknown][])
    case 'set':
      return decodeSet(v as unknown[])
    case 'error':
      return decodeError(v as { name: string; message: string; stack?: string })
    default:
      throw new PlainError('tagged value is malformed')
  }
}

function decodeMap(pairs: [unknown, unknown][]): Map<unknown, unknown> {
  const map = new PlainMap<unknown, unknown>()
  for (let i = 0; i < pairs.length; i++) {
    const pair = pairs[i] as [unknown, unknown]
    mapSet(map, decodeValue(pair[0]), decodeValue(pair[1]))
  }
  return map
}

function decodeSet(items: unknown[]): Set<unknown> {
  const set = new PlainSet<unknown>()
  for (let i = 0; i < items.length; i++) setAdd(set, decodeValue(items[i]))
  return set
}

const errors: Record<string, new (message: string) => Error> = Object.assign(Object.create(null), {
  EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError,
})

/** An error of the same class where the language has it; otherwise an Error with that name. */
function decodeError(v: { name: string; message: string; stack?: string }): Error {
  const error = new (errors[v.name] ?? PlainError)(v.message)
  if (error.name !== v.name) define(error, 'name', v.name, false)
  if (hasOwn(v, 'stack')) define(error, 'stack', v.stack, false)
  return error
}
