import {
  apply, charCodeAt, define, getOwnPropertyDescriptor, getPrototypeOf, isArray, isObject, list, ownKeys, PlainTypeError, setPrototypeOf, uncurry,
} from '../../primordials'
import { quote } from '../../text'
import { isIn } from './options'
import { asciiLower, byteString, isToken, named, need, trim } from './text'

/** One header: a name in lower case and one value. */
export interface Pair {
  readonly name: string
  readonly value: string
}

const iterator: typeof Symbol.iterator = Symbol.iterator
const sort = uncurry(Array.prototype.sort as (this: Pair[], before: (a: Pair, b: Pair) => number) => Pair[])

/** The pairs of headers in the order in which they were added. */
export let pairsOf: (headers: Headers) => readonly Pair[]
/** Makes headers that tell what came, and cannot be changed. */
export let fixed: (headers: Headers) => Headers
/** The headers that a tool reads one after the other: sorted, those of one name joined but for cookies. */
let sorted: (headers: Headers) => readonly Pair[]
export let isHeaders: (value: unknown) => value is Headers

/** The Headers of the Fetch standard. What a request must not carry is told by the host, which refuses it by name. */
export class Headers {
  #pairs = list<Pair>()
  #sorted: Pair[] | undefined
  #fixed = false

  static {
    pairsOf = (headers) => headers.#pairs
    fixed = (headers) => {
      headers.#fixed = true
      return headers
    }
    sorted = (headers) => (headers.#sorted ??= arrange(headers.#pairs))
    isHeaders = (value): value is Headers => isObject(value) && #pairs in value
  }

  constructor(init?: unknown) {
    if (init !== undefined) fill(this, init)
  }

  append(name: string, value: string): void {
    need(arguments.length, 2, 'Headers.append')
    const pair = toPair(name, value, 'Headers.append')
    this.#change()
    this.#pairs[this.#pairs.length] = pair
  }

  delete(name: string): void {
    need(arguments.length, 1, 'Headers.delete')
    const wanted = toName(name, 'Headers.delete')
    this.#change()
    this.#without(wanted)
  }

  get(name: string): string | null {
    need(arguments.length, 1, 'Headers.get')
    const wanted = toName(name, 'Headers.get')
    let found: string | null = null
    for (let i = 0; i < this.#pairs.length; i++) {
      const pair = this.#pairs[i] as Pair
      if (pair.name === wanted) found = found === null ? pair.value : `${found}, ${pair.value}`
    }
    return found
  }

  getSetCookie(): string[] {
    const all: string[] = []
    for (let i = 0; i < this.#pairs.length; i++) {
      const { name, value } = this.#pairs[i] as Pair
      if (name === 'set-cookie') define(all, all.length, value)
    }
    return all
  }

  has(name: string): boolean {
    need(arguments.length, 1, 'Headers.has')
    const wanted = toName(name, 'Headers.has')
    for (let i = 0; i < this.#pairs.length; i++) if ((this.#pairs[i] as Pair).name === wanted) return true
    return false
  }

  set(name: string, value: string): void {
    need(arguments.length, 2, 'Headers.set')
    const pair = toPair(name, value, 'Headers.set')
    this.#change()
    this.#without(pair.name)
    this.#pairs[this.#pairs.length] = pair
  }

  forEach(run: unknown, self?: unknown): void {
    need(arguments.length, 1, 'Headers.forEach')
    if (typeof run !== 'function') throw new PlainTypeError('Headers.forEach: it needs a function')
    for (let i = 0; i < sorted(this).length; i++) {
      const { name, value } = sorted(this)[i] as Pair
      apply(run as () => void, self, [value, name, this] as never)
    }
  }

  keys(): HeadersIterator {
    return new HeadersIterator(this, ({ name }) => name)
  }

  values(): HeadersIterator {
    return new HeadersIterator(this, ({ value }) => value)
  }

  entries(): HeadersIterator {
    return new HeadersIterator(this, ({ name, value }) => [name, value])
  }

  #change(): void {
    if (this.#fixed) throw new PlainTypeError('Headers: these cannot be changed')
    this.#sorted = undefined
  }

  #without(name: string): void {
    const kept = list<Pair>()
    for (let i = 0; i < this.#pairs.length; i++) {
      const pair = this.#pairs[i] as Pair
      if (pair.name !== name) kept[kept.length] = pair
    }
    this.#pairs = kept
  }
}

/** Goes over headers as they are when it is asked. */
class HeadersIterator {
  #at = 0
  readonly #headers: Headers
  readonly #of: (pair: Pair) => unknown

  constructor(headers: Headers, of: (pair: Pair) => unknown) {
    this.#headers = headers
    this.#of = of
    sorted(headers)
  }

  next(): { done: boolean; value: unknown } {
    const pair = sorted(this.#headers)[this.#at]
    if (pair === undefined) return { done: true, value: undefined }
    this.#at++
    return { done: false, value: this.#of(pair) }
  }
}
named(Headers, 'Headers')
Object.defineProperty(Headers.prototype, iterator, { value: Headers.prototype.entries, writable: true, configurable: true })
setPrototypeOf(HeadersIterator.prototype, getPrototypeOf(getPrototypeOf([][iterator]()) as object))
deleteConstructor(HeadersIterator)
Object.defineProperty(HeadersIterator.prototype, Symbol.toStringTag, { value: 'Headers Iterator', configurable: true })

function deleteConstructor(Class: Function): void {
  Reflect.deleteProperty(Class.prototype as object, 'constructor')
}

function arrange(pairs: readonly Pair[]): Pair[] {
  const copy = list<Pair>()
  for (let i = 0; i < pairs.length; i++) copy[i] = pairs[i] as Pair
  sort(copy, (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  const out = list<Pair>()
  for (let i = 0; i < copy.length; i++) {
    const { name, value } = copy[i] as Pair
    const last = out[out.length - 1]
    if (last?.name === name && name !== 'set-cookie') out[out.length - 1] = { name, value: `${last.value}, ${value}` }
    else out[out.length] = { name, value }
  }
  return out
}

function toName(name: unknown, what: string): string {
  const text = byteString(name, what)
  if (!isToken(text)) throw new PlainTypeError(`${what}: ${quote(text)} is no name of a header`)
  return asciiLower(text)
}

function toPair(name: unknown, value: unknown, what: string): Pair {
  const rawName = byteString(name, what)
  const text = trim(byteString(value, what))
  const lower = toName(rawName, what)
  for (let i = 0; i < text.length; i++) {
    const c = charCodeAt(text, i)
    if (c === 0 || c === 10 || c === 13) throw new PlainTypeError(`${what}: the value of ${quote(lower)} holds a line break or a zero`)
  }
  return { name: lower, value: text }
}

/** Adds what a tool gives as headers: Headers, pairs, or an object with a field for each. */
export function fill(headers: Headers, init: unknown): void {
  const wrong = (): TypeError => new PlainTypeError('Headers: they are Headers, a list of pairs of texts or an object with texts')
  if (!isObject(init)) throw wrong()
  if (isHeaders(init)) {
    const pairs = pairsOf(init)
    for (let i = 0; i < pairs.length; i++) addTo(headers, (pairs[i] as Pair).name, (pairs[i] as Pair).value)
    return
  }
  if (!isList(init)) return fillFields(headers, init as Record<string, unknown>)
  const pairs = itemsOf(init)
  for (let i = 0; i < pairs.length; i++) {
    const pair = pairs[i]
    if (!isObject(pair)) throw wrong()
    const two = itemsOf(pair)
    if (two.length !== 2) throw wrong()
    addTo(headers, two[0], two[1])
  }
}

function fillFields(headers: Headers, init: Record<string, unknown>): void {
  const names = ownKeys(init)
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string
    if (getOwnPropertyDescriptor(init, name)?.enumerable) addTo(headers, name, init[name])
  }
}

const { append } = Headers.prototype
function addTo(headers: Headers, name: unknown, value: unknown): void {
  apply(append, headers, [name as string, value as string])
}

/** Whether an object has an iterator of its own or of its class; one that stands behind every object makes no list of it. */
function isList(of: object): boolean {
  return isArray(of) || (isIn(of, iterator) && ((of as Partial<Iterable<unknown>>)[iterator] ?? null) !== null)
}

/** What a list holds: an array by its indices, whatever has become of its iterator. */
function itemsOf(of: object): unknown[] {
  const items = list()
  if (isArray(of)) for (let i = 0; i < of.length; i++) items[i] = of[i]
  else for (const item of of as Iterable<unknown>) items[items.length] = item
  return items
}
