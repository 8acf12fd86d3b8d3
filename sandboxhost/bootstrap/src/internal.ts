import type { Budget } from './protocol.gen'
import type { Script } from './stack'

// What supervisor and tool runtime say to each other beside the protocol. A number is a ping or its answer, counted from 1.

/** The number that says that the code of a call is about to run. */
export const begun = 0

/** The number that says that a tool asks for more than the runtime will ever pass on. */
export const overrun = -1

/** The number that says that code of a call that has ended goes on; the supervisor puts a new worker in the place of this one. */
export const leftover = -2

/**
 * The number that says that the worker has come to rest after a call: the task in which the call ended is over, and so is every chain of
 * promises that it left. A call that follows within freshMs is not announced with `begun`, which would keep its result waiting.
 */
export const clean = -3

/**
 * How long the word of a clean worker holds. The runtime counts from saying it to taking a call up, the supervisor from hearing it to
 * passing a call on, which is never longer: a call that the runtime does not announce is one of which the supervisor expects no word.
 */
export const freshMs = 100

/** The first message to a tool's worker; the runtime's port comes with it. */
export interface Setup {
  readonly script: Omit<Script, 'url'>
  readonly limits: Budget
  readonly subtle: boolean // the frame has cryptography to give
  readonly spent: number // bytes of bodies of asks that are still counted, of a worker before this one
}
