import {
  Bytes, list, PlainTypeError, promiseThen, setBytes, typedArrayBuffer, typedArrayLength, typedArrayName, typedArrayOffset, bufferLength,
} from '../../primordials'
import { blobBuffer, blobSize, readerCancel, readerRead, streamReader } from './native'

export type Piece = Uint8Array<ArrayBuffer>

/** Who takes the bytes of a source: for each pull one of these is called, at once or later. */
export interface Sink {
  chunk(bytes: Piece): void
  end(): void
  fail(error: unknown): void
}

/** Where the bytes of a body come from, piece by piece. It is pulled again only after it has answered. */
export interface Source {
  /** How many bytes there are; undefined where only reading tells. */
  readonly size: number | undefined
  /** Pieces are nobody else's. */
  readonly own: boolean
  pull(sink: Sink): void
  cancel(reason: unknown): void
  /** Why it cannot be read any more, not even what has come. */
  readonly dead?: { readonly error: unknown } | undefined
  /** The same bytes for somebody else; undefined where reading uses them up. */
  copy(): Source | undefined
}

/** Bytes that are there. */
export class Held implements Source {
  readonly own = true
  readonly size: number
  constructor(private bytes: Piece | undefined) {
    this.size = bytes === undefined ? 0 : typedArrayLength(bytes)
  }

  pull(sink: Sink): void {
    const { bytes } = this
    this.bytes = undefined
    if (bytes === undefined || typedArrayLength(bytes) === 0) sink.end()
    else sink.chunk(bytes)
  }

  cancel(): void {
    this.bytes = undefined
  }

  copy(): Source {
    return new Held(this.bytes && copyOf(this.bytes))
  }
}

/** What a Blob holds. */
export class InBlob implements Source {
  readonly own = true
  readonly size: number
  private read = false
  constructor(private readonly blob: object) {
    this.size = blobSize(blob)
  }

  pull(sink: Sink): void {
    if (this.read || this.size === 0) return sink.end()
    this.read = true
    promiseThen(blobBuffer(this.blob), (buffer) => sink.chunk(new Bytes(buffer as ArrayBuffer)), (error) => sink.fail(error))
  }

  cancel(): void {
    this.read = true
  }

  copy(): Source {
    return new InBlob(this.blob)
  }
}

/** A stream of somebody, which is locked from now on. */
export class Streamed implements Source {
  readonly own = false
  readonly size = undefined
  private readonly reader: object
  constructor(stream: object) {
    this.reader = streamReader(stream)
  }

  pull(sink: Sink): void {
    promiseThen(readerRead(this.reader), (result) => {
      const { done, value } = result as { done: boolean; value: unknown }
      if (done) sink.end()
      else if (typedArrayName(value) === 'Uint8Array') sink.chunk(value as Piece)
      else {
        const error = new PlainTypeError('a body: its stream holds something else than a Uint8Array')
        this.cancel(error)
        sink.fail(error)
      }
    }, (error) => sink.fail(error))
  }

  cancel(reason: unknown): void {
    promiseThen(readerCancel(this.reader, reason), ignore, ignore)
  }

  copy(): undefined {
    return undefined
  }
}

function ignore(): void {}

export function copyOf(bytes: Piece): Piece {
  const copy = new Bytes(typedArrayLength(bytes))
  setBytes(copy, bytes)
  return copy
}

/** The buffer that holds these bytes and nothing else. */
export function bufferOf(bytes: Piece): ArrayBuffer {
  const buffer = typedArrayBuffer(bytes)
  const whole = typedArrayOffset(bytes) === 0 && bufferLength(buffer) === typedArrayLength(bytes)
  return whole ? buffer : typedArrayBuffer(copyOf(bytes))
}

/** Reads a source to its end. More than `most` bytes are not kept: tooLarge is called, and the source is given up. */
export function gather(source: Source, most: number, done: (bytes: Piece) => void, failed: (error: unknown) => void, tooLarge: () => void): void {
  const pieces = list<Piece>()
  let size = 0
  let again = false
  let busy = false
  let over = false
  const sink: Sink = {
    chunk(bytes) {
      if (over) return
      size += typedArrayLength(bytes)
      if (size > most) {
        over = true
        source.cancel(undefined)
        return tooLarge()
      }
      pieces[pieces.length] = source.own ? bytes : copyOf(bytes)
      next()
    },
    end: () => done(joined(pieces, size)),
    fail: failed,
  }
  // A source that answers at once must not make the stack grow.
  const next = (): void => {
    again = true
    if (busy) return
    busy = true
    while (again) {
      again = false
      source.pull(sink)
    }
    busy = false
  }
  next()
}

function joined(pieces: readonly Piece[], size: number): Piece {
  if (pieces.length === 1) return pieces[0] as Piece
  const all = new Bytes(size)
  let at = 0
  for (let i = 0; i < pieces.length; i++) {
    setBytes(all, pieces[i] as Piece, at)
    at += typedArrayLength(pieces[i])
  }
  return all
}
