import { apply, define, deleteProperty, getOwnPropertyDescriptor, getPrototypeOf } from '../primordials'

/**
 * What is taken from a worker before tool code runs. The policy of the frame is the wall against the network; these are ways
 * to more threads, to other realms, out of the call, and to the graphics card.
 */
const removed = [
  'Worker', 'SharedWorker', 'BroadcastChannel', 'importScripts', 'postMessage', 'close', 'onmessage', 'onmessageerror', 'scheduler',
  'requestAnimationFrame', 'cancelAnimationFrame', 'GPU', 'WebGLRenderingContext', 'WebGL2RenderingContext',
]

/** Takes them away. Returns the names that this engine would not give up. */
export function lockdown(global: object): string[] {
  const kept: string[] = []
  for (const name of removed) if (!remove(global, name)) kept.push(name)
  const { URL: Url, navigator, OffscreenCanvas: Canvas } = global as { URL?: object; navigator?: object; OffscreenCanvas?: { prototype: object } }
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
