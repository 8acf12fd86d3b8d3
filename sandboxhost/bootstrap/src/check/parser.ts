import { Parser, type Expression, type Options, type Program } from 'acorn'
import { ToolParser } from './grammar'
import { Refusal, tooDeep } from './verdict'

/**
 * The newest edition that every host runs: Node 20 and today's Chromium, Firefox and WebKit. Code that needs a newer
 * one would be accepted at install and fail in some hosts at the call.
 */
const edition = 2024

export type OnComment = (block: boolean, text: string, start: number, end: number) => void

/** Parses a whole text as a module. A syntax error is a Refusal with the parser's place. */
export function parseModule(text: string): Program {
  return inEdition(text, (ecmaVersion) => ToolParser.parse(text, { ecmaVersion, sourceType: 'module', allowHashBang: false }))
}

/** Parses one expression of a module that begins at an offset, and nothing behind it. */
export function parseExpression(text: string, offset: number): Expression {
  return inEdition(text, (ecmaVersion) => ToolParser.parseExpressionAt(text, offset, { ecmaVersion, sourceType: 'module' }))
}

/** Parses a classic script made from a module that was parsed before, so nesting and imports are known to be fine. */
export function parseScript(text: string, onComment: OnComment): Program {
  return inEdition(text, (ecmaVersion) => Parser.parse(text, { ecmaVersion, sourceType: 'script', onComment }))
}

function inEdition<T>(text: string, parse: (ecmaVersion: Options['ecmaVersion']) => T): T {
  try {
    return parse(edition)
  } catch (error) {
    const refusal = asRefusal(text, error)
    if (refusal === error || refusal.offset === undefined) throw refusal
    try {
      parse('latest')
    } catch (other) {
      throw asRefusal(text, other)
    }
    throw new Refusal(`this syntax is newer than ECMAScript ${edition}, which is what every host runs; write it another way`, refusal.offset)
  }
}

function asRefusal(text: string, error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof SyntaxError && 'pos' in error && typeof error.pos === 'number') {
    // Without acorn's own place, and without a repetition of the whole pattern.
    const message = error.message.replace(/ \(\d+:\d+\)$/, '').replace(/^(Invalid regular expression): \/[^]*\/:/, '$1:')
    if (message.startsWith('Not enough stack space')) return new Refusal(tooDeep)
    return new Refusal('syntax error: ' + sentence(message, text, error.pos), error.pos)
  }
  // An engine's own words for a full stack: RangeError in V8 and JavaScriptCore, InternalError in SpiderMonkey.
  if (error instanceof Error && (error instanceof RangeError || error.name === 'InternalError')) return new Refusal(tooDeep)
  throw error
}

/** A word, or one punctuator's first character. */
const token = /^(?:[^\s!-#%-/:-@[-^`{-~]+|\S)/u

function sentence(message: string, text: string, offset: number): string {
  if (message !== 'Unexpected token') return message.charAt(0).toLowerCase() + message.slice(1)
  if (offset >= text.length) return 'unexpected end of the code'
  const found = token.exec(text.slice(offset, offset + 300))
  return found === null ? 'unexpected token' : `unexpected token ${found[0]}`
}
