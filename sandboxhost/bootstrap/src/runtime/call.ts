import { define, defineProperty, freeze, hasOwn, PlainProxy, PlainTypeError } from '../primordials'
import type { Budget, Call as CallMessage } from '../protocol.gen'
import { decodeValue } from '../values/decode'
import { abort, PlainController, signalOf } from './abort'
import { Asks } from './asks'
import { fetchOf } from './fetch/fetch'
import { flushMs, Logbook, type Level } from './log/logbook'
import type { Pace } from './pace'
import { Progress } from './progress'
import { storageOf } from './storage'
import type { Link } from './link'
import { startTimer, stopTimer } from './timers'

/** One execution: what the tool is given, and what ends with it. */
export class Call {
  readonly id: number
  readonly asks: Asks
  private readonly logbook: Logbook
  private readonly progress: Progress
  private controller: AbortController | undefined
  private flush: ReturnType<typeof startTimer> | undefined
  private ended = false

  constructor(
    private readonly message: CallMessage,
    limits: Budget,
    link: Link,
    pace: Pace,
  ) {
    const id = (this.id = message.call)
    const send = (text: string): void => link.send(text)
    const share = pace.textShare
    this.logbook = new Logbook({ lines: limits.logLines, bytes: limits.logBytes < share ? limits.logBytes : share }, (lines, dropped) =>
      send(`{"kind":"log","call":${id},"lines":[${lines}]${dropped > 0 ? `,"dropped":${dropped}` : ''}}`),
    )
    this.progress = new Progress(id, send)
    this.asks = new Asks(id, limits.nesting, pace, link)
  }

  get args(): unknown {
    return decodeValue(this.message.args)
  }

  /** The context object that the tool gets as its second argument. Its signal is made when somebody looks at it. */
  context(): object {
    const { context } = this.message
    const target = {}
    define(target, 'task', context.task)
    define(target, 'tool', context.tool)
    define(target, 'settings', hasOwn(context, 'settings') ? decodeValue(context.settings) : {})
    define(target, 'secrets', secretsOf(hasOwn(context, 'secrets') ? (decodeValue(context.secrets) as object) : {}))
    const signal = { __proto__: null, enumerable: true, configurable: true, get: () => this.signal(), set: undefined }
    defineProperty(target, 'signal', signal as PropertyDescriptor)
    define(target, 'progress', (fraction?: number, text?: string): void => this.report(fraction, text))
    define(target, 'fetch', fetchOf(() => this.asks))
    define(target, 'storage', storageOf(this.asks))
    define(target, 'resolveInvocation', (name: unknown) => this.asks.ask('resolve', one('name', name)))
    define(target, 'createSubtasksResult', (drafts: unknown) => this.asks.ask('subtasks', one('drafts', drafts)))
    return freeze(target)
  }

  /** How many bytes of a line are kept. */
  get room(): number {
    return this.logbook.longest
  }

  /** Lines wait for others at most a moment; a tool that is busy sends them by writing more. */
  log(level: Level, text: string): void {
    if (this.ended) return
    this.logbook.add(level, text)
    if (this.logbook.waiting && this.flush === undefined) {
      this.flush = startTimer(() => {
        this.flush = undefined
        this.logbook.flush()
      }, flushMs)
    }
  }

  /** Ends everything of this call; the signal's listeners run now, within it, but ask for nothing any more. */
  end(): void {
    this.asks.end()
    if (this.controller) abort(this.controller)
    this.ended = true
    this.progress.end()
    if (this.flush !== undefined) stopTimer(this.flush)
    this.logbook.end()
  }

  private report(fraction: unknown, text: unknown): void {
    if (!this.ended) this.progress.report(fraction, text)
  }

  private signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new PlainController()
      // A tool that kept its context and looks late sees what is true: the call has ended.
      if (this.ended) abort(this.controller)
    }
    return signalOf(this.controller)
  }
}

/** The params of an ask: an object with one field. */
function one(key: string, value: unknown): object {
  const params = {}
  define(params, key, value)
  return params
}

/** The placeholders by name. A name that is not among them would be sent as the word `undefined`, so that reading one throws. */
function secretsOf(placeholders: object): object {
  const get = (held: object, name: string | symbol): unknown => {
    if (hasOwn(held, name)) return held[name as keyof object]
    if (typeof name !== 'string' || name === 'then' || name === 'toJSON' || name in objectPrototype) return undefined
    throw new PlainTypeError(`context.secrets.${name}: the tool declares no such secret; add it to needs.secrets of its definition`)
  }
  return new PlainProxy(freeze(placeholders), { __proto__: null, get } as ProxyHandler<object>)
}

const { prototype: objectPrototype } = Object
