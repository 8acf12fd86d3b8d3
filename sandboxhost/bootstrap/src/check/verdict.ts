/** How the author wrote the tool: a function literal, one function declaration, or a module with a default export. */
export type Form = 'expression' | 'function' | 'module'

/**
 * The checker's answer. `program` is the body of an async function in strict mode which returns the tool's function;
 * line N of the source is line N + 1 of the program. `line` and `column` count from 1 in the source, columns in UTF-16
 * units, and are 0 where no place is known.
 */
export type Verdict =
  | { ok: true; form: Form; program: string }
  | { ok: false; code: 'invalid_code'; message: string; line: number; column: number }

/**
 * Why a source is not a tool. The offset counts UTF-16 units of the source; it is absent where no place is known. A
 * message may repeat a name from the source, so it is cut to a length.
 */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly offset?: number,
  ) {
    super(message.length > maxMessage ? message.slice(0, maxMessage).replace(/[\ud800-\udbff]$/, '') + '…' : message)
  }
}

const maxMessage = 250

const example = '`(args, context) => …`'

// Sentences that a user or a model meets. Each says what to do next.
export const accepted = `tool code must be a function such as ${example}, one function declaration, or a module with \`export default\``
export const empty = `tool code is empty; write a function such as ${example}`
export const tooLarge = 'tool code is larger than 1 MiB of UTF-8; keep data out of the code or split the tool'
export const notUnicode = 'tool code holds half of a surrogate pair; write the character in full or as an escape'
export const tooMany = 'a call or a function lists too many arguments; pass them in an array'
export const tooDeep = 'tool code is nested too deeply; split it into smaller functions or shorter expressions'
export const hashbang = 'tool code must not begin with a hashbang line; remove the line'
export const constant = 'syntax error: a `const` needs a value'
export const imports = 'imports are not available in a tool; bundle the dependency into the code'
export const isClass = `a class cannot be a tool; ${accepted}`
export const isGenerator = 'a generator cannot be a tool; use a function or an async function that returns the whole result'
export const noDefault = 'the module has no default export; put `export default` before the function that is the tool'
export const otherExport = 'only the default export of a tool is used; remove this `export`'
export const defaultNotFunction =
  'the default export must be a function literal or the name of a function declared at the top level of this code'
export const htmlComment = 'tool code must not hold `<!--` or a line that begins with `-->`: in a script it is a comment; put a space inside it'
export const openFence = 'the Markdown fence is not closed; end the code with a line of backticks, or remove the fence'
