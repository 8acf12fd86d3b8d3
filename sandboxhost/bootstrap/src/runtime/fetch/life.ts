import type { Lifetime } from '../lifetime'

type Run<T> = (value: T) => void

let lifetime: Pick<Lifetime, 'open' | 'guard'> | undefined

/** Says, once, whose calls bodies belong to. */
export function belongTo(to: Pick<Lifetime, 'open' | 'guard'>): void {
  lifetime = to
}

/** A function that does nothing once the call in which it was made has ended, or when there was none. */
export function ofCall<T>(run: Run<T>): Run<T> {
  if (lifetime === undefined) return run
  lifetime.open()
  return lifetime.guard(run)
}
