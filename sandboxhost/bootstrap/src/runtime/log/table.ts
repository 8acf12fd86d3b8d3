import { getOwnPropertyDescriptor, isArray, isObject, list, ownKeys, slice } from '../../primordials'
import { dataOf } from '../../values/classes'
import type { ErrorText } from './format'
import { inspect } from './inspect'

const maxRows = 100
const maxColumns = 20
const maxCell = 80

/**
 * Rows of a console.table as text, with the columns asked for, if any; undefined for what is no table and shows like any other
 * value. Runs no getter.
 */
export function table(data: unknown, asked: unknown, errorText: ErrorText): string | undefined {
  if (!isObject(data) || typeof data === 'function') return undefined
  const rows = names(data, maxRows)
  const only = isArray(asked) ? asked : undefined
  const columns = list<string>()
  const cells = list<string[]>()
  columns[0] = '(index)'
  for (let i = 0; only && i < only.length && i < maxColumns; i++) {
    const name = dataOf(only, `${i}`)
    if (typeof name === 'string') columns[columns.length] = slice(name, 0, maxCell)
  }
  for (let r = 0; r < rows.length; r++) {
    const row = dataOf(data, rows[r] as string)
    const line = list<string>()
    line[0] = rows[r] as string
    if (isObject(row) && typeof row !== 'function') {
      const keys = names(row, maxColumns)
      for (let k = 0; k < keys.length; k++) {
        const key = keys[k] as string
        put(columns, line, key, only !== undefined, inspect(dataOf(row, key), maxCell, errorText))
      }
    } else put(columns, line, 'Values', false, inspect(row, maxCell, errorText))
    cells[r] = line
  }
  return draw(columns, cells)
}

function put(columns: string[], line: string[], column: string, fixed: boolean, text: string): void {
  let at = 1
  while (at < columns.length && columns[at] !== column) at++
  if (at > maxColumns || (fixed && at === columns.length)) return
  columns[at] = column
  line[at] = text
}

/** The first enumerable string keys. */
function names(holder: object, most: number): string[] {
  const keys = ownKeys(holder)
  const found = list<string>()
  for (let i = 0; i < keys.length && found.length < most; i++) {
    const key = keys[i]
    if (typeof key === 'string' && getOwnPropertyDescriptor(holder, key)?.enumerable) found[found.length] = slice(key, 0, maxCell)
  }
  return found
}

function draw(columns: string[], cells: string[][]): string {
  const widths = list<number>()
  for (let c = 0; c < columns.length; c++) {
    let width = (columns[c] as string).length
    for (let r = 0; r < cells.length; r++) width = larger(width, cellOf(cells[r] as string[], c).length)
    widths[c] = width
  }
  let out = line(columns, widths)
  for (let r = 0; r < cells.length; r++) out += '\n' + line(cells[r] as string[], widths)
  return out
}

function line(cells: string[], widths: number[]): string {
  let out = ''
  for (let c = 0; c < widths.length; c++) {
    const text = cellOf(cells, c)
    out += (c > 0 ? ' | ' : '') + text
    for (let pad = text.length; pad < (widths[c] as number) && c + 1 < widths.length; pad++) out += ' '
  }
  return out
}

function cellOf(cells: string[], c: number): string {
  return c < cells.length ? (cells[c] ?? '') : ''
}

function larger(a: number, b: number): number {
  return a > b ? a : b
}
