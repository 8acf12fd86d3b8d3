import { charCodeAt, fromCharCode, slice } from '../../primordials'
import { inspect } from './inspect'

export type ErrorText = (error: object) => string

/**
 * The text of a log call's arguments: console's format directives (WHATWG Console, section 2.2.1) in the first, then the rest,
 * all of them, separated by spaces. Arguments past that many bytes are left out; the logbook cuts the text to size.
 */
export function format(args: readonly unknown[], bytes: number, errorText: ErrorText): string {
  let out = ''
  let next = 0
  if (args.length > 1 && typeof args[0] === 'string') {
    const template = args[0].length > bytes ? slice(args[0], 0, bytes) : args[0]
    next = 1
    let from = 0
    for (let i = 0; i + 1 < template.length; i++) {
      if (charCodeAt(template, i) !== percent) continue
      const directive = fromCharCode(charCodeAt(template, i + 1))
      const text = directive === '%' ? '%' : next < args.length ? directed(directive, args[next], bytes, errorText) : undefined
      if (text === undefined) continue
      if (directive !== '%') next++
      out += slice(template, from, i) + text
      from = i + 2
      i++
    }
    out += slice(template, from)
  }
  for (let i = next; i < args.length && out.length <= bytes; i++) {
    const arg = args[i]
    out += (i > 0 ? ' ' : '') + (typeof arg === 'string' ? slice(arg, 0, bytes + 1) : inspect(arg, bytes, errorText))
  }
  return out
}

const percent = 0x25

function directed(directive: string, arg: unknown, bytes: number, errorText: ErrorText): string | undefined {
  switch (directive) {
    case 's':
      return typeof arg === 'string' ? slice(arg, 0, bytes) : inspect(arg, bytes, errorText)
    case 'd':
      return typeof arg === 'bigint' ? `${arg}n` : `${numberOf(arg)}`
    case 'i':
      return typeof arg === 'bigint' ? `${arg}n` : `${truncated(numberOf(arg))}`
    case 'f':
      return `${numberOf(arg)}`
    case 'o':
    case 'O':
    case 'j':
      return inspect(arg, bytes, errorText)
    case 'c':
      return ''
    default:
      return undefined
  }
}

/** Objects are not asked for a number, since asking runs their code. */
function numberOf(arg: unknown): number {
  switch (typeof arg) {
    case 'number':
    case 'string':
    case 'boolean':
      return +arg
    default:
      return arg === null ? 0 : NaN
  }
}

function truncated(number: number): number {
  return number - (number % 1)
}
