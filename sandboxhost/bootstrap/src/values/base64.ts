import { Bytes, floor, fromUtf8, toUtf8, typedArrayLength } from '../primordials'

// By hand: atob and btoa go over texts of one character a byte, and the newer methods of Uint8Array are not everywhere.

const alphabet = toUtf8('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
const padding = 0x3d
const values = new Bytes(128)
for (let i = 0; i < 64; i++) values[alphabet[i] as number] = i

/** Standard base64 with padding (RFC 4648 section 4). */
export function toBase64(bytes: Uint8Array): string {
  const length = typedArrayLength(bytes)
  const out = new Bytes(floor((length + 2) / 3) * 4)
  let at = 0
  for (let i = 0; i < length; i += 3) {
    const left = length - i
    const bits = ((bytes[i] as number) << 16) | ((left > 1 ? (bytes[i + 1] as number) : 0) << 8) | (left > 2 ? (bytes[i + 2] as number) : 0)
    out[at++] = alphabet[bits >> 18] as number
    out[at++] = alphabet[(bits >> 12) & 63] as number
    out[at++] = left > 1 ? (alphabet[(bits >> 6) & 63] as number) : padding
    out[at++] = left > 2 ? (alphabet[bits & 63] as number) : padding
  }
  return fromUtf8(out)
}

/** The bytes of a text that is known to be standard base64 with padding. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const units = toUtf8(text)
  const length = typedArrayLength(units)
  const padded = length > 0 && units[length - 1] === padding ? (units[length - 2] === padding ? 2 : 1) : 0
  const size = (length / 4) * 3 - padded
  const out = new Bytes(size)
  let at = 0
  for (let i = 0; i < length; i += 4) {
    const bits = (value(units, i) << 18) | (value(units, i + 1) << 12) | (value(units, i + 2) << 6) | value(units, i + 3)
    out[at++] = bits >> 16
    if (at < size) out[at++] = (bits >> 8) & 255
    if (at < size) out[at++] = bits & 255
  }
  return out
}

function value(units: Uint8Array, i: number): number {
  return values[(units[i] as number) & 127] as number
}
