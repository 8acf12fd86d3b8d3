import { construct, each, getOwnPropertyDescriptor, getPrototypeOf, list, PlainTypeError, uncurry } from '../../primordials'
import { usv } from './text'

// The engine's own classes that bodies, addresses and signals are made of, captured before tool code runs. One that an engine does
// not have recognises nothing.

type Method = (self: unknown, ...args: unknown[]) => unknown

const here = globalThis as unknown as Record<string, (new (...args: never[]) => object) | undefined>

/** A method or a getter of a class, wherever behind its instances it stands. */
function member(name: string, key: string): Method {
  for (let at: object | null = here[name]?.prototype ?? null; at !== null; at = getPrototypeOf(at)) {
    const found = getOwnPropertyDescriptor(at, key)
    if (found) return uncurry((found.get ?? found.value) as () => unknown) as Method
  }
  return () => {
    throw new PlainTypeError(`this engine has no ${name}`)
  }
}

/** Whether a member of a class takes a value for an instance of it. */
function brand(check: Method, argument?: string): (value: unknown) => boolean {
  return (value) => {
    try {
      check(value, argument)
      return true
    } catch {
      return false
    }
  }
}

function maker(name: string): (...args: unknown[]) => object {
  const Class = here[name]
  return (...args) => {
    if (Class === undefined) throw new PlainTypeError(`this engine has no ${name}`)
    return construct(Class, args as never) as object
  }
}

export const blobSize = member('Blob', 'size') as (blob: unknown) => number
export const blobType = member('Blob', 'type') as (blob: unknown) => string
export const blobBuffer = member('Blob', 'arrayBuffer') as (blob: unknown) => Promise<ArrayBuffer>
export const fileName = member('File', 'name') as (file: unknown) => string
export const formAppend = member('FormData', 'append')
export const formEach = member('FormData', 'forEach')
export const searchText = member('URLSearchParams', 'toString') as (search: unknown) => string
export const searchEach = member('URLSearchParams', 'forEach')
export const urlHref = member('URL', 'href') as (url: unknown) => string
const urlUser = member('URL', 'username') as (url: unknown) => string
const urlPassword = member('URL', 'password') as (url: unknown) => string
export const signalAborted = member('AbortSignal', 'aborted') as (signal: unknown) => boolean
export const signalReason = member('AbortSignal', 'reason')
export const streamLocked = member('ReadableStream', 'locked') as (stream: unknown) => boolean
export const streamReader = member('ReadableStream', 'getReader') as (stream: unknown) => object
export const streamTee = member('ReadableStream', 'tee') as (stream: unknown) => readonly [object, object]
export const readerRead = member('ReadableStreamDefaultReader', 'read') as (reader: unknown) => Promise<{ done: boolean; value: unknown }>
export const readerCancel = member('ReadableStreamDefaultReader', 'cancel') as (reader: unknown, reason: unknown) => Promise<void>
export const enqueue = member('ReadableStreamDefaultController', 'enqueue')
export const closeStream = member('ReadableStreamDefaultController', 'close')
export const failStream = member('ReadableStreamDefaultController', 'error')

export const isBlob = brand(blobSize)
export const isFile = brand(fileName)
export const isForm = brand(member('FormData', 'has'), '')
export const isSearch = brand(searchText)
export const isSignal = brand(signalAborted)
export const isStream = brand(streamLocked)
const isURL = brand(urlHref)

export const makeForm = maker('FormData')
export const makeSearch = maker('URLSearchParams')
export const makeStream = maker('ReadableStream')
const newURL = maker('URL')
const newBlob = maker('Blob')
const newFile = maker('File')

export function makeBlob(parts: readonly unknown[], type: string): object {
  return newBlob(each(parts), { __proto__: null, type })
}

export function makeFile(part: unknown, name: string, type: string): object {
  const parts = list()
  parts[0] = part
  return newFile(each(parts), name, { __proto__: null, type })
}

/** An address, of a text or a URL, in its normal form. Throws a TypeError on what is none, and on one with a user or a password in it. */
export function parseURL(given: unknown, what: string): object {
  const text = isURL(given) ? urlHref(given) : usv(given)
  let url: object
  try {
    url = newURL(text)
  } catch {
    throw new PlainTypeError(`${what}: it is no absolute URL`)
  }
  if (urlUser(url) !== '' || urlPassword(url) !== '') throw new PlainTypeError(`${what}: a URL with a user or a password is not supported`)
  return url
}
