import { Bytes, list, PlainTypeError, typedArrayLength } from '../../primordials'
import { bodyCredit, type Fault } from '../../protocol.gen'
import { coded, type Asks, type Entry } from '../asks'
import type { Piece, Sink, Source } from './source'

/** Credit is given in parts of this size at least: a message for each small piece would be many. */
const grain = bodyCredit >> 2

/** The body of an answer on its way: what has come and is not read, and who waits for more. The host sends on as it is read. */
export class Flow implements Source {
  readonly size = undefined
  readonly own = true
  private readonly pieces = list<Piece | undefined>()
  private first = 0
  private sink: Sink | undefined
  private over = false // nothing more comes
  private failed: { readonly error: unknown } | undefined
  dead: { readonly error: unknown } | undefined
  private read = 0 // bytes that were read and not credited yet

  /** over is called once, when nothing more comes or is wanted. */
  constructor(
    private readonly asks: Asks,
    private readonly entry: Entry,
    private readonly whenOver: () => void,
  ) {}

  chunk(bytes: ArrayBuffer | undefined, last: boolean, fault: Fault | undefined): void {
    if (this.over) return
    if (last) this.stop()
    if (bytes !== undefined) this.pieces[this.pieces.length] = new Bytes(bytes)
    if (fault) this.failed = { error: coded(fault.code, fault.message, PlainTypeError) }
    this.serve()
  }

  /** Gives up the rest; whoever reads is told why. */
  abort(error: unknown): void {
    if (this.over) return
    this.asks.cancel(this.entry)
    this.fail(error)
  }

  /** The end of the call: whoever waits hears nothing more, and in another call it cannot be read. */
  end(): void {
    this.sink = undefined
    this.fail(coded('aborted', 'a body: the call in which it came has ended', PlainTypeError))
    this.dead = this.failed
  }

  pull(sink: Sink): void {
    this.sink = sink
    this.serve()
  }

  cancel(): void {
    if (!this.over) {
      this.stop()
      this.asks.cancel(this.entry)
    }
    this.first = this.pieces.length = 0
    this.sink = undefined
  }

  copy(): undefined {
    return undefined
  }

  private fail(error: unknown): void {
    if (!this.over) this.stop()
    this.first = this.pieces.length = 0
    this.failed = { error }
    this.serve()
  }

  private stop(): void {
    this.over = true
    this.whenOver()
  }

  /** Gives whoever waits what there is. */
  private serve(): void {
    const { sink, first } = this
    if (sink === undefined) return
    if (first < this.pieces.length) {
      const piece = this.pieces[first] as Piece
      this.pieces[first] = undefined
      if (++this.first === this.pieces.length) this.first = this.pieces.length = 0
      this.sink = undefined
      this.credit(typedArrayLength(piece))
      sink.chunk(piece)
    } else if (this.over) {
      this.sink = undefined
      if (this.failed) sink.fail(this.failed.error)
      else sink.end()
    }
  }

  private credit(bytes: number): void {
    this.read += bytes
    if (this.over || this.read < grain) return
    this.asks.credit(this.entry, this.read)
    this.read = 0
  }
}
