import { charCodeAt, PlainRangeError, PlainTypeError, stringify } from '../../primordials'
import { setState, stateOf, withBody, type WithBody } from './body'
import type { Content } from './content'
import { extract } from './extract'
import { fixed, Headers } from './headers'
import { parseURL, urlHref } from './native'
import { initOf, type Init } from './options'
import { suppose } from './request'
import { byteString, named, need } from './text'

/** What a response says of itself, beside headers and body. */
export interface Status {
  readonly status: number
  readonly statusText: string
  readonly url: string
  readonly type: 'basic' | 'default' | 'error'
}

const blank: Status = { status: 200, statusText: '', url: '', type: 'default' }

/** Makes the response that came. */
export let received: (status: Status, headers: Headers, content: Content | null) => Response

export interface Response extends WithBody {}

/** The Response of the Fetch standard. */
export class Response {
  #status: Status = blank

  static {
    received = (status, headers, content) => {
      const response = new Response()
      response.#status = status
      setState(response, { headers: fixed(headers), content })
      return response
    }
  }

  constructor(body?: unknown, init?: unknown) {
    const extracted = body === undefined || body === null ? undefined : extract(body)
    this.#begin(initOf(init, 'Response'))
    if (extracted === undefined) return
    this.#fill(extracted.content, extracted.type)
  }

  static error(): Response {
    return received({ ...blank, status: 0, type: 'error' }, new Headers(), null)
  }

  static json(data: unknown, init?: unknown): Response {
    need(arguments.length, 1, 'Response.json')
    const text: string | undefined = stringify(data)
    if (text === undefined) throw new PlainTypeError('Response.json: this cannot be written as JSON')
    const response = new Response(undefined, init)
    response.#fill(extract(text).content, 'application/json')
    return response
  }

  static redirect(url: unknown, status?: unknown): Response {
    need(arguments.length, 1, 'Response.redirect')
    const to = parseURL(url, 'Response.redirect')
    const code = status === undefined ? 302 : toShort(status)
    if (code !== 301 && code !== 302 && code !== 303 && code !== 307 && code !== 308) {
      throw new PlainRangeError(`Response.redirect: ${code} is no status of a redirect`)
    }
    const headers = new Headers({ __proto__: null, location: urlHref(to) })
    return received({ ...blank, status: code }, headers, null)
  }

  get type(): string { return this.#status.type }
  get url(): string { return this.#status.url }
  get redirected(): boolean { return false }
  get status(): number { return this.#status.status }
  get ok(): boolean { return this.#status.status >= 200 && this.#status.status <= 299 }
  get statusText(): string { return this.#status.statusText }

  clone(): Response {
    const { headers, content } = stateOf(this)
    const copy = content && content.clone()
    const response = new Response()
    response.#status = this.#status
    const own = new Headers(headers)
    setState(response, { headers: this.#status.type === 'default' ? own : fixed(own), content: copy })
    return response
  }

  #begin(init: Init): void {
    const { headers, status, statusText } = init
    const code = status === undefined ? 200 : toShort(status)
    if (code < 200 || code > 599) throw new PlainRangeError(`Response: the status ${code} is not from 200 to 599`)
    const text = statusText === undefined ? '' : byteString(statusText, 'Response: statusText')
    if (!isReason(text)) throw new PlainTypeError('Response: its statusText holds a character that a status line must not')
    this.#status = { ...blank, status: code, statusText: text }
    setState(this, { headers: new Headers(headers), content: null })
  }

  #fill(content: Content, type: string): void {
    const { status } = this.#status
    if (status === 204 || status === 205 || status === 304) throw new PlainTypeError(`Response: one with the status ${status} has no body`)
    const { headers } = stateOf(this)
    setState(this, { headers, content })
    suppose(headers, type)
  }
}
named(Response, 'Response')
withBody(Response)

/** A number as the standard reads an unsigned short. */
function toShort(value: unknown): number {
  return +(value as number) & 0xffff
}

function isReason(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const c = charCodeAt(text, i)
    if ((c < 0x20 && c !== 9) || c === 0x7f) return false
  }
  return true
}
