import { maxBytes, maxOpen, maxOpenBytes, maxText, operations } from '../../crypto/words'
import {
  define, hasOwn, keys as keysOf, list, mapClear, mapDelete, mapGet, mapSet, mapSize, parse, PlainDOMException, PlainMap, PlainPromise, PlainTypeError,
} from '../../primordials'
import type { Lifetime } from '../lifetime'
import type { Link } from '../link'
import { Ask } from './ask'
import { makeKey, type KeyFacts } from './key'

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  readonly bytes: number
}

interface Queued extends Waiting {
  readonly op: string
  readonly ask: Ask
}

/** What these asks need of the runtime. */
export interface SubtleHost {
  /** The id of the running call. */
  call(): number
  readonly link: Link
  readonly lifetime: Lifetime
}

/**
 * The cryptography that tools see: each operation is an ask to the frame, so many at a time; further ones wait here. All of
 * them, and all keys, end with their call.
 */
export class Subtle {
  private readonly open = new PlainMap<number, Waiting>()
  private readonly queue = new PlainMap<number, Queued>()
  private first = 0
  private last = 0
  private made = 0
  private openBytes = 0

  constructor(private readonly host: SubtleHost) {}

  /** An object with the methods of SubtleCrypto. */
  facade(): object {
    const { prototype } = SubtleCrypto
    const facade = new SubtleCrypto(ours)
    const names = keysOf(operations)
    for (let i = 0; i < names.length; i++) {
      const op = names[i] as string
      const subtle = this
      define(prototype, op, function (this: unknown, ...args: unknown[]): Promise<unknown> {
        return subtle.ask(op, args, this === facade)
      })
    }
    return facade
  }

  answer(text: string, blobs: readonly ArrayBuffer[]): void {
    const tree = parse(text) as { id: number; value?: unknown; error?: { name: string; message: string } }
    const waiting = mapGet(this.open, tree.id) as Waiting | undefined
    if (waiting === undefined) return
    mapDelete(this.open, tree.id)
    this.openBytes -= waiting.bytes
    if (hasOwn(tree, 'error')) waiting.reject(failure(tree.error as { name: string; message: string }))
    else waiting.resolve(this.value(tree.value, blobs))
    this.pump()
  }

  /** The end of a call: its promises never settle. */
  end(): void {
    if (mapSize(this.open) + mapSize(this.queue) === 0) return
    mapClear(this.open)
    mapClear(this.queue)
    this.first = this.last
    this.openBytes = 0
  }

  private ask(op: string, args: unknown[], bound: boolean): Promise<unknown> {
    return new PlainPromise((resolve, reject) => {
      try {
        if (!bound) throw new PlainTypeError('Illegal invocation')
        const { lifetime } = this.host
        if (!lifetime.open()) throw new PlainDOMException('no call is running', 'InvalidStateError')
        const ask = new Ask(op, this.host.call())
        ask.write(args)
        const bytes = ask.bytes + ask.args.length
        if (ask.bytes > maxBytes || ask.args.length > maxText - 256) {
          throw new PlainDOMException(`${op}: more than ${maxBytes} bytes; work in parts`, 'OperationError')
        }
        mapSet(this.queue, this.last++, { op, ask, bytes, resolve, reject })
        this.pump()
      } catch (error) {
        reject(error)
      }
    })
  }

  private pump(): void {
    while (this.first < this.last && mapSize(this.open) < maxOpen) {
      const next = mapGet(this.queue, this.first) as Queued
      if (mapSize(this.open) > 0 && this.openBytes + next.bytes + 256 * maxOpen > maxOpenBytes) return
      mapDelete(this.queue, this.first++)
      const id = ++this.made
      mapSet(this.open, id, next)
      this.openBytes += next.bytes
      this.host.link.crypto(`{"id":${id},"op":"${next.op}","args":[${next.ask.args}]}`, next.ask.blobs)
    }
  }

  /** What the frame gives: bytes, keys and JSON. */
  private value(tree: unknown, blobs: readonly ArrayBuffer[]): unknown {
    if (typeof tree !== 'object' || tree === null) return tree
    const given = tree as { b: number; pair: KeyFacts[]; jwk: object }
    if (hasOwn(given, 'b')) return blobs[given.b]
    if (hasOwn(given, 'jwk')) return given.jwk
    const call = this.host.call()
    if (!hasOwn(given, 'pair')) return makeKey(tree as KeyFacts, call)
    const pair = {}
    define(pair, 'publicKey', makeKey(given.pair[0] as KeyFacts, call))
    define(pair, 'privateKey', makeKey(given.pair[1] as KeyFacts, call))
    return pair
  }
}

const ours = list()

/** The class of the facade, for `instanceof`. */
export class SubtleCrypto {
  constructor(proof: unknown) {
    if (proof !== ours) throw new PlainTypeError('Illegal constructor')
  }
}
Object.defineProperty(SubtleCrypto, 'name', { value: 'SubtleCrypto' })
Object.defineProperty(SubtleCrypto.prototype, Symbol.toStringTag, { value: 'SubtleCrypto', configurable: true })

function failure({ name, message }: { name: string; message: string }): Error {
  return name === 'TypeError' ? new PlainTypeError(message) : new PlainDOMException(message, name)
}
