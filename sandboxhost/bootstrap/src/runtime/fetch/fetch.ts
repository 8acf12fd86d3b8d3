import { Bytes, define, PlainDOMException, PlainPromise, PlainTypeError } from '../../primordials'
import type { Fault } from '../../protocol.gen'
import { quote } from '../../text'
import { coded, type Asks, type Entry } from '../asks'
import { listen, unlisten } from '../lifetime'
import { stateOf } from './body'
import { Content } from './content'
import { Flow } from './flow'
import { Headers, pairsOf } from './headers'
import { ofCall } from './life'
import { signalAborted, signalReason } from './native'
import { addressOf, lineOf, Request, type Line } from './request'
import { received, type Response } from './response'
import { bufferOf, Held, type Piece } from './source'
import { need } from './text'

export type FetchFunction = (input: unknown, init?: unknown) => Promise<unknown>

/** The `fetch` of one call: a request is an ask to the host, which decides on it and sends it. */
export function fetchOf(asks: () => Asks | undefined): FetchFunction {
  const fetch = (...args: readonly unknown[]): Promise<unknown> =>
    new PlainPromise((resolve, reject) => {
      const own = asks()
      if (own === undefined) return // no call runs: nothing settles
      need(args.length, 1, 'fetch')
      const request = new Request(args[0], args.length > 1 ? args[1] : undefined)
      new Fetching(own, request, resolve, reject).begin()
    })
  define(fetch, 'name', 'fetch', false)
  return fetch
}

/** What the host answers a fetch with. */
interface Answered {
  readonly status: number
  readonly statusText: string
  readonly url: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: 'none' | 'inline' | 'stream'
}

/** One fetch, from its request to the end of the body that it brings. */
class Fetching {
  private entry: Entry | undefined
  private flow: Flow | undefined
  private over = false

  constructor(
    private readonly asks: Asks,
    private readonly request: Request,
    private readonly resolve: (response: Response) => void,
    private readonly reject: (error: unknown) => void,
  ) {}

  begin(): void {
    const { signal } = lineOf(this.request)
    if (signal) {
      if (signalAborted(signal)) return this.reject(reasonOf(signal))
      listen(signal, 'abort', this.aborted)
    }
    const { content } = stateOf(this.request)
    if (content === null) return this.send(undefined)
    const most = this.asks.pace.mostBody
    const tooLarge = (): void => this.fault({ code: 'too_large', message: `fetch: the body has more than ${most} bytes` })
    if ((content.size ?? 0) > most) return tooLarge()
    try {
      content.take(most, ofCall((bytes: Piece) => this.send(bufferOf(bytes))), ofCall((error: unknown) => this.failed(error)), tooLarge)
    } catch (error) {
      this.failed(error)
    }
  }

  private readonly aborted = (): void => {
    if (this.asks.over) return // its end says nothing
    const error = reasonOf(lineOf(this.request).signal as AbortSignal)
    if (this.flow) return this.flow.abort(error)
    if (this.entry) this.asks.cancel(this.entry)
    this.failed(error)
  }

  private send(body: ArrayBuffer | undefined): void {
    if (this.over) return
    this.entry = this.asks.send('fetch', paramsOf(this.request, body !== undefined), body, {
      answer: (value, blobs, streaming) => this.answered(value as Answered, blobs, streaming),
      fault: (fault) => this.fault(fault),
      chunk: (bytes, last, fault) => this.flow?.chunk(bytes, last, fault),
      ended: () => {
        this.stop()
        this.flow?.end()
      },
    })
  }

  private answered(value: Answered, blobs: readonly ArrayBuffer[], streaming: boolean): void {
    const { status, statusText, url } = value
    let headers: Headers
    try {
      headers = new Headers(value.headers)
    } catch {
      if (streaming) this.asks.cancel(this.entry as Entry)
      return this.fault({ code: 'network', message: 'fetch: the answer has headers that are none' })
    }
    let content: Content | null = null
    if (streaming) {
      this.flow = new Flow(this.asks, this.entry as Entry, () => this.stop())
      content = Content.from(this.flow)
    } else {
      this.stop()
      if (value.body === 'inline') content = Content.from(new Held(blobs.length > 0 ? new Bytes(blobs[0] as ArrayBuffer) : undefined))
    }
    this.resolve(received({ status, statusText, url, type: 'basic' }, headers, content))
  }

  private fault({ code, message }: Fault): void {
    this.failed(coded(code, message, PlainTypeError))
  }

  private failed(error: unknown): void {
    this.stop()
    this.reject(error)
  }

  /** Nobody aborts it any more. */
  private stop(): void {
    if (this.over) return
    this.over = true
    const { signal } = lineOf(this.request)
    if (signal) unlisten(signal, 'abort', this.aborted)
  }
}

function reasonOf(signal: AbortSignal): unknown {
  return signalReason(signal) ?? new PlainDOMException('The operation was aborted.', 'AbortError')
}

/** The params of the ask, as JSON text. */
function paramsOf(request: Request, body: boolean): string {
  const line: Line = lineOf(request)
  const pairs = pairsOf(stateOf(request).headers)
  let headers = ''
  for (let i = 0; i < pairs.length; i++) {
    const { name, value } = pairs[i]!
    headers += `${i > 0 ? ',' : ''}[${quote(name)},${quote(value)}]`
  }
  return `{"method":${quote(line.method)},"url":${quote(addressOf(line))},"headers":[${headers}],"redirect":"${line.redirect}","body":${body}}`
}
