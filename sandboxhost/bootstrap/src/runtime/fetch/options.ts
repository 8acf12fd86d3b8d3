import { getPrototypeOf, hasOwn, isObject, PlainTypeError } from '../../primordials'
import { quote } from '../../text'
import { isSignal } from './native'
import { byteString, isToken, asciiUpper } from './text'

export type Redirect = 'follow' | 'error' | 'manual'

/** What a tool gives beside an address. */
export type Init = Readonly<Record<string, unknown>>

const names = [
  'body', 'cache', 'credentials', 'duplex', 'headers', 'integrity', 'keepalive', 'method', 'mode', 'priority', 'redirect', 'referrer',
  'referrerPolicy', 'signal', 'status', 'statusText', 'window',
]
const { prototype: objectPrototype } = Object

/** The fields of an init, each read once, its own or of its class; none for none. */
export function initOf(init: unknown, what: string): Init {
  const fields = { __proto__: null } as unknown as Record<string, unknown>
  if (init === undefined || init === null) return fields
  if (!isObject(init)) throw new PlainTypeError(`${what}: its options are an object`)
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string
    fields[name] = isIn(init, name) ? (init as Init)[name] : undefined
  }
  return fields
}

/** What stands behind every object is in none. */
export function isIn(of: object, name: PropertyKey): boolean {
  for (let at: object | null = of; at !== null && at !== objectPrototype; at = getPrototypeOf(at)) if (hasOwn(at, name)) return true
  return false
}

const normal = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT']
const forbidden = ['CONNECT', 'TRACE', 'TRACK']

export function methodOf(given: unknown): string {
  const method = byteString(given, 'Request: method')
  if (!isToken(method)) throw new PlainTypeError(`Request: ${quote(method)} is no method`)
  const upper = asciiUpper(method)
  if (has(forbidden, upper)) throw new PlainTypeError(`Request: the method ${upper} is not supported`)
  return has(normal, upper) ? upper : method
}

/**
 * Options that change nothing here are let be: nothing is cached, no cookie is sent and no page named, whatever they say. One that asks for
 * what there is not is refused by its name, since a tool would rely on it.
 */
const words: Readonly<Record<string, { readonly known: readonly string[]; readonly here: readonly string[] }>> = {
  cache: {
    known: ['default', 'no-store', 'reload', 'no-cache', 'force-cache', 'only-if-cached'],
    here: ['default', 'no-store', 'reload', 'no-cache', 'force-cache'],
  },
  credentials: { known: ['omit', 'same-origin', 'include'], here: ['omit', 'same-origin'] },
  duplex: { known: ['half', 'full'], here: ['half'] },
  mode: { known: ['cors', 'no-cors', 'same-origin', 'navigate', 'websocket'], here: ['cors'] },
  priority: { known: ['auto', 'high', 'low'], here: ['auto', 'high', 'low'] },
  redirect: { known: ['follow', 'error', 'manual'], here: ['follow', 'error', 'manual'] },
  referrerPolicy: {
    known: [], // every text of this is harmless
    here: [
      '', 'no-referrer', 'no-referrer-when-downgrade', 'same-origin', 'origin', 'strict-origin', 'origin-when-cross-origin',
      'strict-origin-when-cross-origin', 'unsafe-url',
    ],
  },
}

/** A word of an option, undefined where a tool gives none. */
export function word(init: Init, name: string): string | undefined {
  const given = init[name]
  if (given === undefined) return undefined
  const text = `${given as string}`
  const { known, here } = words[name] as { known: readonly string[]; here: readonly string[] }
  if (has(here, text)) return text
  throw has(known, text) ? unsupported(`${name}: ${quote(text)}`) : new PlainTypeError(`Request: ${quote(text)} is no ${name}`)
}

/** Refuses what is not a word and would promise what there is not. */
export function refuseOptions(init: Init): void {
  if (init.keepalive) throw unsupported('keepalive')
  if (init.integrity !== undefined && `${init.integrity as string}` !== '') throw unsupported('integrity')
  if (init.window !== undefined && init.window !== null) throw unsupported('window')
  const { referrer } = init
  if (referrer === undefined) return
  const text = `${referrer as string}`
  if (text !== '' && text !== 'about:client') throw unsupported('referrer')
}

export function signalOf(given: unknown): AbortSignal | undefined {
  if (given === undefined || given === null) return undefined
  if (!isSignal(given)) throw new PlainTypeError('Request: its signal is an AbortSignal')
  return given as AbortSignal
}

function unsupported(what: string): TypeError {
  return new PlainTypeError(`Request: ${what} is not supported here`)
}

function has(words: readonly string[], word: string): boolean {
  for (let i = 0; i < words.length; i++) if (words[i] === word) return true
  return false
}
