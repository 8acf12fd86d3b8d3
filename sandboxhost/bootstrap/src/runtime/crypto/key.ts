import { define, hasOwn, isArray, list, PlainTypeError, Bytes } from '../../primordials'
import { refuse } from '../../values/kinds'

/** What the frame tells of a key that it holds. */
export interface KeyFacts {
  readonly k: number
  readonly type: string
  readonly extractable: boolean
  readonly algorithm: Record<string, unknown>
  readonly usages: string[]
}

/** Proves that the runtime makes a key, and no tool. */
const made = { __proto__: null }

/** A key as a tool sees it: its facts, and a number for the frame. It is of one call. */
export class Key {
  readonly #facts: KeyFacts
  readonly #call: number

  constructor(proof: unknown, facts: KeyFacts, call: number) {
    if (proof !== made) throw new PlainTypeError('Illegal constructor')
    this.#facts = facts
    this.#call = call
  }

  get type(): string {
    return this.#facts.type
  }
  get extractable(): boolean {
    return this.#facts.extractable
  }
  get algorithm(): object {
    return this.#facts.algorithm
  }
  get usages(): string[] {
    return this.#facts.usages
  }

  /** The number of a key of a call; undefined for one of another call. Throws a TypeError for what is no key. */
  static numberOf(value: unknown, call: number): number | undefined {
    if (typeof value !== 'object' || value === null || !(#facts in value)) throw new PlainTypeError('this is no CryptoKey')
    return value.#call === call ? value.#facts.k : undefined
  }
}

const { numberOf } = Key
Reflect.deleteProperty(Key, 'numberOf')
export { numberOf }

Object.defineProperty(Key, 'name', { value: 'CryptoKey' })
Object.defineProperty(Key.prototype, Symbol.toStringTag, { value: 'CryptoKey', configurable: true })
for (const name of ['type', 'extractable', 'algorithm', 'usages']) Object.defineProperty(Key.prototype, name, { enumerable: true })
refuse(Key.prototype, 'CryptoKey')

/** The key of what the frame told, which was just parsed from JSON. */
export function makeKey(facts: KeyFacts, call: number): Key {
  const { algorithm } = facts
  const exponent = hasOwn(algorithm, 'publicExponent') ? algorithm.publicExponent : undefined
  if (isArray(exponent)) define(algorithm, 'publicExponent', new Bytes(plain(exponent)))
  return new Key(made, facts, call)
}

/** Array-likes are read by their iterator if they have one. */
function plain(items: number[]): ArrayLike<number> {
  const copy = list<number>()
  for (let i = 0; i < items.length; i++) copy[i] = items[i] as number
  return copy
}
