import { uncurry } from '../primordials'

const unwraps: ((value: unknown) => unknown)[] = [
  uncurry(Number.prototype.valueOf),
  uncurry(String.prototype.valueOf),
  uncurry(Boolean.prototype.valueOf),
  uncurry(BigInt.prototype.valueOf),
]

/** The primitive in a Number, String, Boolean or BigInt object; undefined for an object that only looks like one. */
export function unwrap(value: object): unknown {
  for (let i = 0; i < 4; i++) {
    try {
      return (unwraps[i] as (value: unknown) => unknown)(value)
    } catch {
      // not of this class
    }
  }
  return undefined
}
