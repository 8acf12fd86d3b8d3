import { charCodeAt, slice, stringify, toUtf8, typedArrayLength, uncurry } from './primordials'

// The wire counts bytes of UTF-8, the language UTF-16 units. A text of n units takes n to 3n bytes, which settles most questions
// without counting.

const wellFormed = (String.prototype as { isWellFormed?: (this: string) => boolean }).isWellFormed
const isWellFormed = wellFormed && uncurry(wellFormed)

/** Says whether a text is Unicode: no half of a surrogate pair stands alone. */
export function isUnicode(text: string): boolean {
  return isWellFormed ? isWellFormed(text) : loneSurrogate(text, 0) < 0
}

/** A text with U+FFFD in the place of lone surrogates. */
export function toUnicode(text: string): string {
  if (isUnicode(text)) return text
  let out = ''
  let from = 0
  for (let at = loneSurrogate(text, 0); at >= 0; at = loneSurrogate(text, from)) {
    out += slice(text, from, at) + '\ufffd'
    from = at + 1
  }
  return out + slice(text, from)
}

function loneSurrogate(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const unit = charCodeAt(text, i)
    if (unit < 0xd800 || unit > 0xdfff) continue
    const next = unit < 0xdc00 && i + 1 < text.length ? charCodeAt(text, i + 1) : 0
    if (next < 0xdc00 || next > 0xdfff) return i
    i++
  }
  return -1
}

/** A JSON string. */
export function quote(text: string): string {
  return stringify(text)
}

/** Above this an engine's own encoder counts faster, in spite of the copy. */
const countBySelf = 256

/** Bytes of a text as UTF-8. */
export function utf8Length(text: string): number {
  if (text.length > countBySelf) return typedArrayLength(toUtf8(text))
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = charCodeAt(text, i)
    // Each half of a surrogate pair is counted as two of the four bytes.
    if (unit >= 0x80) bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2
  }
  return bytes
}

/** Whether a text takes at most that many bytes of UTF-8. */
export function fits(text: string, bytes: number): boolean {
  return text.length <= bytes && (text.length * 3 <= bytes || utf8Length(text) <= bytes)
}

const ellipsis = '…'
const ellipsisBytes = 3

/** A Unicode text of at most that many bytes; what was cut off is shown as an ellipsis. */
export function clip(text: string, bytes: number): string {
  if (fits(text, bytes)) return toUnicode(text)
  let left = bytes - ellipsisBytes
  let end = 0
  for (; end < text.length && left > 0; end++) {
    const unit = charCodeAt(text, end)
    left -= unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit >= 0xd800 && unit < 0xe000 ? 2 : 3
  }
  if (left < 0) end--
  const last = end > 0 ? charCodeAt(text, end - 1) : 0
  return toUnicode(slice(text, 0, last >= 0xd800 && last < 0xdc00 ? end - 1 : end)) + ellipsis
}
