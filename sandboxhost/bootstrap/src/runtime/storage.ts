import { define, freeze } from '../primordials'
import type { Asks } from './asks'

/** What `context.storage` is: each method one ask, which the host answers. */
export function storageOf(asks: Asks): object {
  const ask = (op: string, names: readonly string[], args: readonly unknown[]): Promise<unknown> => {
    const params = {}
    define(params, 'op', op)
    for (let i = 0; i < names.length; i++) if (args[i] !== undefined) define(params, names[i] as string, args[i])
    return asks.ask('storage', params)
  }
  const storage = {}
  define(storage, 'get', (key: unknown) => ask('get', ['key'], [key]))
  define(storage, 'set', (key: unknown, value: unknown) => ask('set', ['key', 'value'], [key, value]))
  define(storage, 'delete', (key: unknown) => ask('delete', ['key'], [key]))
  define(storage, 'list', (prefix?: unknown) => ask('list', ['prefix'], [prefix]))
  return freeze(storage)
}
