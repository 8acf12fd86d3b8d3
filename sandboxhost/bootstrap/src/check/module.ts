import type { ExportDefaultDeclaration, ExportNamedDeclaration, ExportSpecifier } from 'acorn'
import { declared, refuseUnlessFunction, strict, type Item, type Parts } from './form'
import { blank, overwrite, skipTrivia } from './text'
import { defaultNotFunction, imports, noDefault, otherExport, Refusal } from './verdict'

/** A module becomes a function body: its one export is written over in place, and the function is returned at the end. */
export function moduleParts(text: string, items: Item[]): Parts {
  const exports = items.filter(isExport)
  for (const item of exports) {
    if (item.type === 'ExportAllDeclaration' || (item.type === 'ExportNamedDeclaration' && item.source)) throw new Refusal(imports, item.start)
  }
  const main = exports.find((item) => item.type === 'ExportDefaultDeclaration' || defaultSpecifier(item) !== undefined)
  if (main === undefined) throw new Refusal(noDefault, exports[0]?.start)
  const other = exports.find((item) => item !== main)
  if (other !== undefined) throw new Refusal(otherExport, other.start)
  return main.type === 'ExportDefaultDeclaration' ? defaultExport(text, main, items) : namedExport(text, main, items)
}

type Export = Extract<Item, { type: `Export${string}` }>

function isExport(item: Item): item is Export {
  return item.type.startsWith('Export')
}

function defaultSpecifier(item: Export): ExportSpecifier | undefined {
  if (item.type !== 'ExportNamedDeclaration') return undefined
  return item.specifiers.find(({ exported }) => (exported.type === 'Identifier' ? exported.name : exported.value) === 'default')
}

/** `export { f as default }` goes away, all but a semicolon, so that the lines around it do not join. */
function namedExport(text: string, item: Export, items: Item[]): Parts {
  const chosen = defaultSpecifier(item)
  const other = (item as ExportNamedDeclaration).specifiers.find((specifier) => specifier !== chosen)
  if (other !== undefined) throw new Refusal(otherExport, other.start)
  if (chosen?.local.type !== 'Identifier') throw new Refusal(defaultNotFunction, item.start)
  const { name, start } = chosen.local
  refuseUnlessDeclared(name, start, items)
  return { form: 'module', first: strict, body: overwrite(blank(text, item.start, item.end), item.start, ';'), last: `return ${name}` }
}

function defaultExport(text: string, item: ExportDefaultDeclaration, items: Item[]): Parts {
  const { declaration } = item
  if (declaration.type === 'Identifier') refuseUnlessDeclared(declaration.name, declaration.start, items)
  else refuseUnlessFunction(declaration, defaultNotFunction)
  const keyword = skipTrivia(text, item.start + 'export'.length)
  if (declaration.type === 'FunctionDeclaration' && declaration.id) {
    const body = overwrite(overwrite(text, keyword, '       '), item.start, ';     ')
    return { form: 'module', first: strict, body, last: `return ${declaration.id.name}` }
  }
  const name = unusedName(text)
  if (declaration.type === 'FunctionDeclaration') {
    const named = namedInPlace(text, item.start, declaration, name)
    if (named !== undefined) return { form: 'module', first: strict, body: named, last: `return ${name}` }
  }
  const body = overwrite(overwrite(text, keyword, name.padEnd(6) + '='), item.start, ';const')
  const parts: Parts = { form: 'module', first: strict, body, last: `return ${name}` }
  return declaration.type === 'FunctionDeclaration' ? ended(parts, declaration.end) : parts
}

/**
 * Gives the function of `export default function () {…}` a name in the room that the two words leave, so that no column moves.
 * Not where a line ends between the words: there is no room then.
 */
function namedInPlace(text: string, start: number, declaration: { start: number; async: boolean }, name: string): string | undefined {
  const word = declaration.async ? skipTrivia(text, declaration.start + 'async'.length) : declaration.start
  const end = word + 'function'.length
  if (/[\n\r\u2028\u2029]/.test(text.slice(start, end))) return undefined
  const head = `${declaration.async ? 'async ' : ''}function ${name}`
  return overwrite(text, start, ';' + head.padStart(end - start - 1))
}

/** A declaration needs no semicolon behind it; as a value it does, where what follows could go on with it. */
function ended(parts: Parts, end: number): Parts {
  const next = skipTrivia(parts.body, end)
  const between = parts.body.slice(end, next)
  if (next === parts.body.length || (/[\n\r\u2028\u2029]/.test(between) && !/[([`+\-*/]/.test(parts.body.charAt(next)))) return parts
  if (/^[ \t]/.test(between)) return { ...parts, body: overwrite(parts.body, end, ';') }
  return { ...parts, body: parts.body.slice(0, end) + ';' + parts.body.slice(end), inserted: end }
}

/** The exported name must be known to be a function before the code runs. */
function refuseUnlessDeclared(name: string, start: number, items: Item[]): void {
  const found = items.flatMap(declared).find((candidate) => candidate.name === name)
  if (found !== undefined) return refuseUnlessFunction(found.node, defaultNotFunction)
  const isClassName = items.some((item) => item.type === 'ClassDeclaration' && item.id.name === name)
  refuseUnlessFunction({ type: isClassName ? 'Class' : 'Identifier', start }, defaultNotFunction)
}

const escaped = /\\u(?:\{0*([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{4}))/g

/**
 * A name of at most six units that the text does not hold, however its own names are spelled; it is also what a stack shows for
 * an unnamed function.
 */
function unusedName(text: string): string {
  const used = new Set(text.match(/[\w$]+/g))
  if (text.includes('\\u')) {
    const plain = text.replace(escaped, (whole: string, long?: string, short?: string) => {
      const point = parseInt((long ?? short) as string, 16)
      return point < 0x80 ? String.fromCharCode(point) : whole
    })
    for (const word of plain.match(/[\w$]+/g) ?? []) used.add(word)
  }
  let name = 'tool'
  // A text of 1 MiB holds fewer words than there are names with five units.
  for (let i = 0; used.has(name); i++) name = 't' + i.toString(36)
  return name
}
