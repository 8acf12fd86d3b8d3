import { isObject, PlainTypeError, toUtf8 } from '../../primordials'
import { bytesOf } from '../bytes'
import { Content } from './content'
import { writeMultipart } from './multipart'
import { blobType, isBlob, isForm, isSearch, isStream, searchText, streamLocked } from './native'
import { Held, InBlob, type Piece } from './source'
import { usv } from './text'

/** A body that a tool gives, and the Content-Type that it has if the tool says none. */
export interface Extracted {
  readonly content: Content
  readonly type: string
  readonly streaming: boolean
}

/** Takes what a tool gives as a body. Bytes are copied now. */
export function extract(given: unknown): Extracted {
  if (isObject(given)) {
    const bytes = bytesOf(given)
    if (bytes !== undefined) return held(bytes, '')
    if (isBlob(given)) return { content: Content.from(new InBlob(given)), type: blobType(given), streaming: false }
    if (isForm(given)) {
      const { source, type } = writeMultipart(given)
      return { content: Content.from(source), type, streaming: false }
    }
    if (isSearch(given)) return held(toUtf8(searchText(given)), 'application/x-www-form-urlencoded;charset=UTF-8')
    if (isStream(given)) {
      if (streamLocked(given)) throw new PlainTypeError('a body: its stream is locked')
      return { content: Content.streaming(given), type: '', streaming: true }
    }
  }
  return held(toUtf8(usv(given)), 'text/plain;charset=UTF-8')
}

function held(bytes: Piece, type: string): Extracted {
  return { content: Content.from(new Held(bytes)), type, streaming: false }
}
