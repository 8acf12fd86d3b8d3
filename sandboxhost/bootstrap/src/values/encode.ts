import {
  apply, bufferLength, Bytes, charCodeAt, dateTime, hasOwn, isArray, keys, list, mapEach, setEach, toExponential, toISOString,
  typedArrayLength, typedArrayName, viewBuffer, viewLength, viewOffset,
} from '../primordials'
import { maxDigits, maxKeys, maxValues } from '../protocol.gen'
import { fits, isUnicode, quote } from '../text'
import { toBase64 } from './base64'
import { classOf, isOfEngine } from './classes'
import { describeError, errorFields } from './error'
import { kindOf, refusedClass, type Kind } from './kinds'
import { pathOf, type Step } from './path'
import { unwrap } from './wrapper'

/** How deep a value may nest and how many bytes of UTF-8 its tagged form may take. */
export interface Bounds {
  readonly nesting: number
  readonly bytes: number
}

/** Why a value cannot travel, and where in it. It is no Error, since making one may run tool code. */
export class CannotTravel {
  constructor(
    readonly path: string,
    readonly message: string,
    readonly tooLarge = false,
  ) {}
}

/**
 * Writes a value in its tagged form (core/protocol/value.go) as JSON text.
 *
 * - null, booleans, numbers, texts, arrays and plain objects are themselves; a hole in an array is undefined.
 * - undefined, the numbers that JSON lacks, BigInt, Date, Map, Set and Error have tags. Uint8Array, ArrayBuffer and DataView
 *   are bytes; other typed arrays are arrays of numbers. Boxed primitives are primitives.
 * - An instance of any other class is what its `toJSON` gives, asked once, or else its own enumerable properties.
 * - Functions, symbols, and classes whose data is not in their properties cannot travel: those of the engine without a `toJSON`.
 *
 * Each property is read once: getters, Proxy traps and `toJSON` run, nothing else of the value does. Throws CannotTravel,
 * whatever the value is.
 */
export function encodeValue(value: unknown, bounds: Bounds): string {
  const encoder = new Encoder(bounds)
  try {
    encoder.value(value)
  } catch (error) {
    throw error instanceof CannotTravel ? error : encoder.refusal(`reading it threw ${describeError(error)}`)
  }
  if (!fits(encoder.out, bounds.bytes)) throw encoder.tooLarge()
  return encoder.out
}

const maxSafe = Number.MAX_SAFE_INTEGER
const { prototype: objectPrototype } = Object
const dollar = 0x24

class Encoder {
  out = ''
  private depth = 0
  private values = 0
  private keys = 0
  private readonly open = list<object>() // the containers around the value being written
  private readonly steps = list<Step>()

  constructor(private readonly bounds: Bounds) {}

  value(value: unknown): void {
    if (++this.values > maxValues) throw new CannotTravel('$', `it consists of more than ${maxValues} values`, true)
    switch (typeof value) {
      case 'string':
        return this.text(value)
      case 'number':
        return this.number(value)
      case 'boolean':
        return this.put(value ? 'true' : 'false')
      case 'undefined':
        return this.leaf('{"$t":"undefined"}')
      case 'bigint':
        return this.bigint(`${value}`)
      case 'object':
        return value === null ? this.put('null') : this.object(value)
      default:
        throw this.refusal(`a ${typeof value} cannot travel`)
    }
  }

  refusal(message: string): CannotTravel {
    return new CannotTravel(pathOf(this.steps, this.depth), message)
  }

  tooLarge(): CannotTravel {
    return new CannotTravel('$', `it takes more than ${this.bounds.bytes} bytes`, true)
  }

  private put(text: string): void {
    this.out += text
    if (this.out.length > this.bounds.bytes) throw this.tooLarge()
  }

  private text(value: string): void {
    if (value.length > this.bounds.bytes) throw this.tooLarge()
    if (!isUnicode(value)) throw this.refusal('its text holds half of a surrogate pair')
    this.put(quote(value))
  }

  private number(value: number): void {
    if (value !== value || value === Infinity || value === -Infinity) this.leaf(`{"$t":"number","v":"${value}"}`)
    else if (value === 0 && 1 / value < 0) this.leaf('{"$t":"number","v":"-0"}')
    // An integer literal promises exactness, and the shortest digits of a large one are not exact.
    else if (value % 1 === 0 && (value > maxSafe || value < -maxSafe)) this.put(toExponential(value))
    else this.put(`${value}`)
  }

  private bigint(digits: string): void {
    if (digits.length > maxDigits) throw this.refusal(`a BigInt of more than ${maxDigits} digits cannot travel`)
    this.leaf(`{"$t":"bigint","v":"${digits}"}`)
  }

  /** Counts a key of a map or a member of a set, where it is a number. */
  private key(value: unknown): void {
    if ((typeof value === 'number' || typeof value === 'bigint') && ++this.keys > maxKeys) {
      throw this.refusal(`it has more than ${maxKeys} numbers as keys of maps and members of sets`)
    }
  }

  /** A tagged value without values in it; its tag nests like an object. */
  private leaf(text: string): void {
    if (this.depth >= this.bounds.nesting) throw this.tooDeep()
    this.put(text)
  }

  private tooDeep(): CannotTravel {
    return this.refusal(`it nests deeper than ${this.bounds.nesting} levels`)
  }

  /** asked says that the value is what a `toJSON` gave, which is not asked again. */
  private object(value: object, asked = false): void {
    for (let i = 0; i < this.depth; i++) {
      if (this.open[i] === value) throw this.refusal('it contains itself')
    }
    if (this.depth >= this.bounds.nesting) throw this.tooDeep()
    this.open[this.depth] = value
    if (isArray(value)) this.array(value, lengthOf(value))
    else this.byKind(value, kindOf(value), asked)
  }

  private byKind(value: object, kind: Kind, asked: boolean): void {
    switch (kind) {
      case 'record':
        return asked || !hasOwn(value, 'toJSON') ? this.record(value as Keyed) : this.custom(value as Keyed, kind)
      case 'error':
        return this.put(`{"$t":"error","v":${errorFields(value)}}`)
      case 'date':
        return this.date(value)
      case 'map':
        return this.map(value)
      case 'set':
        return this.set(value)
      case 'buffer':
        return this.bytes(new Bytes(value as ArrayBuffer, 0, bufferLength(value)))
      case 'view':
        return this.bytes(new Bytes(viewBuffer(value), viewOffset(value), viewLength(value)))
      case 'typed':
        return this.typed(value as Uint8Array)
      case 'wrapper':
        return this.wrapper(unwrap(value))
      default:
        return asked ? this.opened(value as Keyed, kind) : this.custom(value as Keyed, kind)
    }
  }

  private wrapper(primitive: unknown): void {
    if (primitive === undefined) throw this.refusal('it only looks like a wrapper object')
    this.value(primitive)
  }

  /** Asks `toJSON`, unless it is one that stands behind every object. */
  private custom(value: Keyed, kind: Kind): void {
    const { toJSON } = value
    if (typeof toJSON !== 'function' || toJSON === (objectPrototype as Keyed).toJSON) return this.opened(value, kind)
    const given = apply(toJSON as () => unknown, value, [])
    if (typeof given === 'object' && given !== null) this.object(given, true)
    else this.value(given)
  }

  private opened(value: Keyed, kind: Kind): void {
    if (kind === 'refused') throw this.refusal(`a ${refusedClass(value)} cannot travel`)
    const names = keys(value)
    // Such an object would arrive empty, and no one would know why.
    if (kind === 'instance' && names.length === 0 && isOfEngine(value)) throw this.refusal(`a ${classOf(value) || 'value of this class'} cannot travel`)
    this.record(value, names)
  }

  /** Keys in their order; the count of `$` tells tags from keys. */
  private record(value: Keyed, names = keys(value)): void {
    this.put('{')
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string
      this.steps[this.depth++] = name
      if (!isUnicode(name)) throw this.refusal('its key holds half of a surrogate pair')
      this.put((i > 0 ? ',' : '') + quote(charCodeAt(name, 0) === dollar ? '$' + name : name) + ':')
      this.value(value[name])
      this.depth--
    }
    this.put('}')
  }

  private array(items: ArrayLike<unknown>, length: number): void {
    this.put('[')
    for (let i = 0; i < length; i++) {
      if (i > 0) this.put(',')
      this.item(i, items[i])
    }
    this.put(']')
  }

  private item(step: Step, value: unknown): void {
    this.steps[this.depth++] = step
    this.value(value)
    this.depth--
  }

  private date(value: object): void {
    const time = dateTime(value)
    this.put(`{"$t":"date","v":${time === time ? quote(toISOString(value)) : 'null'}}`)
  }

  /** Refused by its length before base64 makes it a third longer. */
  private bytes(value: Uint8Array): void {
    if (typedArrayLength(value) > this.bounds.bytes) throw this.tooLarge()
    this.put(`{"$t":"bytes","v":"${toBase64(value)}"}`)
  }

  private typed(value: Uint8Array): void {
    const name = typedArrayName(value)
    if (name === 'Uint8Array') return this.bytes(value)
    if (name === undefined) throw this.refusal('it only looks like a typed array')
    this.array(value, typedArrayLength(value))
  }

  private set(value: object): void {
    let count = 0
    this.put('{"$t":"set","v":[')
    setEach(value, (item: unknown) => {
      if (count > 0) this.put(',')
      this.key(item)
      this.item(count++, item)
    })
    this.put(']}')
  }

  /** The path of a key or a value in a map is that of its pair: `$[2][0]`, `$[2][1]`. */
  private map(value: object): void {
    let count = 0
    this.put('{"$t":"map","v":[')
    mapEach(value, (item: unknown, key: unknown) => {
      this.put(count > 0 ? ',[' : '[')
      this.key(key)
      this.item({ pair: count, half: 0 }, key)
      this.put(',')
      this.item({ pair: count++, half: 1 }, item)
      this.put(']')
    })
    this.put(']}')
  }
}

type Keyed = Record<string, unknown>

/** The length of an array; a Proxy of one may say anything. */
function lengthOf(value: readonly unknown[]): number {
  const length: unknown = value.length
  return typeof length === 'number' ? length : 0
}
