import { charCodeAt, indexOf, list, slice } from '../../primordials'
import { asciiLower, isToken, trim } from './text'

/** A media type (MIME Sniffing standard, section 4): its essence, and parameters in their order. */
export interface Mime {
  readonly essence: string
  readonly params: readonly { readonly name: string; readonly value: string }[]
}

export function param(mime: Mime, name: string): string | undefined {
  for (let i = 0; i < mime.params.length; i++) if (mime.params[i]!.name === name) return mime.params[i]!.value
  return undefined
}

export function parseMime(input: string): Mime | undefined {
  const text = trim(input)
  const slash = indexOf(text, '/')
  if (slash < 0) return undefined
  let semicolon = indexOf(text, ';', slash)
  if (semicolon < 0) semicolon = text.length
  const type = slice(text, 0, slash)
  const subtype = trim(slice(text, slash + 1, semicolon))
  if (!isToken(type) || !isToken(subtype)) return undefined
  return { essence: asciiLower(`${type}/${subtype}`), params: parseParams(text, semicolon + 1) }
}

function parseParams(text: string, from: number): Mime['params'] {
  const params = list<{ name: string; value: string }>()
  for (let at = from; at < text.length; at++) {
    let end = at
    while (end < text.length && unit(text, end) !== ';' && unit(text, end) !== '=') end++
    const name = asciiLower(trimStart(slice(text, at, end)))
    at = end
    if (unit(text, end) !== '=') continue
    let value: string
    const quoting = unit(text, end + 1) === '"'
    if (quoting) {
      const quoted = unquote(text, end + 1)
      value = quoted.value
      at = indexOf(text, ';', quoted.end)
    } else {
      at = indexOf(text, ';', end)
      value = trim(slice(text, end + 1, at < 0 ? text.length : at))
    }
    if (at < 0) at = text.length
    if (isToken(name) && (value !== '' || quoting) && isQuotable(value) && !has(params, name)) params[params.length] = { name, value }
  }
  return params
}

/** The value of a quoted string that begins at a place, and where it ends. */
export function unquote(text: string, from: number): { value: string; end: number } {
  let value = ''
  let at = from + 1
  for (; at < text.length && text[at] !== '"'; at++) {
    if (text[at] === '\\' && at + 1 < text.length) at++
    value += text[at] as string
  }
  return { value, end: at < text.length ? at + 1 : at }
}

/** One unit of a text; none behind its end, where a tool may have put something. */
function unit(text: string, at: number): string {
  return at < text.length ? (text[at] as string) : ''
}

function trimStart(text: string): string {
  return slice(trim(`${text}.`), 0, -1)
}

function has(params: Mime['params'], name: string): boolean {
  for (let i = 0; i < params.length; i++) if (params[i]!.name === name) return true
  return false
}

function isQuotable(value: string): boolean {
  for (let i = 0; i < value.length; i++) {
    const c = charCodeAt(value, i)
    if ((c < 0x20 && c !== 9) || c === 0x7f || c > 0xff) return false
  }
  return true
}

export function mimeText({ essence, params }: Mime): string {
  let text = essence
  for (let i = 0; i < params.length; i++) {
    const { name, value } = params[i]!
    text += `;${name}=${isToken(value) ? value : `"${escape(value)}"`}`
  }
  return text
}

function escape(value: string): string {
  let out = ''
  for (let i = 0; i < value.length; i++) out += value[i] === '"' || value[i] === '\\' ? `\\${value[i]}` : (value[i] as string)
  return out
}

/** The media type that a value of Content-Type stands for: of several the last that is one, with the character set of those before it. */
export function extractMime(value: string | null): Mime | undefined {
  let found: Mime | undefined
  let charset: string | undefined
  if (value === null) return undefined
  for (let at = 0; at <= value.length; ) {
    let end = at
    while (end < value.length && value[end] !== ',') end = value[end] === '"' ? unquote(value, end).end : end + 1
    const mime = parseMime(slice(value, at, end))
    at = end + 1
    if (mime === undefined || mime.essence === '*/*') continue
    const own = param(mime, 'charset')
    if (mime.essence !== found?.essence) charset = own
    found = own === undefined && charset !== undefined ? withCharset(mime, charset) : mime
  }
  return found
}

function withCharset(mime: Mime, value: string): Mime {
  const params = list<{ name: string; value: string }>()
  for (let i = 0; i < mime.params.length; i++) params[i] = mime.params[i]!
  params[params.length] = { name: 'charset', value }
  return { essence: mime.essence, params }
}
