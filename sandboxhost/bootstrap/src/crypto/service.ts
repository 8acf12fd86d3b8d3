import { decodeArgs, readAsk, Refused } from './decode'
import { forget, maxKeys, maxModulus, type Numbered } from './words'

interface PortLike {
  postMessage(message: unknown, transfer: Transferable[]): void
  onmessage: ((event: MessageEvent) => void) | null
}

type Keys = Map<number, CryptoKey>

/**
 * Does the cryptography of one sandbox in the realm of its frame, which is a secure context where the page is one. What a tool
 * gets from here is bytes, JSON, and numbers that stand for keys. The keys end with the call: the supervisor says when.
 */
export class CryptoService {
  private keys: Keys = new Map()
  private made = 0

  constructor(
    private readonly port: PortLike,
    private readonly subtle: SubtleCrypto,
  ) {
    port.onmessage = ({ data }) => {
      if (data === forget) this.keys = new Map()
      else void this.serve(data as Numbered)
    }
  }

  private async serve({ n, crypto, blobs }: Numbered): Promise<void> {
    // The keys of the call that asks: what is made after its end is put where nobody finds it.
    const { keys } = this
    const out: ArrayBuffer[] = []
    let id = 0
    let answer: object
    try {
      const ask = readAsk(crypto)
      id = ask.id
      const args = decodeArgs(ask, blobs, keys)
      const run = this.subtle[ask.op as 'digest'] as (...args: unknown[]) => Promise<unknown>
      answer = { id, value: this.value(await run.apply(this.subtle, args), keys, out) }
    } catch (error) {
      answer = { id, error: described(error) }
    }
    this.port.postMessage({ n, crypto: JSON.stringify(answer), blobs: out }, out)
  }

  private value(value: unknown, keys: Keys, out: ArrayBuffer[]): unknown {
    if (typeof value === 'boolean') return value
    if (value instanceof ArrayBuffer) return { b: out.push(value) - 1 }
    if (value instanceof CryptoKey) return this.key(value, keys)
    const { publicKey, privateKey } = value as CryptoKeyPair
    if (publicKey instanceof CryptoKey) return { pair: [this.key(publicKey, keys), this.key(privateKey, keys)] }
    return { jwk: value }
  }

  private key(key: CryptoKey, keys: Keys): object {
    const { type, extractable, usages } = key
    const algorithm = key.algorithm as { modulusLength?: number; publicExponent?: Uint8Array }
    if ((algorithm.modulusLength ?? 0) > maxModulus) throw new Refused('NotSupportedError', `an RSA key has at most ${maxModulus} bits`)
    if (keys.size >= maxKeys) throw new Refused('OperationError', `a call has at most ${maxKeys} keys`)
    keys.set(++this.made, key)
    const { publicExponent } = algorithm
    return { k: this.made, type, extractable, usages, algorithm: publicExponent ? { ...algorithm, publicExponent: [...publicExponent] } : algorithm }
  }
}

function described(error: unknown): { name: string; message: string } {
  const { name, message } = error instanceof Error || error instanceof DOMException ? error : { name: 'OperationError', message: '' }
  return { name, message: message.slice(0, 500) }
}
