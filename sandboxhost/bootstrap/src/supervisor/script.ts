import type { Setup } from '../internal'
import type { Start } from '../protocol.gen'
import { countLines } from '../stack'

/** One classic script for the tool's worker, and where the author's text lies in it. */
export interface ToolScript {
  readonly text: string
  readonly script: Setup['script']
}

/**
 * Joins runtime and program. A program is the body of an async function whose first line and last line are the checker's;
 * what is between them is the author's text. The last line names the script for debuggers and stacks, a revision by a name of
 * its own; the checker leaves no such line in the program.
 */
export function toolScript(runtime: string, start: Start): ToolScript {
  const head = `"use strict";${runtime}\n;__taskyon(async () => {\n`
  const source = sourceOf(start)
  return {
    text: `${head}${start.program}\n})\n//# sourceURL=${source}`,
    script: { name: `${start.name || 'tool'}.js`, source, before: countLines(head), lines: Math.max(1, countLines(start.program) - 2) },
  }
}

/** `taskyon/weather-1a2b3c4d.js`, of a tool's name and the first digits of its revision's id. */
function sourceOf({ name, revision = '' }: Start): string {
  const short = /([0-9a-f]{8})[0-9a-f]*$/.exec(revision)?.[1]
  return `taskyon/${(name || 'tool').replace(/[^A-Za-z0-9_.-]/g, '_')}${short ? `-${short}` : ''}.js`
}
