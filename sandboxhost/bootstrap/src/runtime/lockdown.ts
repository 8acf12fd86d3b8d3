import { apply, define, defineProperty, deleteProperty, getPrototypeOf, ownKeys } from '../primordials'
import { kept, keptOn } from './scope'

type Holder = 'navigator' | 'performance' | 'URL'
type Global = { readonly [name in Holder]?: object } & { readonly OffscreenCanvas?: { readonly prototype: object } }

/** Takes from a worker, before tool code runs, every name that its scope does not list. Returns what the engine would not give up. */
export function lockdown(global: object): string[] {
  const holders = global as Global
  const left: string[] = []
  for (const name of ['navigator', 'performance', 'URL'] as const) {
    const holder = holders[name]
    if (holder) left.push(...reduce(holder, keptOn[name], `${name}.`))
  }
  left.push(...reduce(global, kept.flatMap(({ names }) => names), ''))
  if (holders.OffscreenCanvas) onlyDrawing(holders.OffscreenCanvas.prototype)
  return left
}

const { prototype: objectPrototype } = Object
const { prototype: functionPrototype } = Function

/** Leaves an object, and what stands behind it, the names listed; symbols stay. */
function reduce(holder: object, names: readonly string[], prefix: string): string[] {
  const left: string[] = []
  for (let at: object | null = holder; at !== null && at !== objectPrototype && at !== functionPrototype; at = getPrototypeOf(at)) {
    for (const name of ownKeys(at)) {
      if (typeof name === 'string' && !names.includes(name) && !remove(at, name)) left.push(prefix + name)
    }
  }
  return left
}

/** What cannot be deleted becomes undefined. */
function remove(holder: object, name: string): boolean {
  return deleteProperty(holder, name) || defineProperty(holder, name, { __proto__: null, value: undefined } as PropertyDescriptor)
}

/** Leaves a canvas its two contexts that compute on the processor. */
function onlyDrawing(prototype: object): void {
  const { getContext } = prototype as { getContext?: (kind: string, options?: object) => unknown }
  if (!getContext) return
  define(prototype, 'getContext', function (this: unknown, kind: unknown, options?: object): unknown {
    const name = `${kind as string}`
    return name === '2d' || name === 'bitmaprenderer' ? apply(getContext, this, [name, options]) : null
  })
}
