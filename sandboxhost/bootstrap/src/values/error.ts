import { getOwnPropertyDescriptor, getPrototypeOf, getter, hasOwn, isObject } from '../primordials'
import { clip, quote } from '../text'

export const maxName = 256
export const maxMessage = 16384

/** A property of a stranger's object as bounded Unicode text; undefined if it is no text or reading it throws. */
export function textOf(holder: object, key: string, bytes: number): string | undefined {
  try {
    const value = (holder as Record<string, unknown>)[key]
    if (typeof value === 'string') return clip(value, bytes)
    return isObject(value) || typeof value === 'symbol' || value === undefined ? undefined : clip(`${value}`, bytes)
  } catch {
    return undefined
  }
}

/** `TypeError: no`, or the text of whatever was thrown; never throws. */
export function describeError(thrown: unknown): string {
  if (!isObject(thrown)) return primitiveText(thrown)
  if (typeof thrown === 'function') return 'a function'
  const name = textOf(thrown, 'name', maxName)
  const message = textOf(thrown, 'message', maxMessage)
  return name === undefined && message === undefined ? 'an object' : titled(name, message)
}

function titled(name: string | undefined, message: string | undefined): string {
  return message ? `${name || 'Error'}: ${message}` : name || 'Error'
}

/** The same of an error, without running a getter that is not the engine's. */
export function describeQuietly(error: object): string {
  return titled(quietText(error, 'name', maxName), quietText(error, 'message', maxMessage))
}

const readException = {
  name: getter(DOMException.prototype, 'name'),
  message: getter(DOMException.prototype, 'message'),
}
const maxChain = 64

function quietText(error: object, key: 'name' | 'message', bytes: number): string | undefined {
  try {
    let holder: object | null = error
    for (let i = 0; i < maxChain && holder !== null; i++) {
      const property = getOwnPropertyDescriptor(holder, key)
      if (property && hasOwn(property, 'value')) return typeof property.value === 'string' ? clip(property.value, bytes) : undefined
      if (property) return clip(readException[key](error) as string, bytes)
      holder = getPrototypeOf(holder)
    }
  } catch {
    // no text of its own
  }
  return undefined
}

/** The text of a primitive; a symbol has none of its own. */
export function primitiveText(value: unknown): string {
  if (typeof value === 'symbol') return 'a symbol'
  return clip(typeof value === 'bigint' ? `${value}n` : `${value as string}`, maxMessage)
}

/** The fields of an Error's tagged form as JSON text. */
export function errorFields(error: object): string {
  const name = textOf(error, 'name', maxName) ?? 'Error'
  return `{"name":${quote(name)},"message":${quote(textOf(error, 'message', maxMessage) ?? '')}}`
}
