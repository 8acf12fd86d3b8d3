import { parseExpression, parseModule } from './check/parser'
import { expressionParts, partsOf, type Parts } from './check/form'
import { assemble } from './check/program'
import { blank, loneSurrogate, maxSourceBytes, position, skipTrivia, utf8Length } from './check/text'
import { accepted, notUnicode, Refusal, tooLarge, type Verdict } from './check/verdict'
import { unwrap } from './check/wrapping'

/**
 * Says whether a text is a tool in JavaScript, and gives the program to run if it is. The verdict is the same in every
 * host. A refusal never throws; what throws is a mistake of ours.
 */
export function check(args: { source: string }): Verdict {
  const { source } = args
  try {
    return checked(source)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const place = error.offset === undefined ? { line: 0, column: 0 } : position(source, error.offset)
    return { ok: false, code: 'invalid_code', message: error.message, ...place }
  }
}

function checked(source: string): Verdict {
  if (source.length > maxSourceBytes || utf8Length(source) > maxSourceBytes) throw new Refusal(tooLarge)
  const lone = loneSurrogate(source)
  if (lone >= 0) throw new Refusal(notUnicode, lone)
  const text = unwrap(source)
  return assemble(anonymous(text) ?? partsOf(text, parseModule(text)))
}

/** `function (a) {…}` without a name is no statement of the language; authors write it all the same. */
function anonymous(text: string): Parts | undefined {
  const start = skipTrivia(text, 0)
  const word = text.startsWith('async', start) ? skipTrivia(text, start + 'async'.length) : start
  if (!text.startsWith('function', word)) return undefined
  const mark = skipTrivia(text, word + 'function'.length)
  if (text.charAt(text.charAt(mark) === '*' ? skipTrivia(text, mark + 1) : mark) !== '(') return undefined
  const expression = parseExpression(text, start)
  const rest = parseModule(blank(text, 0, expression.end))
  const other = rest.body.find((item) => item.type !== 'EmptyStatement')
  if (other !== undefined) throw new Refusal(accepted, start)
  return expressionParts(rest.body.reduce((body, item) => blank(body, item.start, item.end), text), expression)
}
