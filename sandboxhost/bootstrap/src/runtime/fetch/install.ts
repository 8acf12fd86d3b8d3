import { replace } from '../../primordials'
import { refuse } from '../../values/kinds'
import type { FetchFunction } from './fetch'
import { Headers } from './headers'
import { belongTo } from './life'
import { Request } from './request'
import { Response } from './response'

type Owner = Parameters<typeof belongTo>[0]

/** Puts the four names of the Fetch standard in the place of the engine's, of which none is left. */
export function installFetch(global: object, fetch: FetchFunction, owner: Owner): void {
  belongTo(owner)
  replace(global, 'fetch', fetch)
  for (const Class of [Headers, Request, Response]) {
    refuse(Class.prototype, Class.name)
    replace(global, Class.name, Class)
  }
}
