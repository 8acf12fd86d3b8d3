import { rows, type Fields, type Kind, type Message, type Shape, type Side } from './protocol.gen'
import { fits } from './text'
import { isTagged } from './values/check'

/** What a guard found wrong: a breach of form, or of a size. */
export type Breach = 'malformed' | 'size'

/** The cap of the largest message, bytes. */
export const largest = Math.max(...Object.values(rows).map((row) => row.bytes))

/**
 * Parses one message that a side may say. Everything that its row does not allow is a breach: unknown kind, wrong side,
 * unknown, missing or mistyped fields, texts and lists over their caps, words outside their lists, malformed values.
 */
export function parseMessage(text: string, blobs: number, by: Side, nesting: number): Message | Breach {
  if (!fits(text, largest)) return 'size'
  const tree = parseJSON(text)
  if (!isRecord(tree)) return 'malformed'
  const { kind } = tree
  if (typeof kind !== 'string' || !Object.hasOwn(rows, kind)) return 'malformed'
  const row = rows[kind as Kind]
  if (row.by !== by || blobs > row.blobs) return 'malformed'
  if (!fits(text, row.bytes)) return 'size'
  return hasShape(row.fields, tree, nesting, 1) ? (tree as unknown as Message) : 'malformed'
}

function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(v: unknown): v is Record<string, unknown> {
  return typeof v === 'object' && v !== null && !Array.isArray(v)
}

/** The fields of an object, all that must be there and none besides. extra counts the keys that are no fields: the kind of a message. */
function hasShape(fields: Fields, v: Record<string, unknown>, nesting: number, extra: number): boolean {
  let present = extra
  for (const name in fields) {
    const field = fields[name]!
    if (!Object.hasOwn(v, name)) {
      if (!field.optional) return false
    } else {
      present++
      if (!isOf(field.shape, v[name], nesting)) return false
    }
  }
  return Object.keys(v).length === present
}

function isOf(shape: Shape, v: unknown, nesting: number): boolean {
  switch (shape.t) {
    case 'text':
      return typeof v === 'string' && fits(v, shape.max)
    case 'count':
      return Number.isSafeInteger(v) && (v as number) >= 0
    case 'number':
      return typeof v === 'number' && Number.isFinite(v)
    case 'boolean':
      return typeof v === 'boolean'
    case 'word':
      return typeof v === 'string' && shape.of.includes(v)
    case 'value':
      return isTagged(v, nesting)
    case 'list':
      return Array.isArray(v) && v.length <= shape.max && v.every((item) => isOf(shape.of!, item, nesting))
    case 'object':
      return isRecord(v) && hasShape(shape.fields, v, nesting, 0)
  }
}
