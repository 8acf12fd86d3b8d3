import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { bytes, Wire } from './wire'

const named = `const name = (e) => [e?.name ?? e, e?.code]`

test('a signal that is aborted already sends nothing, and its reason is the rejection', async () => {
  const wire = new Wire(`async () => { ${named}
    const c = new AbortController(); c.abort()
    const why = new AbortController(); why.abort('why')
    return [await fetch('https://a.example/', { signal: c.signal }).catch(name), await fetch('https://a.example/', { signal: why.signal }).catch(name)]
  }`)
  deepEqual((await wire.begin()).value, [['AbortError', 20], ['why', { $t: 'undefined' }]])
  equal(wire.realm.said.length, 2)
})

test('an abort before the answer gives the ask up, once', async () => {
  const wire = new Wire(`async () => { ${named}
    const c = new AbortController()
    const f = fetch('https://a.example/', { signal: c.signal })
    setTimeout(() => { c.abort(new RangeError('late')); c.abort() }, 1)
    const failed = await f.catch(name)
    await new Promise((d) => setTimeout(d, 5))
    return failed
  }`)
  const end = wire.begin()
  await wire.ask(1)
  await wire.realm.until((m) => m.kind === 'ask_cancel')
  wire.answer(1, {}, bytes('too late'))
  deepEqual((await end).value, ['RangeError', { $t: 'undefined' }])
  deepEqual(wire.cancels, [1])
})

test('an abort of a fetch that waits its turn is never sent', async () => {
  const wire = new Wire(`async () => { ${named}
    const many = Array.from({ length: 32 }, (_, i) => fetch('https://a.example/' + i))
    const c = new AbortController()
    const f = fetch('https://a.example/last', { signal: c.signal }); c.abort()
    const failed = await f.catch(name)
    const next = fetch('https://a.example/next')
    await Promise.all(many); await next
    return failed
  }`)
  const end = wire.begin()
  for (let n = 1; n <= 33; n++) { await wire.ask(n); wire.answer(n) }
  deepEqual([(await end).value, wire.cancels, wire.said('ask').length], [['AbortError', 20], [], 33])
  equal((wire.said('ask').at(-1)!.params as { url: string }).url, 'https://a.example/next')
})

test('an abort while a body comes fails its reader with the reason and gives the rest up', async () => {
  const wire = new Wire(`async () => { ${named}
    const c = new AbortController()
    const r = await fetch('https://a.example/', { signal: c.signal })
    const reader = r.body.getReader()
    const first = (await reader.read()).value.length
    const second = reader.read().catch(name)
    c.abort()
    return [first, await second, await reader.closed.catch(name), await fetch('https://a.example/', { signal: c.signal }).catch(name)]
  }`)
  const end = wire.begin()
  await wire.ask(1)
  wire.stream(1)
  wire.chunk(1, 0, 10)
  deepEqual((await end).value, [10, ...Array(3).fill(['AbortError', 20])])
  deepEqual(wire.cancels, [1])
})

test('an abort fails a text that is being read, and one after the last piece changes nothing', async () => {
  const wire = new Wire(`async () => { ${named}
    const c = new AbortController(), d = new AbortController()
    const one = await fetch('https://a.example/', { signal: c.signal }), two = await fetch('https://a.example/', { signal: d.signal })
    const text = one.text().catch(name)
    setTimeout(() => { c.abort(); d.abort() }, 5)
    return [await text, await new Promise((done) => setTimeout(() => done(two.text()), 20))]
  }`)
  const end = wire.begin()
  await wire.ask(1)
  wire.stream(1)
  wire.chunk(1, 0, 10)
  await wire.ask(2)
  wire.stream(2)
  wire.chunk(2, 0, new TextEncoder().encode('whole').slice())
  wire.chunk(2, 1, undefined, true)
  deepEqual([(await end).value, wire.cancels], [[['AbortError', 20], 'whole'], [1]])
})

test('AbortSignal.timeout and AbortSignal.any end a fetch', async () => {
  const wire = new Wire(`async () => { ${named}
    const c = new AbortController()
    const any = fetch('https://a.example/', { signal: AbortSignal.any([c.signal, new AbortController().signal]) }).catch(name)
    const slow = fetch('https://a.example/', { signal: AbortSignal.timeout(1) }).catch(name)
    c.abort('mine')
    return [(await any)[0], (await slow)[0]]
  }`)
  deepEqual([(await wire.begin()).value, wire.cancels], [['mine', 'TimeoutError'], [1, 2]])
})

test('an abort while the body is still read from a stream sends nothing', async () => {
  const wire = new Wire(`async () => { ${named}
    const c = new AbortController()
    const body = new ReadableStream({ async pull(controller) { await 0; c.abort(); controller.enqueue(new Uint8Array(1)); controller.close() } })
    return fetch('https://a.example/', { method: 'POST', duplex: 'half', body, signal: c.signal }).catch(name)
  }`)
  deepEqual([(await wire.begin()).value, wire.said('ask').length], [['AbortError', 20], 0])
})

test('the end of a call is no abort of its fetches: nothing is said of them', async () => {
  const wire = new Wire(`async (args, { signal }) => { fetch('https://a.example/', { signal }); const r = await fetch('https://a.example/2', { signal }); return r.status }`)
  const end = wire.begin()
  await wire.ask(2)
  wire.stream(2)
  equal((await end).value, 200)
  await wire.settle()
  deepEqual([wire.cancels, wire.realm.said.at(-1)!.kind], [[], 'result'])
})

test('a signal that is aborted with the call settles nothing, also while a body is still read', async () => {
  const wire = new Wire(`async (args, { signal }) => {
    if (args.look) return globalThis.settled
    globalThis.settled = []
    fetch('https://a.example/', { method: 'POST', duplex: 'half', body: new ReadableStream(), signal }).catch(() => globalThis.settled.push('post'))
    fetch('https://a.example/', { signal }).catch(() => globalThis.settled.push('get'))
    return 1
  }`)
  await wire.begin()
  await wire.settle()
  deepEqual((await wire.begin({ look: true })).value, [])
})

test('what answers and aborts in any order settles once', async () => {
  for (let round = 0; round < 40; round++) {
    const wire = new Wire(`async (args) => { ${named}
      const c = new AbortController()
      let settled = 0
      const f = fetch('https://a.example/', { signal: c.signal }).then((r) => r.text()).then((t) => { settled++; return t }, (e) => { settled++; return name(e)[0] })
      for (let i = 0; i < args.ticks; i++) await null
      if (args.wait) await new Promise((d) => setTimeout(d, 0))
      c.abort()
      const got = await f
      return [settled, got]
    }`)
    const end = wire.begin({ ticks: round % 8, wait: round >= 20 })
    await wire.ask(1)
    if (round % 2) wire.answer(1, {}, bytes('text'))
    else { wire.stream(1); wire.chunk(1, 0, 1); wire.chunk(1, 1, undefined, true) }
    const { value } = await end
    equal((value as unknown[])[0], 1)
    equal(wire.cancels.length <= 1, true)
  }
})
