import { PlainTypeError } from '../../primordials'
import { extractMime, param } from './mime'
import { readMultipart } from './multipart'
import { formAppend, makeForm, makeSearch, searchEach } from './native'
import type { Piece } from './source'
import { textWithMark } from './text'

/** The form that a body holds, by its type. Throws a TypeError if it holds none. */
export function readForm(bytes: Piece, type: string | null): object {
  const mime = extractMime(type)
  if (mime?.essence === 'multipart/form-data') {
    const boundary = param(mime, 'boundary')
    if (boundary === undefined) throw new PlainTypeError('formData: its Content-Type names no boundary')
    return readMultipart(bytes, boundary)
  }
  if (mime?.essence === 'application/x-www-form-urlencoded') {
    const form = makeForm()
    // A text that begins with a question mark would lose it.
    searchEach(makeSearch(`?${textWithMark(bytes)}`), (value: unknown, name: unknown) => formAppend(form, name, value))
    return form
  }
  throw new PlainTypeError('formData: the Content-Type is neither multipart/form-data nor application/x-www-form-urlencoded')
}
