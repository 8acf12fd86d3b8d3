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
  const body = overwrite(overwrite(text, keyword, name.padEnd(6) + '='), item.start, ';const')
  const parts: Parts = { form: 'module', first: strict, body, last: `return ${name}` }
  return declaration.type === 'FunctionDeclaration' ? ended(parts, declaration.end) : parts
}

/** A declaration needs no semicolon behind it; as a value it does, or the next line could call it. */
function ended(parts: Parts, end: number): Parts {
  const next = parts.body.charAt(end)
  if (next === ' ' || next === '\t') return { ...parts, body: overwrite(parts.body, end, ';') }
  return { ...parts, body: parts.body.slice(0, end) + ';' + parts.body.slice(end), inserted: end }
}

/** The exported name must be known to be a function before the code runs. */
function refuseUnlessDeclared(name: string, start: number, items: Item[]): void {
  const found = items.flatMap(declared).find((candidate) => candidate.name === name)
  if (found !== undefined) return refuseUnlessFunction(found.node, defaultNotFunction)
  const isClassName = items.some((item) => item.type === 'ClassDeclaration' && item.id.name === name)
  refuseUnlessFunction({ type: isClassName ? 'Class' : 'Identifier', start }, defaultNotFunction)
}

/** A name of at most six units that the text does not hold; it is also what a stack shows for an unnamed function. */
function unusedName(text: string): string {
  const used = new Set(text.match(/[\w$]+/g))
  let name = 'tool'
  // A text of 1 MiB holds fewer words than there are names with five units.
  for (let i = 0; used.has(name); i++) name = 't' + i.toString(36)
  return name
}
