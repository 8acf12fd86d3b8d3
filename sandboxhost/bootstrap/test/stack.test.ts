import { deepEqual, equal, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { cleanStack, countLines, stackOf } from '../src/stack'

const url = 'blob:null/5d0e1c1a-0000-4000-8000-000000000000'
// The author's five lines are lines 4 to 8 of the script; the wrapper's are 3 and 9.
const script = { name: 'uppercase.js', url, source: 'taskyon/uppercase-1a2b3c4d.js', before: 3, lines: 5 }

const engines: [string, string][] = [
  ['V8', `TypeError: no\n    at boom (${url}:7:11)\n    at Object.method [as alias] (${url}:6:3)\n    at new Thing (${url}:5:5)\n    at async Promise.all (index 0)\n    at async run (${url}:4:1)\n    at ${url}:4:9\n    at Object.<anonymous> (${url}:4:2)\n    at xe.attempt (${url}:1:30000)\n    at ${url}:3:2\n    at ${url}:9:2`],
  ['SpiderMonkey', `boom@${url}:7:11\nmethod@${url}:6:3\nThing@${url}:5:5\nasync*run@${url}:4:1\n@${url}:4:9\n@${url}:4:2\nattempt@${url}:1:30000\n@${url}:9:2\n`],
  ['JavaScriptCore', `boom@${url}:7:11\nmethod@${url}:6:3\nThing@${url}:5:5\nrun@${url}:4:1\n@${url}:4:9\nanonymous@${url}:4:2\nattempt@${url}:1:30000\n[native code]\nglobal code@${url}:9:2`],
]

for (const [engine, stack] of engines) {
  test(`a stack of ${engine} shows the author's frames in the author's lines and nothing else`, () => {
    const { text, line, column } = cleanStack(stack, script)
    deepEqual([line, column], [4, 11])
    const method = engine === 'V8' ? 'Object.method' : 'method'
    const thing = engine === 'V8' ? 'new Thing' : 'Thing'
    deepEqual(text.split('\n'), [
      'at boom (uppercase.js:4:11)', `at ${method} (uppercase.js:3:3)`, `at ${thing} (uppercase.js:2:5)`, 'at run (uppercase.js:1:1)',
      'at uppercase.js:1:9', 'at uppercase.js:1:2',
    ])
  })
}

test('a stack without frames of the author gives none', () => {
  for (const stack of ['', 'Error: x', `Error\n    at ${url}:2:1`, `Error\n    at https://e.test/a.js:5:1`, `f@${url}:5`, `f@${url}:x:y`, `f@${url}:9999999999:1`]) {
    deepEqual(cleanStack(stack, script), { text: '', line: 0, column: 0 })
  }
})

test('a stack of any length is read in bounded time', () => {
  const from = performance.now()
  const { text } = cleanStack(`    at f (${url}:5:1)\n`.repeat(1e6), script)
  equal(text.split('\n').length, 32)
  cleanStack('('.repeat(1e6), script)
  cleanStack(`    at ${'[as '.repeat(1e4)}(${url}:5:1)`, script)
  ok(performance.now() - from < 500)
})

test('a stack is read without running a getter of a tool', () => {
  let ran = false
  const error = Object.defineProperty(new Error('x'), 'stack', { get: () => { ran = true; return 'mine' } })
  equal(stackOf(error), '')
  ok(!ran)
  ok(stackOf(new Error('x')).includes('Error: x'))
  equal(stackOf(Object.defineProperty(new Error('x'), 'stack', { value: 7 })), '')
  equal(stackOf(new Proxy(new Error('x'), { getOwnPropertyDescriptor() { throw 1 } })), '')
})

test('lines are counted as engines count them', () => {
  for (const [text, lines] of [['', 1], ['a', 1], ['a\nb', 2], ['a\r\nb', 2], ['a\rb', 2], ['a\u2028b\u2029', 3], ['\n\n', 3]] as const) equal(countLines(text), lines)
})

// As three engines wrote them; the author's first line was line 4 of the script.
const recorded = JSON.parse(readFileSync('sandboxhost/bootstrap/testdata/stacks.json', 'utf8')) as Record<string, Record<string, string>>
const weather = { name: 'weather.js', url, source: 'taskyon/weather-1a2b3c4d.js', before: 3, lines: 14 }

/** The line of the throw, the lines of the frames in all engines, and the names of the frames. V8 alone follows an await. */
const throws: Record<string, [lines: number[], names: string[], awaited?: number]> = {
  async: [[1], ['boom'], 3], map: [[4, 4], ['cb', '']], ctor: [[5, 5], ['Thing', '']], method: [[6, 6], ['method', '']], all: [[1], ['boom'], 7],
  anyInner: [[1], ['boom'], 8], json: [[9], ['']], arrow: [[10, 10], ['', '']], sort: [[11, 11], ['', '']], gen: [[12, 12], ['gen', '']], then: [[13], [''], 13],
}

for (const engine of Object.keys(recorded)) {
  for (const [title, [lines, names, awaited]] of Object.entries(throws)) {
    test(`a recorded stack of ${engine} (${title}) shows the author's frames alone`, () => {
      const { text, line, column } = cleanStack(recorded[engine]![title]!, weather)
      const frames = text.split('\n').map((row) => /^at (?:(?:new |Object\.)?(\w+) \()?weather\.js:(\d+):(\d+)\)?$/.exec(row))
      ok(frames.every((frame) => frame !== null), text)
      const more = engine === 'V8' && awaited ? [awaited] : []
      deepEqual(frames.map((frame) => +frame![2]!), [...lines, ...more])
      deepEqual(frames.map((frame) => frame![1] ?? ''), [...names, ...more.map(() => '')])
      deepEqual([line, column], [lines[0], +frames[0]![3]!])
    })
  }
}

test('a stack with the script\'s own name and one with its address are read alike', () => {
  for (const called of [weather.url, weather.source]) deepEqual(cleanStack(`    at f (${called}:5:9)`, weather), { text: 'at f (weather.js:2:9)', line: 2, column: 9 })
  deepEqual(cleanStack('    at f (taskyon/other-1a2b3c4d.js:5:9)', weather).line, 0)
})
