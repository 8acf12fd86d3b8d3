import { PlainTypeError } from '../../primordials'
import { closeStream, enqueue, failStream, makeStream, streamLocked, streamReader, streamTee } from './native'
import { gather, Streamed, type Piece, type Source } from './source'

/**
 * The body of a request or a response. Its bytes are read once: from where they come from, or, once somebody has looked at it,
 * from a stream, which takes no more than its reader asks for.
 */
export class Content {
  private used = false

  private constructor(
    private source: Source | undefined,
    private stream: object | undefined,
    private readonly root: Source | undefined = source,
  ) {}

  static from(source: Source): Content {
    return new Content(source, undefined)
  }

  /** What a tool gives as a stream stays that stream. */
  static streaming(stream: object): Content {
    return new Content(undefined, stream)
  }

  get size(): number | undefined {
    return this.source?.size
  }

  /** Somebody has begun to read it. */
  get disturbed(): boolean {
    return this.used
  }

  /** It cannot be read any more, or not by anybody else. */
  get taken(): boolean {
    return this.used || (this.stream !== undefined && streamLocked(this.stream))
  }

  /** The body as a stream; one that was read is locked. */
  look(): object {
    if (this.stream !== undefined) return this.stream
    const { used } = this
    const stream = streamOf(this.source as Source, () => {
      // A clone has taken the stream over.
      if (this.stream === stream) this.used = true
    })
    this.stream = stream
    this.source = undefined
    if (used) streamReader(stream)
    return stream
  }

  /** Takes all bytes. Throws a TypeError if they are taken. */
  take(most: number, done: (bytes: Piece) => void, failed: (error: unknown) => void, tooLarge: () => void): void {
    const source = this.claim()
    const dead = this.root && this.root.dead
    if (dead) failed(dead.error)
    else gather(source, most, done, failed, tooLarge)
  }

  /** Gives the bytes to a body in the place of this one. */
  handOver(): Content {
    return new Content(this.claim(), undefined, this.root)
  }

  /** The same bytes for somebody else. */
  clone(): Content {
    if (this.taken) throw new PlainTypeError('a body: it has been read, or is being read')
    const copy = this.source?.copy()
    if (copy !== undefined) return Content.from(copy)
    const two = streamTee(this.look())
    this.stream = undefined
    this.source = new Streamed(two[0])
    return new Content(new Streamed(two[1]), undefined, this.root)
  }

  private claim(): Source {
    if (this.taken) throw new PlainTypeError('a body: it has been read, or is being read')
    this.used = true
    if (this.stream !== undefined) return new Streamed(this.stream)
    const source = this.source as Source
    this.source = spent
    return source
  }
}

/** What is left where bytes were taken. */
const spent: Source = { size: 0, own: true, pull: (sink) => sink.end(), cancel() {}, copy: () => undefined }

/** A stream that pulls its source when it is read, and not before. */
function streamOf(source: Source, touched: () => void): object {
  let busy = false
  let over = false
  const close = (how: () => void): void => {
    busy = false
    if (over) return
    over = true
    how()
  }
  const stream = {
    __proto__: null,
    pull(controller: object): void {
      touched()
      if (busy || over) return
      busy = true
      source.pull({
        chunk(bytes) {
          busy = false
          if (!over) enqueue(controller, bytes)
        },
        end: () => close(() => closeStream(controller)),
        fail: (error) => close(() => failStream(controller, error)),
      })
    },
    cancel(reason: unknown): void {
      touched()
      over = true
      source.cancel(reason)
    },
  }
  return makeStream(stream, { __proto__: null, highWaterMark: 0 })
}
