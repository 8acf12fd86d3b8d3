import { getter, uncurry } from '../primordials'

export const PlainController = AbortController
export const abort = uncurry(AbortController.prototype.abort as (this: AbortController, reason?: unknown) => void)
export const signalOf = getter(AbortController.prototype, 'signal') as (controller: AbortController) => AbortSignal
