import {
  Bytes, defineProperty, getOwnPropertyDescriptor, list, ownKeys, parse, PlainPromise, PlainTypeError, PlainWeakMap, uncurry, weakGet, weakSet,
} from '../../primordials'
import type { Content } from './content'
import { readForm } from './form'
import { Headers } from './headers'
import { ofCall } from './life'
import { extractMime, mimeText } from './mime'
import { makeBlob } from './native'
import { bufferOf, type Piece } from './source'
import { textOf } from './text'

/** What requests and responses have in common: headers, and bytes that are read once, null for none. */
export interface State {
  readonly headers: Headers
  readonly content: Content | null
}

// No base class: a tool could put another one in its place.
const states = new PlainWeakMap<object, State>()

export function setState(of: object, state: State): void {
  weakSet(states, of, state)
}

export function stateOf(of: object): State {
  const state = weakGet(states, of) as State | undefined
  if (state === undefined) throw new PlainTypeError('Illegal invocation')
  return state
}

/** The members of the standard's Body, and `headers`. */
const members = {
  get headers(): Headers {
    return stateOf(this).headers
  },
  get body(): object | null {
    const { content } = stateOf(this)
    return content === null ? null : content.look()
  },
  get bodyUsed(): boolean {
    const { content } = stateOf(this)
    return content !== null && content.disturbed
  },
  arrayBuffer(): Promise<unknown> {
    return read(this, bufferOf)
  },
  bytes(): Promise<unknown> {
    return read(this, (bytes) => bytes)
  },
  text(): Promise<unknown> {
    return read(this, textOf)
  },
  json(): Promise<unknown> {
    return read(this, (bytes) => parse(textOf(bytes)))
  },
  blob(): Promise<unknown> {
    return read(this, (bytes, type) => {
      const mime = extractMime(type)
      const parts = list()
      parts[0] = bytes
      return makeBlob(parts, mime === undefined ? '' : mimeText(mime))
    })
  },
  formData(): Promise<unknown> {
    return read(this, readForm)
  },
}

/** Gives a class the members of a body. */
export function withBody(Class: Function): void {
  for (const key of ownKeys(members)) {
    defineProperty(Class.prototype as object, key, { ...getOwnPropertyDescriptor(members, key), enumerable: true })
  }
}

/** What the members are of for the compiler. */
export interface WithBody extends Readonly<typeof members> {}

const getHeader = uncurry(Headers.prototype.get)

/** Reads all bytes and gives what they are made into, unless the call has ended meanwhile. */
function read(of: object, make: (bytes: Piece, type: string | null) => unknown): Promise<unknown> {
  return new PlainPromise((resolve, reject) => {
    const { content, headers } = stateOf(of)
    const done = ofCall((bytes: Piece): void => {
      try {
        resolve(make(bytes, getHeader(headers, 'content-type')))
      } catch (error) {
        reject(error)
      }
    })
    if (content === null) done(new Bytes(0))
    else content.take(Infinity, done, ofCall(reject), () => {})
  })
}
