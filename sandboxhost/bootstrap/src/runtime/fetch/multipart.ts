import {
  Bytes, charCodeAt, indexOf, list, PlainTypeError, slice, toUtf8, typedArrayBuffer, typedArrayLength, typedArrayOffset,
} from '../../primordials'
import { randomUUID } from '../crypto/install'
import { blobType, fileName, formAppend, formEach, isBlob, isFile, makeBlob, makeFile, makeForm } from './native'
import { Held, InBlob, type Piece, type Source } from './source'
import { asciiLower, textWithMark, trim } from './text'

/** A form as `multipart/form-data`, as the HTML standard writes it. */
export function writeMultipart(form: object): { source: Source; type: string } {
  const boundary = `----taskyonFormBoundary${randomUUID()}`
  const parts = list()
  let text = ''
  formEach(form, (value: unknown, name: unknown) => {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(lines(name as string))}"`
    if (!isBlob(value)) {
      text += `${head}\r\n\r\n${lines(value as string)}\r\n`
      return
    }
    const name2 = isFile(value) ? fileName(value) : 'blob'
    text += `${head}; filename="${escapeName(name2)}"\r\nContent-Type: ${blobType(value) || 'application/octet-stream'}\r\n\r\n`
    parts[parts.length] = text
    parts[parts.length] = value
    text = '\r\n'
  })
  text += `--${boundary}--\r\n`
  parts[parts.length] = text
  return {
    source: parts.length === 1 ? new Held(toUtf8(text)) : new InBlob(makeBlob(parts, '')),
    type: `multipart/form-data; boundary=${boundary}`,
  }
}

/** A text whose line breaks are those of the network. */
function lines(text: string): string {
  if (indexOf(text, '\r') < 0 && indexOf(text, '\n') < 0) return text
  let out = ''
  let from = 0
  for (let i = 0; i < text.length; i++) {
    const c = charCodeAt(text, i)
    if (c !== 10 && c !== 13) continue
    out += `${slice(text, from, i)}\r\n`
    if (c === 13 && i + 1 < text.length && charCodeAt(text, i + 1) === 10) i++
    from = i + 1
  }
  return out + slice(text, from)
}

function escapeName(text: string): string {
  let out = ''
  for (let i = 0; i < text.length; i++) {
    const unit = text[i] as string
    out += unit === '\n' ? '%0A' : unit === '\r' ? '%0D' : unit === '"' ? '%22' : unit
  }
  return out
}

/** Reads what `multipart/form-data` holds. Throws a TypeError on anything else. */
export function readMultipart(bytes: Piece, boundary: string): object {
  const form = makeForm()
  const line = toUtf8(`--${boundary}`)
  const between = toUtf8(`\r\n--${boundary}`)
  const lineLength = typedArrayLength(line)
  let at = 0
  while (isBreak(bytes, at)) at += 2
  if (!standsAt(bytes, line, at)) throw wrong()
  at += lineLength
  while (!(bytes[at] === 0x2d && bytes[at + 1] === 0x2d)) {
    if (!isBreak(bytes, at)) throw wrong()
    const head = readHead(bytes, at + 2)
    const end = find(bytes, between, head.end)
    if (end < 0) throw wrong()
    const body = part(bytes, head.end, end)
    if (head.file === undefined) formAppend(form, head.name, textWithMark(body))
    else formAppend(form, head.name, makeFile(body, head.file, head.type), head.file)
    at = end + 2 + lineLength
  }
  return form
}

interface Head {
  readonly name: string
  readonly file: string | undefined
  readonly type: string
  readonly end: number
}

/** The headers of one part, and where its body begins. */
function readHead(bytes: Piece, from: number): Head {
  let name: string | undefined
  let file: string | undefined
  let type = 'text/plain'
  let at = from
  while (!isBreak(bytes, at)) {
    let end = at
    while (!isBreak(bytes, end)) if (++end >= typedArrayLength(bytes)) throw wrong()
    const text = textWithMark(part(bytes, at, end))
    const colon = indexOf(text, ':')
    if (colon < 1) throw wrong()
    const field = asciiLower(trim(slice(text, 0, colon)))
    const value = trim(slice(text, colon + 1))
    if (field === 'content-type') type = value
    if (field === 'content-disposition') {
      if (asciiLower(slice(value, 0, 9)) !== 'form-data') throw wrong()
      name = disposition(value, 'name')
      file = disposition(value, 'filename')
    }
    at = end + 2
  }
  if (name === undefined) throw wrong()
  return { name, file, type, end: at + 2 }
}

/** A parameter of a disposition, quoted or bare. */
function disposition(value: string, wanted: string): string | undefined {
  let at = indexOf(value, ';')
  while (at >= 0 && at < value.length) {
    const equals = indexOf(value, '=', at)
    if (equals < 0) return undefined
    const key = asciiLower(trim(slice(value, at + 1, equals)))
    let text: string
    if (equals + 1 < value.length && value[equals + 1] === '"') {
      const close = indexOf(value, '"', equals + 2)
      if (close < 0) throw wrong()
      text = slice(value, equals + 2, close)
      at = indexOf(value, ';', close)
    } else {
      at = indexOf(value, ';', equals)
      text = trim(slice(value, equals + 1, at < 0 ? value.length : at))
    }
    if (key === wanted) return unescapeName(text)
  }
  return undefined
}

function unescapeName(text: string): string {
  let out = ''
  for (let i = 0; i < text.length; i++) {
    const three = slice(text, i, i + 3)
    const unit = three === '%0A' ? '\n' : three === '%0D' ? '\r' : three === '%22' ? '"' : ''
    out += unit || (text[i] as string)
    if (unit !== '') i += 2
  }
  return out
}

function part(bytes: Piece, from: number, to: number): Piece {
  return new Bytes(typedArrayBuffer(bytes), typedArrayOffset(bytes) + from, to - from)
}

function isBreak(bytes: Piece, at: number): boolean {
  return bytes[at] === 13 && bytes[at + 1] === 10
}

function standsAt(bytes: Piece, what: Piece, at: number): boolean {
  const length = typedArrayLength(what)
  for (let i = 0; i < length; i++) if (bytes[at + i] !== what[i]) return false
  return true
}

function find(bytes: Piece, what: Piece, from: number): number {
  const last = typedArrayLength(bytes) - typedArrayLength(what)
  for (let at = from; at <= last; at++) if (bytes[at] === 13 && standsAt(bytes, what, at)) return at
  return -1
}

function wrong(): TypeError {
  return new PlainTypeError('formData: the body is no form')
}
