// What tool, supervisor and frame say to each other about Web Crypto. An ask is JSON text, `{"id":1,"op":"sign","args":[…]}`,
// with its bytes beside it as blobs; what an argument may be is the table's alone. The answer is `{"id":1,"value":…}` or
// `{"id":1,"error":{"name":…,"message":…}}`.

/** What an argument is: bytes stand as the number of their blob, keys as the number that the frame gave them. */
export type Kind = 'algorithm' | 'bytes' | 'key' | 'format' | 'flag' | 'usages' | 'data' | 'length'

/** The operations of a SubtleCrypto, and there are no others. `data` is a JSON Web Key if the format before it is `jwk`, else bytes. */
export const operations: Readonly<Record<string, readonly Kind[]>> = {
  digest: ['algorithm', 'bytes'],
  generateKey: ['algorithm', 'flag', 'usages'],
  importKey: ['format', 'data', 'algorithm', 'flag', 'usages'],
  exportKey: ['format', 'key'],
  sign: ['algorithm', 'key', 'bytes'],
  verify: ['algorithm', 'key', 'bytes', 'bytes'],
  encrypt: ['algorithm', 'key', 'bytes'],
  decrypt: ['algorithm', 'key', 'bytes'],
  deriveBits: ['algorithm', 'key', 'length'],
  deriveKey: ['algorithm', 'key', 'algorithm', 'flag', 'usages'],
  wrapKey: ['format', 'key', 'key', 'algorithm'],
  unwrapKey: ['format', 'bytes', 'key', 'algorithm', 'algorithm', 'flag', 'usages'],
}

/** The members of an algorithm, with what each is. */
export const members: Readonly<Record<string, 'text' | 'count' | 'bytes' | 'key' | 'algorithm'>> = {
  name: 'text', hash: 'algorithm', iv: 'bytes', additionalData: 'bytes', tagLength: 'count', length: 'count', counter: 'bytes', salt: 'bytes',
  iterations: 'count', info: 'bytes', label: 'bytes', saltLength: 'count', namedCurve: 'text', modulusLength: 'count',
  publicExponent: 'bytes', public: 'key', context: 'bytes',
}

/** The fields of a JSON Web Key; `oth`, keys of more than two primes, no engine takes. */
export const webKey: Readonly<Record<string, 'text' | 'texts' | 'flag'>> = {
  kty: 'text', use: 'text', key_ops: 'texts', alg: 'text', ext: 'flag', crv: 'text', x: 'text', y: 'text', d: 'text', n: 'text', e: 'text',
  p: 'text', q: 'text', dp: 'text', dq: 'text', qi: 'text', k: 'text',
}

export const formats: readonly string[] = ['raw', 'spki', 'pkcs8', 'jwk']
export const usages: readonly string[] = ['encrypt', 'decrypt', 'sign', 'verify', 'deriveKey', 'deriveBits', 'wrapKey', 'unwrapKey']

/** The largest text and the most bytes of one ask or answer. */
export const maxText = 65536
export const maxBytes = 16 << 20
/** How many asks a tool may have open, and how many bytes with them; the runtime holds the others back. */
export const maxOpen = 16
export const maxOpenBytes = 2 * maxBytes
/** How many asks the frame works on. */
export const maxWorking = 4

// The frame's work cannot be called back, so no ask may take long.
export const maxKeys = 1024
export const maxModulus = 4096
export const maxLength = 65536
/** Iterations of PBKDF2, counted for each block of the hash. */
export const maxRounds = 10_000_000

/** An ask or an answer on its way. */
export interface CryptoMessage {
  readonly crypto: string
  readonly blobs: readonly ArrayBuffer[]
}

/** The same between supervisor and frame, which counts asks by itself. */
export interface Numbered extends CryptoMessage {
  readonly n: number
}

/** The word that ends all keys of a call. */
export const forget = 'forget'
