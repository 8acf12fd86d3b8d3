import { blank, isLineEnd, skipTrivia } from './text'
import { hashbang, openFence, Refusal } from './verdict'

const fenceLine = /^(`{3,})[ \t]*([^\s`]*)[^`]*$/
const languages = ['', 'js', 'javascript', 'mjs']
const directive = /^(['"])use strict\1/

/**
 * Blanks what authors and models put around code: a byte order mark, a Markdown fence, `'use strict'` directives. The
 * code is strict anyway. Every offset stays what it was.
 */
export function unwrap(source: string): string {
  const text = unfence(source.startsWith('\ufeff') ? ' ' + source.slice(1) : source)
  const start = skipSpace(text, 0)
  if (text.startsWith('#!', start)) throw new Refusal(hashbang, start)
  return withoutDirectives(text)
}

function unfence(text: string): string {
  const start = skipSpace(text, 0)
  if (!text.startsWith('```', start)) return text
  const open = fenceLine.exec(text.slice(start, lineEndAfter(text, start)))
  const marks = open?.[1]
  const language = open?.[2]
  if (marks === undefined || language === undefined) throw new Refusal(openFence, start)
  if (!languages.includes(language.toLowerCase())) {
    throw new Refusal(`the Markdown fence says ${language}; give JavaScript, fenced as js or not at all`, start)
  }
  let end = text.length
  while (end > start && /\s/.test(text.charAt(end - 1))) end--
  let last = end
  while (last > start && !isLineEnd(text.charAt(last - 1))) last--
  const close = text.slice(last, end).trim()
  if (last <= start || close.length < marks.length || close !== '`'.repeat(close.length)) throw new Refusal(openFence, start)
  return blank(blank(text, last, end), start, lineEndAfter(text, start))
}

/** A directive ends at a semicolon, a line end or the end of the code; anything else makes it part of an expression. */
function withoutDirectives(text: string): string {
  let rest = text
  for (;;) {
    const start = skipTrivia(rest, 0)
    const found = directive.exec(rest.slice(start, start + 12))
    if (found === null) return rest
    const end = start + found[0].length
    const next = skipTrivia(rest, end)
    if (rest.charAt(next) === ';') {
      rest = blank(blank(rest, next, next + 1), start, end)
    } else if (next === rest.length || /[\n\r\u2028\u2029]/.test(rest.slice(end, next))) {
      rest = blank(rest, start, end)
    } else {
      return rest
    }
  }
}

function skipSpace(text: string, offset: number): number {
  let at = offset
  while (at < text.length && /\s/.test(text.charAt(at))) at++
  return at
}

function lineEndAfter(text: string, offset: number): number {
  let at = offset
  while (at < text.length && !isLineEnd(text.charAt(at))) at++
  return at
}
