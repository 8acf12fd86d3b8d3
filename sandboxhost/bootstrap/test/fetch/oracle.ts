import { deepEqual } from 'node:assert/strict'
import { Headers as OurHeaders } from '../../src/runtime/fetch/headers'
import { Request as OurRequest } from '../../src/runtime/fetch/request'
import { Response as OurResponse } from '../../src/runtime/fetch/response'

/** The classes of one implementation: ours, or those of the engine that runs the tests. */
export interface Classes {
  readonly Headers: typeof Headers
  readonly Request: typeof Request
  readonly Response: typeof Response
}

export const ours = { Headers: OurHeaders, Request: OurRequest, Response: OurResponse } as unknown as Classes
export const theirs: Classes = { Headers, Request, Response }

/** What something does: its value, or the class of what it throws. */
export async function outcome(run: (classes: Classes) => unknown, classes: Classes): Promise<unknown> {
  try {
    return { value: await run(classes) }
  } catch (error) {
    return { threw: (error as Error).constructor.name }
  }
}

/** Says that ours does what the engine's own does. */
export async function same(title: string, run: (classes: Classes) => unknown): Promise<void> {
  deepEqual(await outcome(run, ours), await outcome(run, theirs), title)
}

/** Numbers that are the same in each run of the tests. */
export function chance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
