import { formats, members, operations, usages, webKey, type Kind } from '../../crypto/words'
import { bufferLength, isArray, isObject, keys as keysOf, list, PlainDOMException, PlainTypeError, typedArrayBuffer } from '../../primordials'
import { quote } from '../../text'
import { bytesOf } from '../bytes'
import { numberOf } from './key'

const memberNames = keysOf(members)
const webKeyNames = keysOf(webKey)
const maxCount = 0xffffffff

/** Writes the arguments of one operation as the frame reads them. What the tool gave is read once, and copied. */
export class Ask {
  args = ''
  bytes = 0
  readonly blobs = list<ArrayBuffer>()

  constructor(
    private readonly op: string,
    private readonly call: number,
  ) {}

  /** Throws a TypeError, or what reading the arguments throws. */
  write(args: readonly unknown[]): void {
    const kinds = operations[this.op] as readonly Kind[]
    if (args.length < kinds.length) throw new PlainTypeError(`${this.op}: ${kinds.length} arguments are needed, not ${args.length}`)
    for (let i = 0; i < kinds.length; i++) {
      this.args += (i > 0 ? ',' : '') + this.arg(kinds[i] as Kind, args[i], i > 0 ? args[i - 1] : undefined)
    }
  }

  private arg(kind: Kind, value: unknown, before: unknown): string {
    switch (kind) {
      case 'algorithm':
        return this.algorithm(value, 2)
      case 'bytes':
        return this.copy(value)
      case 'key':
        return this.key(value)
      case 'format':
        return quote(this.word(formats, value))
      case 'flag':
        return value ? 'true' : 'false'
      case 'usages':
        return this.words(value, usages)
      case 'data':
        return before === 'jwk' ? this.webKey(value) : this.copy(value)
      case 'length':
        return value === null || value === undefined ? 'null' : this.count(value, 'length')
    }
  }

  private algorithm(value: unknown, levels: number): string {
    if (typeof value === 'string') return `{"name":${quote(value)}}`
    if (!isObject(value) || levels === 0) throw this.wrong('an algorithm is a text or an object with a name')
    let text = ''
    for (let i = 0; i < memberNames.length; i++) {
      const name = memberNames[i] as string
      const item = (value as Record<string, unknown>)[name]
      if (item !== undefined) text += (text === '' ? '' : ',') + `"${name}":${this.member(name, item, levels)}`
      else if (name === 'name') throw this.wrong('an algorithm has a name')
    }
    return `{${text}}`
  }

  private member(name: string, item: unknown, levels: number): string {
    switch (members[name]) {
      case 'text':
        return quote(`${item as string}`)
      case 'count':
        return this.count(item, name)
      case 'bytes':
        return this.copy(item)
      case 'key':
        return this.key(item)
      default:
        return this.algorithm(item, levels - 1)
    }
  }

  private key(value: unknown): string {
    const number = numberOf(value, this.call)
    if (number !== undefined) return `${number}`
    throw new PlainDOMException('the key ended with the call in which it was made; make it again in each call', 'InvalidAccessError')
  }

  /** The number of a blob with a copy of the bytes. */
  private copy(value: unknown): string {
    const bytes = isObject(value) ? bytesOf(value) : undefined
    if (bytes === undefined) throw this.wrong('bytes are an ArrayBuffer or a view of one')
    const blob = typedArrayBuffer(bytes)
    this.bytes += bufferLength(blob)
    this.blobs[this.blobs.length] = blob
    return `${this.blobs.length - 1}`
  }

  private count(value: unknown, name: string): string {
    const number = +(value as number)
    const whole = number - (number % 1)
    if (!(whole >= 0 && whole <= maxCount)) throw this.wrong(`${name} is a whole number from 0 to ${maxCount}`)
    return `${whole}`
  }

  private webKey(value: unknown): string {
    if (!isObject(value)) throw this.wrong('a JSON Web Key is an object')
    let text = ''
    for (let i = 0; i < webKeyNames.length; i++) {
      const name = webKeyNames[i] as string
      const item = (value as Record<string, unknown>)[name]
      if (item === undefined) continue
      const kind = webKey[name]
      const field = kind === 'text' ? quote(`${item as string}`) : kind === 'flag' ? (item ? 'true' : 'false') : this.words(item)
      text += (text === '' ? '' : ',') + `"${name}":${field}`
    }
    return `{${text}}`
  }

  private words(value: unknown, of?: readonly string[]): string {
    if (!isArray(value)) throw this.wrong('usages are an array')
    const length = value.length < 1000 ? value.length : 1000
    const seen = list<string>()
    for (let i = 0; i < length; i++) {
      const word = of ? this.word(of, value[i]) : `${value[i] as string}`
      if (!has(seen, word)) seen[seen.length] = word
    }
    let text = ''
    for (let i = 0; i < seen.length; i++) text += (i > 0 ? ',' : '') + quote(seen[i] as string)
    return `[${text}]`
  }

  private word(of: readonly string[], value: unknown): string {
    const word = `${value as string}`
    if (!has(of, word)) throw this.wrong(`${quote(word)} is not known`)
    return word
  }

  private wrong(why: string): TypeError {
    return new PlainTypeError(`${this.op}: ${why}`)
  }
}

function has(words: readonly string[], word: string): boolean {
  for (let i = 0; i < words.length; i++) if (words[i] === word) return true
  return false
}
