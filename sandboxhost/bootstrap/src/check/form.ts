import type { Expression, Program } from 'acorn'
import { moduleParts } from './module'
import { blank } from './text'
import { accepted, empty, isClass, isGenerator, Refusal, type Form } from './verdict'

/** A program before its lines are joined: the first line, the author's lines, the last line. */
export interface Parts {
  form: Form
  first: string
  body: string
  last: string
  /** Where one unit was inserted into the author's text, if anywhere. */
  inserted?: number
}

export type Item = Program['body'][number]

export const strict = '"use strict";'

/** Finds the tool's function in a parsed text and says how a program returns it. */
export function partsOf(text: string, tree: Program): Parts {
  const items = tree.body.filter((item) => item.type !== 'EmptyStatement')
  const only = items[0]
  if (only === undefined) throw new Refusal(empty)
  if (items.some((item) => item.type.startsWith('Export'))) return moduleParts(text, items)
  if (items.length > 1) throw unnamed(items)
  if (only.type === 'FunctionDeclaration') {
    refuseUnlessFunction(only, accepted)
    return { form: 'function', first: strict, body: text, last: `return ${only.id.name}` }
  }
  if (only.type !== 'ExpressionStatement') throw unnamed(items)
  return expressionParts(withoutSemicolons(text, tree, only.expression), only.expression)
}

/** For one function literal, the only thing in a text besides comments. */
export function expressionParts(text: string, expression: Expression): Parts {
  refuseUnlessFunction(expression, accepted)
  return { form: 'expression', first: `${strict}return (`, body: text, last: ')' }
}

/** Refuses what is not a plain or async function, with the sentence given for things that are no kind of function. */
export function refuseUnlessFunction(node: { type: string; start: number; generator?: boolean }, otherwise: string): void {
  if (node.type.startsWith('Class')) throw new Refusal(isClass, node.start)
  if (!isFunction(node)) throw new Refusal(otherwise, node.start)
  if (node.generator) throw new Refusal(isGenerator, node.start)
}

export function isFunction(node: { type: string } | null | undefined): boolean {
  return node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression' || node?.type === 'FunctionDeclaration'
}

/** The functions that a statement declares, by name. */
export function declared(item: Item): { name: string; node: { type: string; start: number; generator?: boolean } }[] {
  if (item.type === 'FunctionDeclaration') return [{ name: item.id.name, node: item }]
  if (item.type !== 'VariableDeclaration') return []
  return item.declarations.flatMap(({ id, init }) => (id.type === 'Identifier' && init && isFunction(init) ? [{ name: id.name, node: init }] : []))
}

function withoutSemicolons(text: string, tree: Program, expression: Expression): string {
  let body = text
  for (const item of tree.body) {
    if (item.type === 'EmptyStatement') body = blank(body, item.start, item.end)
    // The end of the one expression statement: behind the function there are only brackets and this.
    else if (item.end > expression.end && text.charAt(item.end - 1) === ';') body = blank(body, item.end - 1, item.end)
  }
  return body
}

function unnamed(items: Item[]): Refusal {
  const functions = items.flatMap(declared)
  const [first, ...more] = functions
  const start = items[0]?.start
  if (first === undefined) return new Refusal(items.length === 1 && items[0]?.type === 'ClassDeclaration' ? isClass : accepted, start)
  if (more.length === 0) return new Refusal(`tool code does not say which function is the tool; add \`export default ${first.name}\``, start)
  const names = functions.map(({ name }) => name).join(', ')
  return new Refusal(`tool code has ${functions.length} functions (${names}) and does not say which is the tool; add \`export default\` with its name`, start)
}
