import { indexOf, isObject, PlainTypeError, slice, uncurry } from '../../primordials'
import { PlainController, signalOf as signalOfController } from '../abort'
import { setState, stateOf, withBody, type WithBody } from './body'
import type { Content } from './content'
import { extract } from './extract'
import { Headers } from './headers'
import { parseURL, urlHref } from './native'
import { initOf, methodOf, refuseOptions, signalOf, word, type Init, type Redirect } from './options'
import { named, need } from './text'

/** What a request says, beside headers and body. */
export interface Line {
  readonly method: string
  readonly url: object
  readonly redirect: Redirect
  readonly signal: AbortSignal | undefined
}

export let lineOf: (request: Request) => Line
export let isRequest: (value: unknown) => value is Request

export interface Request extends WithBody {}

/** The Request of the Fetch standard, as far as a tool's requests go. */
export class Request {
  #line: Line
  #words: Readonly<Record<'cache' | 'credentials' | 'referrerPolicy', string>>

  static {
    lineOf = (request) => request.#line
    isRequest = (value): value is Request => isObject(value) && #line in value
  }

  constructor(input: unknown, given?: unknown) {
    need(arguments.length, 1, 'Request')
    const from = isRequest(input) ? input : undefined
    const line = from ? from.#line : undefined
    const words = from ? from.#words : undefined
    const url = line ? line.url : parseURL(input, 'Request')
    const init = initOf(given, 'Request')
    refuseOptions(init)
    word(init, 'mode')
    word(init, 'priority')
    this.#words = {
      cache: word(init, 'cache') ?? words?.cache ?? 'default',
      credentials: word(init, 'credentials') ?? words?.credentials ?? 'same-origin',
      referrerPolicy: word(init, 'referrerPolicy') ?? words?.referrerPolicy ?? '',
    }
    const { headers, method, signal } = init
    this.#line = {
      method: method === undefined ? (line?.method ?? 'GET') : methodOf(method),
      url,
      redirect: (word(init, 'redirect') as Redirect | undefined) ?? line?.redirect ?? 'follow',
      signal: signal === undefined ? line?.signal : signalOf(signal),
    }
    const own = new Headers(headers === undefined && from ? stateOf(from).headers : headers)
    setState(this, { headers: own, content: bodyFor(this.#line.method, init, from, own) })
  }

  get method(): string { return this.#line.method }
  get url(): string { return urlHref(this.#line.url) }
  get redirect(): string { return this.#line.redirect }
  get signal(): AbortSignal {
    if (this.#line.signal === undefined) this.#line = { ...this.#line, signal: signalOfController(new PlainController()) }
    return this.#line.signal as AbortSignal
  }
  get cache(): string { return this.#words.cache }
  get credentials(): string { return this.#words.credentials }
  get referrerPolicy(): string { return this.#words.referrerPolicy }
  get destination(): string { return '' }
  get duplex(): string { return 'half' }
  get integrity(): string { return '' }
  get keepalive(): boolean { return false }
  get mode(): string { return 'cors' }
  get referrer(): string { return 'about:client' }

  clone(): Request {
    const { headers, content } = stateOf(this)
    const copy = content && content.clone()
    const request = new Request(urlHref(this.#line.url))
    request.#line = this.#line
    request.#words = this.#words
    setState(request, { headers: new Headers(headers), content: copy })
    return request
  }
}
named(Request, 'Request')
withBody(Request)

/** The body of a new request: the tool's, or that of the request that it is made of, which has none any more then. */
function bodyFor(method: string, init: Init, from: Request | undefined, headers: Headers): Content | null {
  const { body } = init
  const given = body !== undefined && body !== null
  const inherited = from ? stateOf(from).content : null
  if ((given || inherited !== null) && (method === 'GET' || method === 'HEAD')) throw new PlainTypeError(`Request: a ${method} has no body`)
  const duplex = word(init, 'duplex')
  if (!given) return inherited && inherited.handOver()
  const { content, type, streaming } = extract(body)
  if (streaming && duplex === undefined) throw new PlainTypeError("Request: a stream as a body needs duplex: 'half'")
  suppose(headers, type)
  return content
}

const has = uncurry(Headers.prototype.has)
const append = uncurry(Headers.prototype.append)

/** Adds the Content-Type of a body, where a tool says none. */
export function suppose(headers: Headers, type: string): void {
  if (type !== '' && !has(headers, 'content-type')) append(headers, 'content-type', type)
}

/** The address as it travels: what stands behind a # is the tool's alone. */
export function addressOf({ url }: Line): string {
  const href = urlHref(url)
  const at = indexOf(href, '#')
  return at < 0 ? href : slice(href, 0, at)
}
