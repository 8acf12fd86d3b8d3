/**
 * Says whether a tree parsed from JSON is a well-formed tagged value nested at most that deep. The twin of CheckValue in
 * core/protocol/value.go. It runs where no tool code does.
 */
export function isTagged(v: unknown, left: number): boolean {
  if (typeof v !== 'object' || v === null) return true
  if (left === 0) return false
  if (Array.isArray(v)) return areTagged(v, left)
  if (Object.hasOwn(v, '$t')) return isTag(v as Record<string, unknown>, left)
  for (const [key, item] of Object.entries(v)) {
    if (key.startsWith('$') && !key.startsWith('$$')) return false
    if (!isTagged(item, left - 1)) return false
  }
  return true
}

function areTagged(items: unknown[], left: number): boolean {
  return left > 0 && items.every((item) => isTagged(item, left - 1))
}

function isTag(tagged: Record<string, unknown>, left: number): boolean {
  const { $t: kind, v } = tagged
  const names = Object.keys(tagged).length
  if (kind === 'undefined') return names === 1
  if (names !== 2 || !Object.hasOwn(tagged, 'v')) return false
  switch (kind) {
    case 'number':
      return v === 'NaN' || v === 'Infinity' || v === '-Infinity' || v === '-0'
    case 'bigint':
      return typeof v === 'string' && /^(?:0|-?[1-9][0-9]*)$/.test(v)
    case 'date':
      return v === null || (typeof v === 'string' && isDate(v))
    case 'bytes':
      return typeof v === 'string' && isBase64(v)
    case 'set':
      return Array.isArray(v) && areTagged(v, left)
    case 'map':
      return Array.isArray(v) && v.every((pair) => Array.isArray(pair) && pair.length === 2 && areTagged(pair, left))
    case 'error':
      return isError(v)
    default:
      return false
  }
}

function isDate(text: string): boolean {
  const date = new Date(text)
  return Number.isFinite(date.getTime()) && date.toISOString() === text
}

/** The unused bits of the last letter must be zero, so that equal bytes have one spelling. */
function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*(?:[AEIMQUYcgkosw048]=|[AQgw]==)?$/.test(text)
}

function isError(v: unknown): boolean {
  if (typeof v !== 'object' || v === null || Array.isArray(v)) return false
  const fields = Object.entries(v)
  const known = fields.every(([key, item]) => typeof item === 'string' && (key === 'name' || key === 'message' || key === 'stack'))
  return known && Object.hasOwn(v, 'name') && Object.hasOwn(v, 'message')
}
