import { define, mapClear, mapDelete, mapGet, mapHas, mapSet, mapSize, PlainError, PlainMap, slice, toFixed } from '../../primordials'
import { format, type ErrorText } from './format'
import { inspect } from './inspect'
import type { Level } from './logbook'
import { table } from './table'

/** Where lines go, and what a console needs of its surroundings. */
export interface ConsoleHost {
  /** How many bytes a line may have; 0 when no call is running and lines go nowhere. */
  room(): number
  add(level: Level, text: string): void
  now(): number
  readonly errorText: ErrorText
  /** The author's frames of an error made here, or ''. */
  framesOf(error: object): string
}

const maxLabels = 1000
const maxIndent = 20

/**
 * Makes the console that tools see (WHATWG Console). Its methods never throw, whatever they are given, and never run a getter of
 * what they show. Without a running call they do nothing.
 */
export class Console {
  private indent = ''
  private readonly counts = new PlainMap<string, number>()
  private readonly timers = new PlainMap<string, number>()

  constructor(private readonly host: ConsoleHost) {}

  /** Forgets counts, timers and groups: they are a call's own. */
  reset(): void {
    this.indent = ''
    mapClear(this.counts)
    mapClear(this.timers)
  }

  /** The methods, as own functions of a plain object. */
  methods(): Record<string, (...args: unknown[]) => void> {
    const on: Record<string, (...args: unknown[]) => void> = {}
    const method = (name: string, run: (args: unknown[], room: number) => void): void => {
      define(on, name, (...args: unknown[]): void => {
        try {
          const room = this.host.room()
          if (room > 0) run(args, room)
        } catch {
          // a full stack, for one: the tool goes on without this line
        }
      })
    }
    const line = (level: Level) => (args: unknown[], room: number) => this.line(level, this.text(args, room))
    method('log', line('log'))
    method('info', line('info'))
    method('warn', line('warn'))
    method('error', line('error'))
    method('debug', line('debug'))
    method('dirxml', line('log'))
    method('dir', (args, room) => this.line('log', inspect(given(args, 0), room, this.host.errorText)))
    method('table', (args, room) => this.line('log', table(given(args, 0), given(args, 1), this.host.errorText) ?? this.text(args, room)))
    method('trace', (args, room) => this.trace(this.text(args, room)))
    method('assert', (args, room) => this.assert(args, room))
    method('group', (args, room) => this.group(args, room))
    method('groupCollapsed', (args, room) => this.group(args, room))
    method('groupEnd', () => {
      this.indent = slice(this.indent, 2)
    })
    method('count', (args) => this.count(label(args)))
    method('countReset', (args) => void mapDelete(this.counts, label(args)))
    method('time', (args) => this.time(label(args)))
    method('timeLog', (args, room) => this.elapsed(label(args), args.length > 1 ? ' ' + this.text(rest(args), room) : ''))
    method('timeEnd', (args) => {
      this.elapsed(label(args), '')
      mapDelete(this.timers, label(args))
    })
    method('clear', () => {
      this.indent = ''
    })
    // What browsers add for their own tools: there, and without effect.
    for (const name of ['profile', 'profileEnd', 'timeStamp']) method(name, () => {})
    define(on, Symbol.toStringTag, 'console', false)
    return on
  }

  private text(args: readonly unknown[], room: number): string {
    return format(args, room, this.host.errorText)
  }

  private line(level: Level, text: string): void {
    this.host.add(level, this.indent === '' ? text : this.indent + text)
  }

  private trace(text: string): void {
    const frames = this.host.framesOf(new PlainError())
    this.line('log', (text === '' ? 'Trace' : `Trace: ${text}`) + (frames === '' ? '' : `\n${frames}`))
  }

  private assert(args: unknown[], room: number): void {
    if (given(args, 0)) return
    const text = args.length > 1 ? this.text(rest(args), room) : ''
    this.line('error', text === '' ? 'Assertion failed' : `Assertion failed: ${text}`)
  }

  private group(args: unknown[], room: number): void {
    if (args.length > 0) this.line('log', this.text(args, room))
    if (this.indent.length < 2 * maxIndent) this.indent += '  '
  }

  private count(name: string): void {
    const count = ((mapGet(this.counts, name) as number | undefined) ?? 0) + 1
    if (mapSize(this.counts) < maxLabels || mapHas(this.counts, name)) mapSet(this.counts, name, count)
    this.line('log', `${name}: ${count}`)
  }

  private time(name: string): void {
    if (mapSize(this.timers) < maxLabels && !mapHas(this.timers, name)) mapSet(this.timers, name, this.host.now())
  }

  private elapsed(name: string, more: string): void {
    const since = mapGet(this.timers, name) as number | undefined
    if (since === undefined) return this.line('warn', `Timer '${name}' does not exist`)
    this.line('log', `${name}: ${toFixed(this.host.now() - since, 3)} ms${more}`)
  }
}

/** An argument; behind the last one a tool may have put something. */
function given(args: readonly unknown[], at: number): unknown {
  return args.length > at ? args[at] : undefined
}

function label(args: readonly unknown[]): string {
  const first = given(args, 0)
  if (first === undefined) return 'default'
  return typeof first === 'string' ? first : inspect(first, 100, () => 'error')
}

function rest(args: readonly unknown[]): unknown[] {
  const others: unknown[] = []
  for (let i = 1; i < args.length; i++) define(others, i - 1, args[i])
  return others
}
