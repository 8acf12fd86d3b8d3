import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { leftover } from '../src/internal'
import { program, Realm } from './realm'

const later = (ms = 15): Promise<void> => new Promise((done) => setTimeout(done, ms))
const gone = (realm: Realm): boolean => realm.numbers.includes(leftover)

/**
 * Call 1 leaves something behind, call 2 looks at what became of it. What is left behind gets `tick`, which counts in the realm
 * and logs.
 */
async function twice(leave: string, top = ''): Promise<{ ticks: unknown; lines: number; leftover: boolean }> {
  const realm = new Realm(`"use strict";
    globalThis.ticks = 0
    const tick = () => { globalThis.ticks++; console.log('tick') }
    ${top}
    return async (args) => {
      if (args.first) { ${leave}; return 'left' }
      const before = globalThis.ticks
      await new Promise((done) => setTimeout(done, 15))
      return globalThis.ticks - before
    }`)
  equal((await realm.end({ first: true })).value, 'left')
  await later()
  const seen = gone(realm)
  const said = await realm.call({ first: false })
  return { ticks: said.at(-1)!.value, lines: said.flatMap((m) => m.lines ?? []).length, leftover: seen }
}

const quiet = { ticks: 0, lines: 0, leftover: false }

// What ends with the call, so that nothing of it is left to be seen.
const ended: [string, string][] = [
  ['a timer', 'setTimeout(tick, 5)'],
  ['an interval', 'setInterval(tick, 2)'],
  ['a loop of timers', 'const go = () => { tick(); setTimeout(go, 1) }; setTimeout(go, 1)'],
  ['a chain of microtasks without end', 'const go = () => { globalThis.ticks++; queueMicrotask(go) }; go()'],
  ['a channel that talks to itself', 'const { port1, port2 } = new MessageChannel(); port1.onmessage = () => { tick(); port2.postMessage(1) }; port2.postMessage(1)'],
  ['a channel with a listener', `const { port1, port2 } = new MessageChannel(); port1.addEventListener('message', () => { tick(); port2.postMessage(1) }); port1.start(); port2.postMessage(1)`],
  ['a signal with a time', `AbortSignal.timeout(5).addEventListener('abort', tick)`],
  ['a promise of a timer', 'new Promise((done) => setTimeout(done, 5)).then(tick)'],
]

for (const [title, leave] of ended) test(`${title} ends with its call`, async () => deepEqual(await twice(leave), quiet))

// What cannot be stopped is seen when it acts while no call runs.
const seen: [string, string][] = [
  ['a line that is logged', 'tick()'],
  ['a timer that is made', 'setTimeout(tick, 1)'],
  ['a message that is posted', 'port2.postMessage(1)'],
  ['a channel that is opened', 'new MessageChannel()'],
  ['a listener that is added', `port1.addEventListener('message', tick)`],
  ['a microtask that is queued', 'queueMicrotask(tick)'],
  ['a request', `fetch('https://a.example/').then(tick)`],
  ['a body that is read', `new Response('x').text().then(tick, tick)`],
]

for (const [title, act] of seen) {
  test(`${title} while no call runs says that code was left behind, and has no effect`, async () => {
    // What a browser does for a tool, such as decompressing, calls back whenever it likes.
    const realm = new Realm(`"use strict";
      const { port1, port2 } = new MessageChannel()
      let ticks = 0
      const tick = () => { ticks++; console.log('tick') }
      port1.addEventListener('message', tick)
      return (args) => { if (args.first) createImageBitmap(() => { ${act} }); return ticks }`, {}, 'demo', { createImageBitmap: (run: () => void) => void setTimeout(run, 40) })
    await realm.end({ first: true })
    await later(90)
    equal(realm.numbers.filter((n) => n === leftover).length, 1)
    const said = await realm.call()
    deepEqual([said.length, said[0]!.kind], [1, 'result'])
  })
}

test('what is left of the task in which a call ends is not held against it, and is not heard', async () => {
  const realm = new Realm(program(`(args) => { if (args.first) Promise.resolve().then(() => {}).then(() => {}).then(() => { console.log('bye'); setTimeout(() => console.log('no'), 1) }); return 1 }`))
  await realm.end({ first: true })
  await later()
  equal(realm.numbers.includes(leftover), false)
  deepEqual((await realm.call()).map((m) => m.kind), ['result'])
})

test('channels and listeners of the top level live on, those of a call do not', async () => {
  const realm = new Realm(`"use strict";
    const { port1, port2 } = new MessageChannel()
    let heard = 0, mine = 0
    port1.onmessage = () => { heard++ }
    const inCall = () => { mine++ }
    return async (args) => {
      if (args.first) port1.addEventListener('message', inCall)
      port2.postMessage(1)
      await new Promise((done) => setTimeout(done, 10))
      return [heard, mine]
    }`)
  deepEqual((await realm.end({ first: true })).value, [1, 1])
  deepEqual((await realm.end()).value, [2, 1])
  equal(realm.numbers.includes(leftover), false)
})

test('a microtask that a call queues last does not run', async () => {
  const realm = new Realm(program('(args) => { if (args.first) queueMicrotask(() => { globalThis.ran = true }); return globalThis.ran ?? false }'))
  equal((await realm.end({ first: true })).value, false)
  equal((await realm.end()).value, false)
})

test('a port that a call leaves in a variable is closed', async () => {
  const realm = new Realm(program(`async (args) => {
    if (args.first) {
      const { port1, port2 } = new MessageChannel()
      globalThis.heard = 0
      globalThis.port = port2
      port1.onmessage = () => { globalThis.heard++ }
    }
    globalThis.port.postMessage(1)
    await new Promise((done) => setTimeout(done, 20))
    return globalThis.heard
  }`))
  equal((await realm.end({ first: true })).value, 1)
  equal((await realm.end()).value, 1)
})

test('what waits for the collector is of its call, and of the sandbox when the top level asked for it', async () => {
  const callbacks: ((held: unknown) => void)[] = []
  class FinalizationRegistry { constructor(run: (held: unknown) => void) { callbacks.push(run) } }
  const realm = new Realm(`"use strict";
    let top = 0, call = 0
    const of = new FinalizationRegistry(() => { top++ })
    return (args) => {
      if (args.first) new FinalizationRegistry(() => { call++ })
      if (args.collect) atob()
      return [top, call, of instanceof FinalizationRegistry, of.constructor === FinalizationRegistry]
    }`, {}, 'demo', { FinalizationRegistry, atob: () => callbacks.forEach((run) => run(1)) })
  deepEqual((await realm.end({ first: true, collect: true })).value, [1, 1, true, true])
  deepEqual((await realm.end({ collect: true })).value, [2, 1, true, true])
})

test('a signal with a time aborts within its call as the engine\'s does', async () => {
  const realm = new Realm(program(`async () => {
    const signal = AbortSignal.timeout(5)
    const early = signal.aborted
    await new Promise((done) => signal.addEventListener('abort', done))
    return [early, signal.aborted, signal.reason.name]
  }`))
  deepEqual((await realm.end()).value, [false, true, 'TimeoutError'])
})

test('an error that nothing caught, told after the end of its call, is nobody\'s and is not held against it', async () => {
  const realm = new Realm(program('() => 1'))
  await realm.end()
  await later()
  realm.uncaught('unhandledrejection', `new Error('late')`)
  realm.uncaught('error', `new Error('late')`)
  deepEqual([(await realm.call()).map((m) => m.kind), realm.numbers.includes(leftover)], [['result'], false])
})
