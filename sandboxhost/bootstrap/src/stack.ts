import { charCodeAt, exec, getOwnPropertyDescriptor, getter, hasOwn, indexOf, slice, PlainError } from './primordials'

/** Where the author's text lies in the script that an engine runs. Lines count from 1. */
export interface Script {
  readonly name: string // what the author's text is called, such as weather.js
  readonly url: string // the address of the script; what JavaScriptCore calls it
  readonly source: string // the name that the script gives itself; what V8 and SpiderMonkey call it
  readonly before: number // lines of the script before the author's first
  readonly lines: number // lines of the author's text
}

/** A stack as the author can read it. Line and column are those of its topmost frame, 0 when there is none. */
export interface Trace {
  readonly text: string
  readonly line: number
  readonly column: number
}

/** A stack can be made as long as memory allows. */
const maxStack = 65536
const maxFrames = 32
const maxName = 500

/**
 * Keeps the frames of the author's text and counts their lines as the author does. Reads the stacks of V8
 * (`at f (url:1:2)`), SpiderMonkey and JavaScriptCore (`f@url:1:2`); what is none of these has no frames.
 */
export function cleanStack(stack: string, script: Script): Trace {
  const text = stack.length > maxStack ? slice(stack, 0, maxStack) : stack
  let trace: Trace = { text: '', line: 0, column: 0 }
  let frames = 0
  for (let from = 0; from < text.length && frames < maxFrames; ) {
    const end = indexOf(text, '\n', from)
    const frame = frameOf(slice(text, from, end < 0 ? text.length : end), script)
    if (frame !== undefined) {
      frames++
      const place = `${script.name}:${frame.line}:${frame.column}`
      const shown = frame.name === '' ? `at ${place}` : `at ${frame.name} (${place})`
      trace = trace.line === 0 ? { text: shown, line: frame.line, column: frame.column } : { ...trace, text: `${trace.text}\n${shown}` }
    }
    if (end < 0) break
    from = end + 1
  }
  return trace
}

interface Frame {
  readonly name: string
  readonly line: number
  readonly column: number
}

const place = /^:([0-9]{1,9}):([0-9]{1,9})\)?$/

function frameOf(row: string, script: Script): Frame | undefined {
  let called = script.source
  let at = indexOf(row, called + ':')
  if (at < 0) at = indexOf(row, (called = script.url) + ':')
  if (at < 0) return undefined
  const found = exec(place, slice(row, at + called.length))
  if (found === null) return undefined
  const line = +(found[1] as string) - script.before
  if (line < 1 || line > script.lines) return undefined
  // The pattern of a name takes a time that grows with its square.
  return { name: at > maxName ? '' : nameOf(slice(row, 0, at)), line, column: +(found[2] as string) }
}

// What stands before the script's name, by engine: `    at async f [as g] (`, and `async*f@`.
const v8 = /^\s*at (?:async )?(?:(.*?) (?:\[as .*\] )?\()?$/
const other = /^(?:async\*|async )?([^@]*)@$/
/** What engines call code that its author gave no name: also the wrapper's own function. */
const nameless = /^(?:|<anonymous>|anonymous|Object\.<anonymous>|eval code|global code|module code|.*\/<)$/

function nameOf(head: string): string {
  const found = exec(v8, head) ?? exec(other, head)
  const name = found?.[1] ?? ''
  return exec(nameless, name) !== null ? '' : slice(name, 0, 128)
}

// Where engines keep the text: an own value, an own accessor, or an accessor of Error.prototype.
const probe = new PlainError()
const own = getOwnPropertyDescriptor(probe, 'stack')
const inherited = getOwnPropertyDescriptor(PlainError.prototype, 'stack')
const ownGetter = own?.get
const readOwn = ownGetter && getter(probe, 'stack')
const readInherited = inherited?.get && getter(PlainError.prototype, 'stack')

/** The stack text of an error, without running a getter that is not the engine's. */
export function stackOf(error: object): string {
  try {
    const mine = getOwnPropertyDescriptor(error, 'stack')
    if (mine && hasOwn(mine, 'value')) return asText(mine.value)
    if (mine) return readOwn && mine.get === ownGetter ? asText(readOwn(error)) : ''
    return readInherited ? asText(readInherited(error)) : ''
  } catch {
    return ''
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Lines of a text as engines count them. */
export function countLines(text: string): number {
  let lines = 1
  for (let i = 0; i < text.length; i++) {
    const unit = charCodeAt(text, i)
    if (unit === 0x0d && i + 1 < text.length && charCodeAt(text, i + 1) === 0x0a) continue
    if (unit === 0x0a || unit === 0x0d || unit === 0x2028 || unit === 0x2029) lines++
  }
  return lines
}
