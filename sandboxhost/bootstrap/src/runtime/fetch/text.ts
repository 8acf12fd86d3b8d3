import { charCodeAt, indexOf, PlainTypeError, slice, toLowerCase, toUpperCase, uncurry } from '../../primordials'
import { toUnicode } from '../../text'

const decoder = new TextDecoder()
const exact = new TextDecoder('utf-8', { ignoreBOM: true })
const decode = uncurry(TextDecoder.prototype.decode)

/** Text of UTF-8 without its mark; what is none becomes U+FFFD. */
export const textOf = (bytes: Uint8Array<ArrayBuffer>): string => decode(decoder, bytes)
/** The same, and a mark stays. */
export const textWithMark = (bytes: Uint8Array<ArrayBuffer>): string => decode(exact, bytes)

/** The text of a value, with U+FFFD in the place of lone surrogates. */
export function usv(value: unknown): string {
  return toUnicode(`${value as string}`)
}

/** The text of a value, each unit a byte. Throws a TypeError if one is not. */
export function byteString(value: unknown, what: string): string {
  const text = `${value as string}`
  for (let i = 0; i < text.length; i++) {
    if (charCodeAt(text, i) > 0xff) throw new PlainTypeError(`${what}: its character ${i} does not fit into a byte`)
  }
  return text
}

const marks = "!#$%&'*+-.^_`|~"

/** Whether a unit may stand in a token of HTTP (RFC 9110 section 5.6.2). */
function isTokenUnit(c: number): boolean {
  return (c >= 0x30 && c <= 0x39) || ((c | 0x20) >= 0x61 && (c | 0x20) <= 0x7a) || (c > 0x20 && c < 0x7f && indexOf(marks, ascii(c)) >= 0)
}

const printable = ' !"#$%&\'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~'
const ascii = (c: number): string => printable[c - 0x20] as string

export function isToken(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (!isTokenUnit(charCodeAt(text, i))) return false
  return text !== ''
}

/** Lower case of ASCII letters alone. */
export function asciiLower(text: string): string {
  for (let i = 0; i < text.length; i++) if (charCodeAt(text, i) > 0x7f) return asciiOnly(text)
  return toLowerCase(text)
}

function asciiOnly(text: string): string {
  let out = ''
  for (let i = 0; i < text.length; i++) out += charCodeAt(text, i) > 0x7f ? (text[i] as string) : toLowerCase(text[i] as string)
  return out
}

const isSpace = (c: number): boolean => c === 0x20 || c === 9 || c === 10 || c === 13

/** A text without the white space of HTTP around it. */
export function trim(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && isSpace(charCodeAt(text, from))) from++
  while (to > from && isSpace(charCodeAt(text, to - 1))) to--
  return slice(text, from, to)
}

export function need(given: number, wanted: number, what: string): void {
  if (given < wanted) throw new PlainTypeError(`${what}: ${wanted} argument${wanted > 1 ? 's are' : ' is'} needed, not ${given}`)
}

/** Names a class and its instances as the standard does: a bundle may have renamed it. */
export function named(Class: Function, name: string): void {
  Object.defineProperty(Class, 'name', { value: name, configurable: true })
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: name, configurable: true })
}

/** Upper case of a token. */
export function asciiUpper(token: string): string {
  return toUpperCase(token)
}
