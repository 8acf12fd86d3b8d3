/** The largest source, in bytes of UTF-8. */
export const maxSourceBytes = 1 << 20

/** ECMAScript line terminators; CR LF is one line end. */
const lineEnd = /\r\n|[\n\r\u2028\u2029]/g

/** The bytes of UTF-8 that a well-formed text takes. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) continue
    // Each half of a surrogate pair is counted as two of the four bytes.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2
  }
  return bytes
}

/** The offset of the first surrogate without its partner, or -1. */
export function loneSurrogate(text: string): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0xd800 || unit > 0xdfff) continue
    const next = text.charCodeAt(i + 1)
    if (unit > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) return i
    i++
  }
  return -1
}

/** Line and column of an offset, both from 1; the column counts UTF-16 units. */
export function position(text: string, offset: number): { line: number; column: number } {
  let line = 1
  let start = 0
  lineEnd.lastIndex = 0
  for (let end = lineEnd.exec(text); end !== null && end.index + end[0].length <= offset; end = lineEnd.exec(text)) {
    line++
    start = end.index + end[0].length
  }
  return { line, column: offset - start + 1 }
}

/** Spaces for all but the line terminators from start to end: nothing behind them moves. */
export function blank(text: string, start: number, end: number): string {
  return text.slice(0, start) + text.slice(start, end).replace(/[^\n\r\u2028\u2029]/g, ' ') + text.slice(end)
}

/** Writes a word over as many units. */
export function overwrite(text: string, start: number, word: string): string {
  return text.slice(0, start) + word + text.slice(start + word.length)
}

export function isLineEnd(char: string): boolean {
  return char === '\n' || char === '\r' || char === '\u2028' || char === '\u2029'
}

/** The offset of the next token: white space and comments are passed over, an unclosed comment is not. */
export function skipTrivia(text: string, offset: number): number {
  let at = offset
  while (at < text.length) {
    if (text.startsWith('//', at)) {
      while (at < text.length && !isLineEnd(text.charAt(at))) at++
    } else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2)
      if (end < 0) return at
      at = end + 2
    } else if (/\s/.test(text.charAt(at))) {
      at++
    } else {
      return at
    }
  }
  return at
}
