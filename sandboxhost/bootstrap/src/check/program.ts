import type { Program } from 'acorn'
import type { Parts } from './form'
import { parseScript } from './parser'
import { blank } from './text'
import { htmlComment, Refusal, type Verdict } from './verdict'

// The runtime's classic script holds a program between these two.
const head = '"use strict";__taskyon(async () => {\n'
const tail = '\n})'

/** Both comments name other files for a stack or a debugger, and the second makes a debugger fetch one. */
const namesFile = /source(?:Mapping)?URL\s*=/

/**
 * Joins the parts and reads the result the way an engine will: as a classic script, where other rules hold for comments
 * than in the module that was checked. The script must be one call with one function, or the text is out of its bounds.
 */
export function assemble(parts: Parts): Verdict {
  const before = head + parts.first + '\n'
  let script = before + parts.body + '\n' + parts.last + tail
  const author = (offset: number): number | undefined => {
    const at = offset - before.length
    if (at < 0 || at > parts.body.length) return undefined
    return parts.inserted !== undefined && at > parts.inserted ? at - 1 : at
  }
  const named: [number, number][] = []
  let html: number | undefined
  let tree: Program
  try {
    tree = parseScript(script, (_block, text, start, end) => {
      if (script.charAt(start) !== '/') html ??= start
      if (namesFile.test(text)) named.push([start, end])
    })
  } catch (error) {
    if (html !== undefined) throw new Refusal(htmlComment, author(html))
    if (error instanceof Refusal && error.offset !== undefined) throw new Refusal(error.message, author(error.offset))
    throw error
  }
  if (html !== undefined) throw new Refusal(htmlComment, author(html))
  if (!isOneCall(tree, script)) throw new Refusal('tool code leaves the function that it is put into; close every bracket that it opens')
  for (const [start, end] of named) script = blank(script, start, end)
  return { ok: true, form: parts.form, program: script.slice(head.length, script.length - tail.length) }
}

function isOneCall(tree: Program, script: string): boolean {
  const [directive, statement, ...more] = tree.body
  if (more.length > 0 || directive?.type !== 'ExpressionStatement' || directive.directive !== 'use strict') return false
  if (statement?.type !== 'ExpressionStatement' || statement.expression.type !== 'CallExpression') return false
  const { callee, arguments: args, end } = statement.expression
  const [body, ...others] = args
  return (
    callee.type === 'Identifier' &&
    callee.name === '__taskyon' &&
    others.length === 0 &&
    body?.type === 'ArrowFunctionExpression' &&
    body.async &&
    body.body.type === 'BlockStatement' &&
    body.end === script.length - 1 &&
    end === script.length
  )
}
