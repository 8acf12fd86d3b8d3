import {
  bufferLength, dateTime, exec, functionText, getOwnPropertyDescriptor, getPrototypeOf, getter, hasOwn, isArray, list, mapEach, mapSize, ownKeys,
  setEach, setSize, slice, toISOString, typedArrayLength, typedArrayName,
} from '../../primordials'
import { quote } from '../../text'
import { classOf, dataOf } from '../../values/classes'
import { kindOf, refusedClass, type Kind } from '../../values/kinds'
import { unwrap } from '../../values/wrapper'

// What is shown of a value at most; the rest is counted or shown as an ellipsis.
const maxDepth = 4
const maxItems = 100
const maxString = 10_000

/**
 * The text of any value for a log line, at most about `size` UTF-16 units. Never throws, never runs a getter, never looks at
 * more than a bounded part; a Proxy's traps are all that may run. errorText gives the text of an error.
 */
export function inspect(value: unknown, size: number, errorText: (error: object) => string): string {
  const inspector = new Inspector(size, errorText)
  try {
    inspector.value(value)
  } catch (error) {
    inspector.out += error === full ? ' …' : '[unreadable]'
  }
  return inspector.out
}

/** Thrown to stop when the text has its size. */
const full = { __proto__: null }

const symbolText = getter(Symbol.prototype, 'description') as (symbol: unknown) => string | undefined
const regexpSource = getter(RegExp.prototype, 'source') as (value: unknown) => string

class Inspector {
  out = ''
  private depth = 0
  private readonly open = list<object>()

  constructor(
    private readonly size: number,
    private readonly errorText: (error: object) => string,
  ) {}

  value(value: unknown): void {
    switch (typeof value) {
      case 'string':
        return this.put(quote(value.length > maxString ? slice(value, 0, maxString) + '…' : value))
      case 'number':
        return this.put(value === 0 && 1 / value < 0 ? '-0' : `${value}`)
      case 'bigint':
        return this.put(`${value}n`)
      case 'symbol':
        return this.put(symbolOf(value))
      case 'function':
        return this.put(functionOf(value))
      case 'object':
        return value === null ? this.put('null') : this.guarded(value)
      default:
        return this.put(`${value}`)
    }
  }

  private put(text: string): void {
    if (this.out.length + text.length > this.size) {
      this.out += slice(text, 0, this.size - this.out.length)
      throw full
    }
    this.out += text
  }

  /** A Proxy may throw anywhere; what was written of it is taken back. */
  private guarded(value: object): void {
    const { length } = this.out
    const { depth } = this
    try {
      this.object(value)
    } catch (error) {
      if (error === full) throw full
      this.depth = depth
      this.out = slice(this.out, 0, length)
      this.put('[unreadable]')
    }
  }

  private object(value: object): void {
    for (let i = 0; i < this.depth; i++) {
      if (this.open[i] === value) return this.put('[circular]')
    }
    const array = isArray(value)
    if (this.depth >= maxDepth) return this.put(array ? '[array]' : '[object]')
    this.open[this.depth++] = value
    if (array) this.items(value, value.length)
    else this.byKind(value, kindOf(value))
    this.depth--
  }

  private byKind(value: object, kind: Kind): void {
    switch (kind) {
      case 'error':
        return this.put(this.errorText(value))
      case 'date': {
        const time = dateTime(value)
        return this.put(time === time ? toISOString(value) : 'Invalid Date')
      }
      case 'map':
        return this.map(value)
      case 'set':
        return this.set(value)
      case 'buffer':
        return this.put(`ArrayBuffer(${bufferLength(value)})`)
      case 'typed':
        this.put(`${typedArrayName(value)}(${typedArrayLength(value)}) `)
        return this.items(value as ArrayLike<unknown>, typedArrayLength(value))
      case 'wrapper':
        this.put('[boxed ')
        this.value(unwrap(value))
        return this.put(']')
      case 'refused':
        return this.refused(value)
      case 'record':
        if (getPrototypeOf(value) === null) this.put('[null prototype] ')
        return this.record(value)
      default:
        this.put(`${classOf(value) || 'object'} `)
        return this.record(value)
    }
  }

  private refused(value: object): void {
    const name = refusedClass(value)
    if (name === 'RegExp') return this.put(`/${regexpSource(value)}/`)
    this.put(`[${name}]`)
  }

  private record(value: object): void {
    const names = ownKeys(value)
    let shown = 0
    this.put('{')
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as string | symbol
      const property = getOwnPropertyDescriptor(value, name)
      if (property === undefined || !property.enumerable) continue
      if (shown === maxItems) {
        this.put(`, … ${names.length - i} more`)
        break
      }
      this.put(`${shown++ > 0 ? ',' : ''} ${typeof name === 'symbol' ? `[${symbolOf(name)}]` : keyOf(name)}: `)
      this.property(property)
    }
    this.put(shown > 0 ? ' }' : '}')
  }

  private property(property: PropertyDescriptor): void {
    if (hasOwn(property, 'value')) return this.value(property.value)
    this.put(property.get ? (property.set ? '[getter/setter]' : '[getter]') : '[setter]')
  }

  /** Items are looked at, not read: a getter among them shows as one. */
  private items(items: ArrayLike<unknown>, length: number): void {
    this.put('[')
    for (let i = 0; i < length && i < maxItems; i++) {
      const property = getOwnPropertyDescriptor(items, i)
      this.put(i > 0 ? ', ' : ' ')
      if (property) this.property(property)
      else this.put('<empty>')
    }
    if (length > maxItems) this.put(`, … ${length - maxItems} more`)
    this.put(length > 0 ? ' ]' : ']')
  }

  private set(value: object): void {
    let count = 0
    this.put(`Set(${setSize(value)}) {`)
    setEach(value, (item: unknown) => {
      if (count > maxItems) return
      this.put(count > 0 ? ', ' : ' ')
      if (count++ === maxItems) this.put('…')
      else this.value(item)
    })
    this.put(count > 0 ? ' }' : '}')
  }

  private map(value: object): void {
    let count = 0
    this.put(`Map(${mapSize(value)}) {`)
    mapEach(value, (item: unknown, key: unknown) => {
      if (count > maxItems) return
      this.put(count > 0 ? ', ' : ' ')
      if (count++ === maxItems) return this.put('…')
      this.value(key)
      this.put(' => ')
      this.value(item)
    })
    this.put(count > 0 ? ' }' : '}')
  }
}

function symbolOf(symbol: symbol): string {
  return `Symbol(${symbolText(symbol) ?? ''})`
}

function keyOf(name: string): string {
  const quoted = quote(name.length > 200 ? slice(name, 0, 200) + '…' : name)
  return exec(identifier, name) !== null ? name : quoted
}

const identifier = /^[A-Za-z_$][A-Za-z0-9_$]{0,99}$/

function functionOf(value: object): string {
  const name = dataOf(value, 'name')
  const text = functionText(value)
  const word = slice(text, 0, 6) === 'class ' || slice(text, 0, 6) === 'class{' ? 'class' : 'function'
  return typeof name === 'string' && name !== '' ? `[${word} ${slice(name, 0, 100)}]` : `[${word}]`
}
