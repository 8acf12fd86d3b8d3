import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createContext, runInContext } from 'node:vm'
import { assemble } from '../src/check/program'
import type { check } from '../src/checker'
import type { Verdict } from '../src/check/verdict'

/** A row of the corpus that every host reads; see ../testdata/README.md. */
interface Row {
  name: string
  source: string
  form?: string
  calls?: { args: unknown; result: unknown }[]
  throws?: { args: unknown; line: number; column: number }
  error?: { message: string; line: number; column: number }
}

type Program = (args: unknown, context: unknown) => unknown

// As in the product: a runtime, then one call around the program; the script's name is what a stack shows.
const before = '/* runtime */\n;__taskyon(async () => {\n'
const after = '\n})'
const linesBefore = 3

const rows = JSON.parse(readFileSync('sandboxhost/bootstrap/testdata/forms.json', 'utf8')) as Row[]
const checker = (await load(readFileSync('sandboxhost/bootstrap/dist/checker.js', 'utf8'))) as typeof check

async function load(program: string): Promise<Program> {
  let body: (() => Promise<Program>) | undefined
  const context = createContext({ __taskyon: (given: () => Promise<Program>) => (body = given) })
  runInContext(before + program + after, context, { filename: 'tool.js' })
  ok(body, 'the program was not handed over')
  return body()
}

function accepted(source: string): string {
  const verdict = checker({ source })
  ok(verdict.ok, 'refused')
  return verdict.program
}

function refused(source: string): Extract<Verdict, { ok: false }> {
  const verdict = checker({ source })
  ok(!verdict.ok, 'accepted')
  return verdict
}

/** Plain data of this realm. */
const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))

for (const row of rows) {
  test(row.name, async () => {
    const verdict = checker({ source: row.source })
    if (row.error) {
      deepEqual(plain(verdict), { ok: false, code: 'invalid_code', ...row.error })
      return
    }
    ok(verdict.ok, JSON.stringify(verdict))
    equal(verdict.form, row.form)
    sameLines(row.source, verdict.program)
    const tool = await load(verdict.program)
    equal(typeof tool, 'function')
    for (const call of row.calls ?? []) deepEqual(plain(await tool(call.args, {})), call.result)
    if (row.throws) deepEqual({ args: row.throws.args, ...(await placeOfThrow(tool, row.throws.args)) }, row.throws)
  })
}

/** Line N of the source is line N + 1 of the program, and at most one unit longer. */
function sameLines(source: string, program: string): void {
  const lines = (text: string): string[] => text.split(/\r\n|[\n\r\u2028\u2029]/)
  const found = lines(program)
  lines(source).forEach((line, i) => {
    const longer = (found[i + 1] ?? '').length - line.length
    ok(longer === 0 || longer === 1, `line ${i + 1} is ${longer} units longer`)
  })
}

async function placeOfThrow(tool: Program, args: unknown): Promise<{ line: number; column: number } | undefined> {
  try {
    await tool(args, {})
  } catch (error) {
    const [, line, column] = /tool\.js:(\d+):(\d+)/.exec(String((error as Error).stack)) ?? []
    return { line: Number(line) - linesBefore, column: Number(column) }
  }
  return undefined
}

test('one mebibyte of UTF-8 is accepted and one byte more is not', () => {
  const source = (bytes: number): string => '(a) => "' + 'é'.repeat((bytes - 9) >> 1) + ((bytes - 9) % 2 ? 'x' : '') + '"'
  equal(new TextEncoder().encode(source(1 << 20)).length, 1 << 20)
  accepted(source(1 << 20))
  deepEqual(plain(refused(source((1 << 20) + 1))), {
    ok: false, code: 'invalid_code', message: 'tool code is larger than 1 MiB of UTF-8; keep data out of the code or split the tool', line: 0, column: 0,
  })
  accepted('(a) => "' + '😀'.repeat(((1 << 20) - 9) >> 2) + '"')
  refused('(a) => "' + '😀'.repeat((((1 << 20) - 9) >> 2) + 1) + '"')
})

test('code that is nested a hundred thousand times is refused in every shape', () => {
  const n = 100_000
  for (const [open, close] of [['(', ')'], ['[', ']'], ['`${', '}`'], ['f(', ')'], ['a=>', ''], ['!', ''], ['-', ''], ['a=', ''],
    ['1+', ''], ['1**', ''], ['a?1:', ''], ['new ', ''], ['class{x=', '}']] as const) {
    const message = refused('() => ' + open.repeat(n) + '1' + close.repeat(n)).message
    ok(/nested too deeply|larger than 1 MiB/.test(message), `${open}: ${message}`)
  }
  ok(/nested too deeply/.test(refused('() => /' + '('.repeat(n) + ')'.repeat(n) + '/').message))
  for (const open of ['{', 'if (a) ', 'for (;;) ', 'do ', 'try {', 'let [', 'let {a:', '({a:']) {
    const message = refused('() => {' + open.repeat(n)).message
    ok(/nested too deeply|syntax error/.test(message), `${open}: ${message}`)
  }
})

test('a stack that is full before the bound is reached is a refusal, not a crash', () => {
  const source = '() => ' + '('.repeat(100) + '1' + ')'.repeat(100)
  const message = 'tool code is nested too deeply; split it into smaller functions or shorter expressions'
  const depth = deepest()
  const seen = new Set<string>()
  // From hardly any room to enough of it.
  for (let room = 100; !seen.has('accepted') && room < depth; room += 20) {
    try {
      const verdict = below(depth - room, () => checker({ source }))
      seen.add(verdict.ok ? 'accepted' : verdict.message)
    } catch {
      // Too little room to begin with.
    }
  }
  deepEqual([...seen].sort(), ['accepted', message])
})

function below<T>(depth: number, body: () => T): T {
  return depth === 0 ? body() : below(depth - 1, body)
}

/** How many frames of below the stack holds. */
function deepest(): number {
  let depth = 0
  const down = (): void => {
    depth++
    down()
  }
  try {
    down()
  } catch {
    // The stack is full; below has larger frames.
  }
  while (depth > 0) {
    try {
      return below(depth, () => depth)
    } catch {
      depth -= 100
    }
  }
  return depth
}

test('half of a surrogate pair is refused where it stands', () => {
  for (const half of ['\ud800', '\udc00', '\udc00\ud800']) {
    const { message, line, column } = refused(`(a) =>\n "${half}"`)
    deepEqual({ message, line, column }, { message: 'tool code holds half of a surrogate pair; write the character in full or as an escape', line: 2, column: 3 })
  }
  accepted('(a) => "😀\\ud800"')
})

test('a comment that names a file is gone from the program and everything else is in its place', () => {
  const source = '(a) => a.x /*# sourceMappingURL=a\n.map */ // plain\n//# sourceURL=x'
  equal(accepted(source), '"use strict";return (\n(a) => a.x                       \n        // plain\n               \n)')
})

test('a message does not repeat a long name in full', () => {
  const name = 'n'.repeat(100_000)
  ok(refused(`let ${name}, ${name}`).message.length < 300)
  ok(refused(`const ${name} = () => 1`).message.length < 300)
  ok(refused('```' + name + '\n```').message.length < 300)
})

// Nothing that parses as a module gets this far, so the last guard is asked directly.
test('a text that leaves its wrapper is refused even if nobody else saw it', () => {
  const parts = { form: 'module', first: '"use strict";', last: 'return run' } as const
  for (const body of ['}); (async () => {', '}, async () => {', '}, 1); (() => {', '})\n(async () => {']) {
    throws(() => assemble({ ...parts, body }), { message: /leaves the function/ }, body)
  }
  throws(() => assemble({ ...parts, body: 'a\n<!-- }); (async () => {' }), { message: /in a script it is a comment/ })
  throws(() => assemble({ ...parts, body: 'const a = 1\nconst a = 2' }), { offset: 18 })
  ok(assemble({ ...parts, body: 'const run = () => 1' }).ok)
})
