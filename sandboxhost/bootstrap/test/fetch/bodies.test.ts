import { deepEqual, equal, match, ok, rejects, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { chance, ours, same, theirs, type Classes } from './oracle'

const bytes = (...all: number[]): Uint8Array<ArrayBuffer> => new Uint8Array(all)
const stream = (...parts: unknown[]): ReadableStream => new ReadableStream({
  start(controller) { for (const part of parts) controller.enqueue(part); controller.close() },
})
const form = (...pairs: [string, string | Blob, string?][]): FormData => {
  const data = new FormData()
  for (const [name, value, file] of pairs) typeof value === 'string' ? data.append(name, value) : file === undefined ? data.append(name, value) : data.append(name, value, file)
  return data
}
const all = Uint8Array.from({ length: 256 }, (_, i) => i)

const bodies: [string, () => unknown][] = [
  ['nothing', () => undefined], ['null', () => null], ['an empty text', () => ''], ['a text', () => 'héllo €\u{1f600}'], ['half a surrogate pair', () => 'a\ud800b'],
  ['a mark and a text', () => '\ufeffabc'], ['JSON', () => '{"a":[1,null,"é"]}'], ['a number', () => 5], ['a boolean', () => false], ['an object', () => ({ toString: () => 'obj' })],
  ['an array', () => [1, 2]], ['a date that is a text', () => ({})], ['bytes', () => all.slice()], ['a part of bytes', () => all.subarray(60, 90)], ['an ArrayBuffer', () => all.slice().buffer],
  ['an empty buffer', () => new ArrayBuffer(0)], ['a DataView', () => new DataView(all.slice().buffer, 60, 20)], ['wide numbers', () => new Uint16Array([1, 2, 65535])],
  ['fractions', () => new Float64Array([1.5, -0])], ['clamped bytes', () => new Uint8ClampedArray([1, 2])], ['bytes that are no UTF-8', () => bytes(0xff, 0xfe, 0x41, 0xc3)],
  ['a Blob', () => new Blob(['ab', bytes(1, 2)], { type: 'Text/X; charset=Utf-8' })], ['a Blob without a type', () => new Blob(['x'])], ['an empty Blob', () => new Blob([])],
  ['a File', () => new File(['file'], 'n.txt', { type: 'text/plain' })], ['search parameters', () => new URLSearchParams([['a', '1 2'], ['é', '&=']])],
  ['no search parameters', () => new URLSearchParams()], ['a stream', () => stream(bytes(1, 2), bytes(), bytes(3))], ['an empty stream', () => stream()],
  ['a stream of texts', () => stream('text')], ['a stream of buffers', () => stream(new ArrayBuffer(2))],
]
const types = [undefined, 'text/plain', 'Application/JSON; Charset=UTF-8', 'application/x-www-form-urlencoded', 'text/html;charset="ut\\"f";x=y', 'bad', 'a/b, c/d;e=f', 'text/x;charset=a, text/x', '*/*', 'a/b;x="']

const reads: [string, (of: Response | Request) => Promise<unknown>][] = [
  ['text', (of) => of.text()],
  ['json', (of) => of.json()],
  ['arrayBuffer', async (of) => { const buffer = await of.arrayBuffer(); return [Object.prototype.toString.call(buffer), [...new Uint8Array(buffer)]] }],
  ['blob', async (of) => { const blob = await of.blob(); return [blob instanceof Blob, blob.type, blob.size, await blob.text()] }],
  ['formData', async (of) => [...(await of.formData())].map(([name, value]) => [name, String(value)])],
]

for (const [title, make] of bodies) {
  test(`a response of ${title} is read as in the engine`, async () => {
    for (const type of types) {
      const init = (): ResponseInit => (type === undefined ? {} : { headers: { 'content-type': type } })
      for (const [way, read] of reads) {
        await same(`${way} ${type}`, async ({ Response }) => {
          const response = new Response(make() as BodyInit, init())
          return [response.headers.get('content-type'), response.bodyUsed, await read(response), response.bodyUsed]
        })
      }
    }
    await same('shape', ({ Response }) => { const r = new Response(make() as BodyInit); return [r.body === null, r.body instanceof ReadableStream, r.bodyUsed, r.status, r.ok, r.type, r.url, r.redirected, r.statusText] })
    await same('twice', async ({ Response }) => { const r = new Response(make() as BodyInit); await r.arrayBuffer(); return [r.bodyUsed, r.body?.locked, await r.text()] })
    await same('clone', async ({ Response }) => { const r = new Response(make() as BodyInit); const c = r.clone(); return [r.bodyUsed, c.bodyUsed, await c.text(), c.bodyUsed, r.bodyUsed, await r.text()] })
    await same('clone of a clone', async ({ Response }) => { const r = new Response(make() as BodyInit); const c = r.clone().clone(); return [await r.text(), await c.text()] })
    await same('clone after reading', async ({ Response }) => { const r = new Response(make() as BodyInit); await r.text(); return r.clone().text() })
    await same('a request', async ({ Request }) => {
      const request = new Request('https://a.example/', { method: 'POST', body: make() as BodyInit, duplex: 'half' } as RequestInit)
      return [request.headers.get('content-type'), await request.text(), request.bodyUsed]
    })
    await same('through its stream', async ({ Response }) => {
      const { body } = new Response(make() as BodyInit)
      if (body === null) return null
      const parts: number[] = []
      for await (const part of body as unknown as AsyncIterable<Uint8Array>) parts.push(...part)
      return parts
    })
  })
}

test('bytes are copied when the body is made', () => same('copy', async ({ Response }) => {
  const given = bytes(1, 2, 3)
  const response = new Response(given)
  given.fill(9)
  return [...new Uint8Array(await response.arrayBuffer())]
}))

test('bytes() gives what arrayBuffer() gives, and clones share no memory', async () => {
  for (const make of [() => bytes(1, 2, 3), () => stream(bytes(1, 2, 3)), () => new Blob([bytes(1, 2, 3)])]) {
    const response = new ours.Response(make())
    const clone = response.clone() as Response & { bytes(): Promise<Uint8Array> }
    const one = await clone.bytes()
    deepEqual([...one], [1, 2, 3])
    one.fill(0)
    deepEqual([...new Uint8Array(await response.arrayBuffer())], [1, 2, 3])
  }
})

test('a body whose stream somebody looks at is used as soon as it is read', () => same('used', async ({ Response }) => {
  const response = new Response('abc')
  const reader = response.body!.getReader()
  const before = response.bodyUsed
  const failed = await response.text().catch((error: Error) => error.constructor.name)
  await reader.read()
  return [before, failed, response.bodyUsed, (await reader.read()).done]
}))

test('a body that was cancelled is used', () => same('cancel', async ({ Response }) => {
  const response = new Response('abc')
  await response.body!.cancel()
  return [response.bodyUsed, await response.text()]
}))

test('a locked stream is no body', () => same('locked', ({ Response }) => { const given = stream(bytes(1)); given.getReader(); return new Response(given) }))

test('a stream stays the same stream, and its errors are the reader\'s', async () => {
  await same('identity', ({ Response }) => { const given = stream(bytes(1)); return new Response(given).body === given })
  for (const read of ['text', 'blob', 'formData'] as const) {
    await rejects(new ours.Response(new ReadableStream({ pull(controller) { controller.error(new RangeError('broke')) } }))[read](), { name: 'RangeError', message: 'broke' })
  }
})

test('a body in a million pieces is read whole', async () => {
  let left = 100_000
  const pieces = new ReadableStream({ pull(controller) { if (left-- > 0) controller.enqueue(bytes(1)); else controller.close() } })
  equal((await new ours.Response(pieces).arrayBuffer()).byteLength, 100_000)
})

const fields: [string, string | Blob, string?][][] = [
  [], [['a', '1']], [['a', '1'], ['a', '2'], ['b', '']], [['na"me\r\n', 'line\nline\r\nline\rline']], [['é€\u{1f600}', 'é€\u{1f600}']], [['', '']],
  [['f', new Blob(['x'])]], [['f', new Blob(['x'], { type: 'image/png' }), 'a"b\r\nc.png']], [['f', new File([all], 'bytes.bin', { type: 'application/x' })], ['g', 'after']],
  [['f', new File([], 'empty')]], [['f', new Blob(['--x\r\n\r\n--'])], ['g', '\r\n--\r\n']], [['a', '%0A%22']], [['f', new File(['\r\n'], 'é.txt')]],
]

const shown = async (data: FormData): Promise<unknown> => Promise.all([...data].map(async ([name, value]) =>
  typeof value === 'string' ? [name, value] : [name, value.name, value.type, [...new Uint8Array(await value.arrayBuffer())]]))

test('forms are written as the engine writes them, but for the boundary', async () => {
  for (const pairs of fields) {
    await same(JSON.stringify(pairs), async ({ Response }: Classes) => {
      const response = new Response(form(...pairs))
      const type = response.headers.get('content-type')!
      const boundary = /boundary=(.*)$/.exec(type)![1]!
      ok(boundary.length >= 27 && boundary.length <= 70)
      return [type.replaceAll(boundary, 'B'), (await response.text()).replaceAll(boundary, 'B')]
    })
  }
  equal(new Set(Array.from({ length: 50 }, () => new ours.Response(form(['a', '1'])).headers.get('content-type'))).size, 50)
})

test('forms that one writes the other reads', async () => {
  for (const pairs of fields) {
    for (const [from, to] of [[ours, theirs], [theirs, ours], [ours, ours]] as const) {
      const written = new from.Response(form(...pairs))
      const read = await new to.Response(await written.arrayBuffer(), { headers: { 'content-type': written.headers.get('content-type')! } }).formData()
      const again = await new theirs.Response(form(...pairs)).formData()
      deepEqual(await shown(read), await shown(again), JSON.stringify(pairs))
    }
  }
})

test('a urlencoded form is read as in the engine', async () => {
  for (const text of ['', 'a=1&b=2', 'a', '=', '&&', 'a=%C3%A9+%26', 'a=%FF', 'a=1=2', '%', 'é=ü']) {
    await same(text, async ({ Response }) => shown(await new Response(text, { headers: { 'content-type': 'application/x-www-form-urlencoded' } }).formData()))
  }
})

test('a urlencoded form may begin with a question mark, as the standard says', async () => {
  const response = new ours.Response('?a=1', { headers: { 'content-type': 'application/x-www-form-urlencoded' } })
  deepEqual([...(await response.formData())], [['?a', '1']])
})

test('what is no form is refused, whatever it is', async () => {
  const boundary = '-'.repeat(30)
  const good = `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--${boundary}--\r\n`
  const read = (text: string): Promise<FormData> => new ours.Response(text, { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }).formData()
  deepEqual(await shown(await read(good)), [['a', '1']])
  for (const bad of ['', 'x', good.slice(0, -10), good.replace('form-data', 'other'), good.replace('; name="a"', ''), good.replace('Content-Disposition: form-data; name="a"', ''),
    good.replace('name="a"', 'name="a'), good.replace('\r\n\r\n', '\r\n'), `--${boundary}`, `--${boundary}\r\n`, `--${boundary}\r\nx`]) {
    await rejects(read(bad), { name: 'TypeError' }, JSON.stringify(bad))
  }
  const next = chance(7)
  for (let i = 0; i < 500; i++) {
    const at = next(good.length)
    const broken = good.slice(0, at) + String.fromCharCode(next(128)) + good.slice(at + next(3))
    await read(broken).then((data) => ok([...data].length <= 1), (error: Error) => equal(error.name, 'TypeError'))
  }
  await rejects(new ours.Response('x', { headers: { 'content-type': 'multipart/form-data' } }).formData(), /names no boundary/)
  match((await new ours.Response('x').formData().catch((error: Error) => error.message)) as string, /neither/)
})

test('members of a body are of instances alone', () => {
  throws(() => Reflect.get(ours.Response.prototype, 'body'), { name: 'TypeError' })
  return rejects(ours.Response.prototype.text.call({} as Response), { name: 'TypeError' })
})
