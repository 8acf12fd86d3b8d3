import { getPrototypeOf, isArray, isObject, PlainError } from '../primordials'
import { cleanStack, stackOf, type Script, type Trace } from '../stack'
import { clip, quote } from '../text'
import { CannotTravel, encodeValue } from '../values/encode'
import { describeError, maxMessage, maxName, primitiveText, textOf } from '../values/error'

// With every character escaped the fields together stay below the cap of a failure message.
const maxStack = 8192
const maxCause = 8192
const maxValue = 32768
const maxPath = 1024
const maxCauses = 8

/**
 * The JSON text of `code` and `error` of a failure message for whatever a tool threw. Never throws: each property is read in
 * its own guard, texts are cut to their caps, and a value that is no error is kept only if it can travel.
 */
export function failureOf(thrown: unknown, script: Script, nesting: number): string {
  if (isObject(thrown) && isError(thrown)) return `"code":"tool_error","error":${errorOf(thrown, script)}`
  const message = describeError(thrown)
  const fields = `"name":"Thrown","message":${quote(isObject(thrown) ? message : primitiveText(thrown))}`
  return `"code":"tool_error","error":{${fields}${valueOf(thrown, nesting)}}`
}

/** The same for a result that cannot travel. */
export function invalidResult(problem: CannotTravel): string {
  const message = clip(`result ${problem.path}: ${problem.message}`, maxMessage)
  return `"code":"invalid_result","error":{"name":"InvalidResult","message":${quote(message)},"path":${quote(clip(problem.path, maxPath))}}`
}

function errorOf(error: object, script: Script): string {
  const trace = traceOf(error, script)
  let fields = `"name":${quote(textOf(error, 'name', maxName) ?? 'Error')},"message":${quote(textOf(error, 'message', maxMessage) ?? '')}`
  if (trace.text !== '') fields += `,"stack":${quote(clip(trace.text, maxStack))},"line":${trace.line},"column":${trace.column}`
  const cause = causesOf(error, script)
  return `{${fields}${cause === '' ? '' : `,"cause":${quote(cause)}`}}`
}

/** The author's part of an error's stack. */
export function traceOf(error: object, script: Script): Trace {
  return cleanStack(stackOf(error), script)
}

/** What an error gathers (AggregateError) and what caused it, one a line, with the author's place where there is one. */
function causesOf(error: object, script: Script): string {
  let text = gatheredIn(error, script)
  let at: unknown = error
  for (let i = 0; i < maxCauses; i++) {
    at = read(at as object, 'cause')
    if (at === undefined) break
    text += (text === '' ? '' : '\n') + placed(at, script)
    if (!isObject(at)) break
  }
  return clip(text, maxCause)
}

function gatheredIn(error: object, script: Script): string {
  let text = ''
  try {
    const errors = read(error, 'errors')
    if (!isArray(errors)) return ''
    for (let i = 0; i < maxCauses && i < errors.length; i++) text += `${i > 0 ? '\n' : ''}errors[${i}]: ${placed(read(errors, i), script)}`
    if (errors.length > maxCauses) text += `\n… ${errors.length - maxCauses} more`
  } catch {
    // a Proxy of an array: what was read until now
  }
  return text
}

function placed(thrown: unknown, script: Script): string {
  const text = describeError(thrown)
  const { line, column } = isObject(thrown) && isError(thrown) ? traceOf(thrown, script) : { line: 0, column: 0 }
  return line > 0 ? `${text} (${script.name}:${line}:${column})` : text
}

function read(holder: object, key: string | number): unknown {
  try {
    return (holder as Record<string | number, unknown>)[key]
  } catch {
    return undefined
  }
}

function valueOf(thrown: unknown, nesting: number): string {
  try {
    return `,"value":${encodeValue(thrown, { nesting, bytes: maxValue })}`
  } catch {
    return ''
  }
}

const errorPrototype = PlainError.prototype
const maxChain = 64

/** Whether an object is an error by its prototypes; a revoked Proxy is none. */
export function isError(value: object): boolean {
  try {
    let at: object | null = value
    for (let i = 0; i < maxChain && at !== null; i++) {
      at = getPrototypeOf(at)
      if (at === errorPrototype) return true
    }
  } catch {
    // no error of any use
  }
  return false
}
