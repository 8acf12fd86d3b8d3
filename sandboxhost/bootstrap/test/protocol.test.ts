import { deepEqual, equal, ok } from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Conversation } from '../src/conversation'
import { parseMessage } from '../src/protocol'
import { rows, type Side } from '../src/protocol.gen'

const conversations = 'core/protocol/testdata'

/** A line is `<side> <message text> => accepted | late | breach`, below a `-- name --` line. */
function linesOf(file: string): string[] {
  const lines = readFileSync(`${conversations}/${file}`, 'utf8').split('\n')
  return lines.slice(lines.findIndex((line) => line.startsWith('-- ')) + 1).filter((line) => line !== '')
}

const files = readdirSync(conversations).filter((file) => file.endsWith('.txtar'))

test('the conversations of the host are here', () => ok(files.length >= 5))

for (const file of files) {
  test(`both sides of the wall judge ${file} alike`, () => {
    const conversation = new Conversation()
    for (const line of linesOf(file)) {
      const at = line.lastIndexOf(' => ')
      const [side, text] = [line.slice(0, line.indexOf(' ')) as Side, line.slice(line.indexOf(' ') + 1, at)]
      const message = parseMessage(text, 0, side, 64)
      equal(typeof message === 'string' ? 'breach' : conversation.next(side, message), line.slice(at + 4), line)
    }
  })
}

/** Judges lines and gives the first that is judged otherwise than it says. */
function disagreed(lines: readonly string[]): string | undefined {
  const conversation = new Conversation()
  return lines.find((line) => {
    const at = line.lastIndexOf(' => ')
    const [side, text] = [line.slice(0, line.indexOf(' ')) as Side, line.slice(line.indexOf(' ') + 1, at)]
    const message = parseMessage(text, 0, side, 64)
    return (typeof message === 'string' ? 'breach' : conversation.next(side, message)) !== line.slice(at + 4)
  })
}

test('both sides of the wall judge random conversations alike', () => {
  const walks = readFileSync(`${conversations}/random.txt`, 'utf8').split('--\n').slice(1)
  ok(walks.length >= 30)
  for (const walk of walks) equal(disagreed(walk.split('\n').filter((line) => line !== '')), undefined)
})

const result = (value: unknown): string => JSON.stringify({ kind: 'result', call: 1, value })
const thrown = { name: 'Error', message: '' }

const judged: [string, string, unknown][] = [
  ['a message within its caps', JSON.stringify({ kind: 'progress', call: 1, fraction: -2.5, text: 'é'.repeat(512) }), 'progress'],
  ['a text one byte over its cap', JSON.stringify({ kind: 'progress', call: 1, text: 'é'.repeat(512) + 'x' }), 'malformed'],
  ['a message one byte over the cap of its row', JSON.stringify({ kind: 'pong', seq: 1 }).padEnd(rows.pong.bytes + 1), 'size'],
  ['a message at the cap of its row', JSON.stringify({ kind: 'pong', seq: 1 }).padEnd(rows.pong.bytes), 'pong'],
  ['a message over every cap', ' '.repeat(rows.result.bytes + 1), 'size'],
  ['a number that is not finite', '{"kind":"progress","call":1,"fraction":1e999}', 'malformed'],
  ['a call id beyond the safe integers', '{"kind":"result","call":9007199254740992,"value":1}', 'malformed'],
  ['an optional field that is null', JSON.stringify({ kind: 'failure', call: 1, code: 'tool_error', error: { ...thrown, stack: null } }), 'malformed'],
  ['an optional value that is null', JSON.stringify({ kind: 'failure', call: 1, code: 'tool_error', error: { ...thrown, value: null } }), 'failure'],
  ['an unknown field below', JSON.stringify({ kind: 'failure', call: 1, code: 'tool_error', error: { ...thrown, x: 1 } }), 'malformed'],
  ['an inherited name as a field', '{"kind":"pong","seq":1,"toString":1}', 'malformed'],
  ['__proto__ as a field', '{"kind":"pong","__proto__":{"seq":1}}', 'malformed'],
  ['a value nested to the limit', result(JSON.parse('['.repeat(64) + ']'.repeat(64))), 'result'],
  ['a value nested one too deep', result(JSON.parse('['.repeat(65) + ']'.repeat(65))), 'malformed'],
  ['a value nested very deep', `{"kind":"result","call":1,"value":${'['.repeat(1e5)}${']'.repeat(1e5)}}`, 'malformed'],
  ['too many lines', JSON.stringify({ kind: 'log', call: 1, lines: Array.from({ length: 4097 }, () => ({ level: 'log', text: '' })) }), 'malformed'],
  ['a text that is no JSON', '{"kind":"pong","seq":1}}', 'malformed'],
]

for (const [title, text, want] of judged) {
  test(`${title}: ${String(want)}`, () => {
    const message = parseMessage(text, 0, 'tool', 64)
    equal(typeof message === 'string' ? message : message.kind, want)
  })
}

test('blobs are refused where a row has none', () => {
  equal(parseMessage('{"kind":"pong","seq":1}', 1, 'tool', 64), 'malformed')
  equal((parseMessage('{"kind":"ask","call":1,"ask":1,"capability":"fetch","params":{}}', 8, 'tool', 64) as { kind: string }).kind, 'ask')
})

test('a breach leaves a conversation where it was', () => {
  const conversation = new Conversation()
  equal(conversation.next('tool', { kind: 'ready', version: 1 }), 'breach')
  equal(conversation.state, 'new')
  conversation.end()
  equal(conversation.next('tool', { kind: 'ready', version: 1 }), 'late')
  deepEqual([conversation.state, conversation.lateCount, conversation.call, conversation.openAsks], ['ended', 1, 0, 0])
})
