import { apply, define, deleteProperty, getOwnPropertyDescriptor, getPrototypeOf } from '../primordials'

/**
 * What is taken from a worker before tool code runs. The policy of the frame is the wall against the network; these are ways
 * to more threads and other realms (`Worker` to `importScripts`), to the supervisor beside the port (`postMessage`, `close`),
 * out of the call (callbacks that end with no call), and to the graphics card, which a tool can hang for everybody.
 */
const removed = [
  'Worker', 'SharedWorker', 'BroadcastChannel', 'importScripts', 'postMessage', 'close', 'onmessage', 'onmessageerror', 'scheduler',
  'requestAnimationFrame', 'cancelAnimationFrame', 'GPU', 'WebGLRenderingContext', 'WebGL2RenderingContext',
]

interface Holders {
  readonly URL?: object
  readonly navigator?: object
  readonly OffscreenCanvas?: { readonly prototype: object }
}

/** Takes them away. Returns the names that this engine would not give up. */
export function lockdown(global: object): string[] {
  const kept: string[] = []
  for (const name of removed) if (!remove(global, name)) kept.push(name)
  const { URL: Url, navigator, OffscreenCanvas: Canvas } = global as Holders
  for (const name of ['createObjectURL', 'revokeObjectURL']) if (Url && !remove(Url, name)) kept.push(`URL.${name}`)
  if (navigator && !remove(navigator, 'gpu')) kept.push('navigator.gpu')
  if (Canvas) onlyDrawing(Canvas.prototype)
  return kept
}

/** Removes a name from an object and from everything behind it. */
function remove(target: object, name: string): boolean {
  for (let at: object | null = target; at !== null; at = getPrototypeOf(at)) {
    if (!getOwnPropertyDescriptor(at, name) || deleteProperty(at, name)) continue
    if (!define(at, name, undefined)) return false
  }
  return (target as Record<string, unknown>)[name] === undefined
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
