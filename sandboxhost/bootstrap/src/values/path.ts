import { charCodeAt, slice, stringify } from '../primordials'
import { toUnicode } from '../text'

/** A key, an index, or the key (half 0) or value (half 1) of a map's pair on the way to a place in a value. */
export type Step = string | number | { readonly pair: number; readonly half: 0 | 1 }

/** How much of a key a path repeats. */
const maxKey = 96

/** `$.list[0]`, or `$["odd key"]` where a key is no ASCII identifier: the same spelling as in core/canon. */
export function pathOf(steps: readonly Step[], depth: number): string {
  let path = '$'
  for (let i = 0; i < depth; i++) path += stepOf(steps[i] as Step)
  return path
}

function stepOf(step: Step): string {
  if (typeof step === 'number') return `[${step}]`
  if (typeof step === 'object') return `[${step.pair}][${step.half}]`
  if (step.length <= maxKey && isIdentifier(step)) return '.' + step
  const text = toUnicode(step)
  return `[${stringify(text.length > maxKey ? slice(text, 0, maxKey) + '…' : text)}]`
}

function isIdentifier(key: string): boolean {
  for (let i = 0; i < key.length; i++) {
    const c = charCodeAt(key, i)
    const letter = ((c | 0x20) >= 0x61 && (c | 0x20) <= 0x7a) || c === 0x5f || c === 0x24
    if (!letter && (i === 0 || c < 0x30 || c > 0x39)) return false
  }
  return key !== ''
}
