import { getOwnPropertyDescriptor, isObject, lock, PlainPromise, promiseThen, toPromise } from '../primordials'

/**
 * Waits for a tool's value like `await` and tells how it ended, once. No async function is used for this, since what one
 * returns is looked up for a `then`, which a tool may have put behind every object.
 */
export function settle(value: unknown, ok: (value: unknown) => void, failed: (reason: unknown) => void): void {
  if (!isObject(value)) return ok(value)
  try {
    promiseThen(toPromise(value), ok, failed)
  } catch (error) {
    failed(error)
  }
}

/**
 * Makes fast what the language itself looks up on promises, so that settle means the same for every call. Subclasses define a
 * constructor of their own and notice nothing.
 */
export function lockPromises(): void {
  lock(PlainPromise.prototype, 'constructor', PlainPromise)
  const species = getOwnPropertyDescriptor(PlainPromise, Symbol.species)
  if (species) Object.defineProperty(PlainPromise, Symbol.species, { ...species, configurable: false })
}
