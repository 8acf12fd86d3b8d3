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
 * what is between them is the author's text.
 */
export function toolScript(runtime: string, start: Start): ToolScript {
  const head = `"use strict";${runtime}\n;__taskyon(async () => {\n`
  return {
    text: `${head}${start.program}\n})`,
    script: { name: `${start.name || 'tool'}.js`, before: countLines(head), lines: Math.max(1, countLines(start.program) - 2) },
  }
}
