import { max, min } from '../primordials'
import { clip, quote } from '../text'
import { startTimer, stopTimer } from './timers'

/** The shortest time between two progress messages, milliseconds; of those between, the last counts. */
const everyMs = 100
const maxText = 1024

/** The progress of one call. The first report leaves at once, later ones coalesce; one that waits at the end is dropped. */
export class Progress {
  private pending = ''
  private timer: ReturnType<typeof startTimer> | undefined

  constructor(
    private readonly call: number,
    private readonly send: (text: string) => void,
  ) {}

  report(fraction: unknown, text: unknown): void {
    let fields = ''
    if (typeof fraction === 'number' && fraction === fraction) fields += `,"fraction":${min(1, max(0, fraction))}`
    if (typeof text === 'string') fields += `,"text":${quote(clip(text, maxText))}`
    if (fields === '') return
    this.pending = `{"kind":"progress","call":${this.call}${fields}}`
    if (this.timer === undefined) this.flush()
  }

  end(): void {
    if (this.timer !== undefined) stopTimer(this.timer)
    this.pending = ''
  }

  private flush(): void {
    this.timer = undefined
    if (this.pending === '') return
    this.send(this.pending)
    this.pending = ''
    this.timer = startTimer(() => this.flush(), everyMs)
  }
}
