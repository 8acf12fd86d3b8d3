import { formats, maxLength, maxModulus, maxRounds, members, operations, usages, webKey, type Kind } from './words'

/** Why an ask is not done, by the name that a DOMException has. */
export class Refused extends Error {
  constructor(
    override readonly name: string,
    message: string,
  ) {
    super(message)
  }
}

/** An ask whose arguments are not read yet. */
export interface CryptoAsk {
  readonly id: number
  readonly op: string
  readonly args: readonly unknown[]
}

type Tree = Readonly<Record<string, unknown>>

const hashBits: Readonly<Record<string, number>> = { 'SHA-1': 160, 'SHA-256': 256, 'SHA-384': 384, 'SHA-512': 512 }

/** Reads the outside of an ask. A breach of form is a TypeError. */
export function readAsk(text: string): CryptoAsk {
  const tree = JSON.parse(text) as unknown
  if (!isTree(tree) || !Number.isSafeInteger(tree.id) || typeof tree.op !== 'string' || !Array.isArray(tree.args)) throw malformed()
  return tree as unknown as CryptoAsk
}

/** The arguments of an operation. A breach of form is a TypeError; what would take too long is refused. */
export function decodeArgs({ op, args: trees }: CryptoAsk, blobs: readonly ArrayBuffer[], keys: ReadonlyMap<number, CryptoKey>): unknown[] {
  const kinds = Object.hasOwn(operations, op) ? operations[op] : undefined
  if (!kinds || trees.length !== kinds.length) throw malformed()
  const decoder = new Decoder(blobs, keys)
  const args: unknown[] = []
  kinds.forEach((kind, i) => args.push(decoder.arg(kind, trees[i], args[i - 1])))
  affordable(op, args)
  return args
}

class Decoder {
  constructor(
    private readonly blobs: readonly ArrayBuffer[],
    private readonly keys: ReadonlyMap<number, CryptoKey>,
  ) {}

  arg(kind: Kind, tree: unknown, before: unknown): unknown {
    switch (kind) {
      case 'algorithm':
        return this.algorithm(tree, 2)
      case 'bytes':
        return this.bytes(tree)
      case 'key':
        return this.key(tree)
      case 'format':
        return oneOf(formats, tree)
      case 'flag':
        if (typeof tree !== 'boolean') throw malformed()
        return tree
      case 'usages':
        if (!Array.isArray(tree) || tree.length > usages.length) throw malformed()
        return tree.map((usage) => oneOf(usages, usage))
      case 'data':
        return before === 'jwk' ? jsonWebKey(tree) : this.bytes(tree)
      case 'length':
        return tree === null ? null : count(tree)
    }
  }

  private algorithm(tree: unknown, levels: number): object {
    if (levels === 0 || !isTree(tree)) throw malformed()
    const algorithm: Record<string, unknown> = {}
    for (const [name, item] of Object.entries(tree)) {
      const kind = Object.hasOwn(members, name) ? members[name] : undefined
      if (kind === 'text' && typeof item === 'string') algorithm[name] = item
      else if (kind === 'count') algorithm[name] = count(item)
      else if (kind === 'bytes') algorithm[name] = new Uint8Array(this.bytes(item))
      else if (kind === 'key') algorithm[name] = this.key(item)
      else if (kind === 'algorithm') algorithm[name] = this.algorithm(item, levels - 1)
      else throw malformed()
    }
    return algorithm
  }

  private bytes(tree: unknown): ArrayBuffer {
    const blob = Number.isSafeInteger(tree) ? this.blobs[tree as number] : undefined
    if (!(blob instanceof ArrayBuffer)) throw malformed()
    return blob
  }

  private key(tree: unknown): CryptoKey {
    const key = this.keys.get(tree as number)
    if (!key) throw new Refused('InvalidAccessError', 'the key is not of this call')
    return key
  }
}

function jsonWebKey(tree: unknown): Tree {
  if (!isTree(tree)) throw malformed()
  for (const [name, item] of Object.entries(tree)) {
    const kind = Object.hasOwn(webKey, name) ? webKey[name] : undefined
    const fits =
      kind === 'text' ? typeof item === 'string' : kind === 'flag' ? typeof item === 'boolean' : kind === 'texts' && Array.isArray(item)
    if (!fits) throw malformed()
  }
  return tree
}

/** The work of an ask is bounded by its numbers: once begun it cannot be called back. */
function affordable(op: string, args: readonly unknown[]): void {
  for (const arg of args) {
    if (!isTree(arg) || arg instanceof ArrayBuffer) continue
    if ((arg.modulusLength as number) > maxModulus) throw new Refused('OperationError', `an RSA key has at most ${maxModulus} bits`)
    if ((arg.length as number) > maxLength) throw new Refused('OperationError', `a length is at most ${maxLength} bits`)
  }
  if (op !== 'deriveBits' && op !== 'deriveKey') return
  const bits = op === 'deriveBits' ? (args[2] as number | null) : (args[2] as { length?: number }).length
  if ((bits ?? 0) > maxLength) throw new Refused('OperationError', `a length is at most ${maxLength} bits`)
  const { iterations = 0, hash } = args[0] as { iterations?: number; hash?: { name?: string } }
  const blocks = Math.ceil((bits ?? 1024) / (hashBits[String(hash?.name).toUpperCase()] ?? 160))
  if (iterations * blocks > maxRounds) throw new Refused('OperationError', `iterations for this length are at most ${Math.floor(maxRounds / blocks)}`)
}

function count(tree: unknown): number {
  if (!Number.isSafeInteger(tree) || (tree as number) < 0) throw malformed()
  return tree as number
}

function oneOf(words: readonly string[], tree: unknown): string {
  if (typeof tree !== 'string' || !words.includes(tree)) throw malformed()
  return tree
}

function isTree(tree: unknown): tree is Tree {
  return typeof tree === 'object' && tree !== null && !Array.isArray(tree)
}

function malformed(): TypeError {
  return new TypeError('the ask has no form')
}
