import { Bytes, define, defineProperty, deleteProperty, replace, uncurry } from '../../primordials'
import { Key } from './key'
import { SubtleCrypto } from './subtle'

const source = crypto
const fill = uncurry(Crypto.prototype.getRandomValues as (this: Crypto, bytes: Uint8Array) => Uint8Array)
const digits = '0123456789abcdef'

/** Makes `crypto` the same in every engine; without a facade there is no `crypto.subtle`, as in a page that is no secure context. */
export function installCrypto(global: object, facade: object | undefined): void {
  const { prototype } = Crypto
  define(prototype, 'randomUUID', randomUUID)
  if (facade === undefined) {
    for (const name of ['SubtleCrypto', 'CryptoKey']) deleteProperty(global, name)
    deleteProperty(prototype, 'subtle')
    return
  }
  replace(global, 'SubtleCrypto', SubtleCrypto)
  replace(global, 'CryptoKey', Key)
  const subtle = { __proto__: null, get: () => facade, set: undefined, enumerable: true, configurable: true }
  defineProperty(prototype, 'subtle', subtle as PropertyDescriptor)
}

/** A random UUID (RFC 9562, version 4). */
export function randomUUID(): string {
  const bytes = fill(source, new Bytes(16))
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  let text = ''
  for (let i = 0; i < 16; i++) {
    const byte = bytes[i] as number
    if (i === 4 || i === 6 || i === 8 || i === 10) text += '-'
    text += (digits[byte >> 4] as string) + (digits[byte & 15] as string)
  }
  return text
}
