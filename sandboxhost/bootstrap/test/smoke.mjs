// A hand-run look at the built frame in Chromium under the strict policy: node sandboxhost/bootstrap/test/smoke.mjs
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { chromium } from '@playwright/test'

const frame = readFileSync('sandboxhost/bootstrap/dist/frame.js', 'utf8')
const hash = `sha256-${createHash('sha256').update(frame).digest('base64')}`
const rawTool = `let port;onmessage=e=>{if(!port){port=e.ports[0];port.onmessage=e=>port.postMessage(e.data)}}`
const rawSuper = `onmessage=e=>{const host=e.ports[0];const w=new Worker(URL.createObjectURL(new Blob([${JSON.stringify(rawTool)}])));const c=new MessageChannel();w.postMessage(0,[c.port2]);c.port1.onmessage=e=>host.postMessage(e.data);host.onmessage=e=>c.port1.postMessage(e.data)}`
const raw = `const w=new Worker(URL.createObjectURL(new Blob([${JSON.stringify(rawSuper)}])));onmessage=e=>w.postMessage(0,[e.ports[0]])`
const rawHash = `sha256-${createHash('sha256').update(raw).digest('base64')}`
const meta = (h) => `default-src 'none'; script-src '${h}' 'wasm-unsafe-eval'; worker-src blob:; frame-src 'none'; form-action 'none'; base-uri 'none'; webrtc 'block'`
const hostPolicy = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval' '${hash}' '${rawHash}'; worker-src blob:; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self' https:; frame-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'`
const doc = (h, s) => `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${meta(h)}"><title>sandbox</title></head><body><script>${s}</script></body></html>`

let hits = 0
const canary = createServer((q, r) => { hits++; r.writeHead(200, { 'access-control-allow-origin': '*' }); r.end('x') }).listen(0, '127.0.0.1')
const page = createServer((q, r) => {
  const js = q.url === '/page.js'
  r.writeHead(200, { 'content-type': js ? 'text/javascript' : 'text/html', 'content-security-policy': hostPolicy })
  r.end(js ? `window.docs=${JSON.stringify({ ours: doc(hash, frame), raw: doc(rawHash, raw) })};(${client})()` : '<!doctype html><body><script src="/page.js"></script>')
}).listen(0, '127.0.0.1')

function client() {
  const limits = { nesting: 64, resultBytes: 16 << 20, inlineTextBytes: 512 << 10, logLines: 1000, logBytes: 256 << 10, messagesPerWindow: 256, bytesPerWindow: 1 << 20, windowMs: 100 }
  window.open_ = (src) => new Promise((done) => {
    const f = document.createElement('iframe')
    f.setAttribute('sandbox', 'allow-scripts'); f.setAttribute('allow', ''); f.hidden = true
    const { port1, port2 } = new MessageChannel()
    f.onload = () => { f.contentWindow.postMessage('taskyon', '*', [port2]); done({ f, port: port1 }) }
    f.srcdoc = src
    document.body.append(f)
  })
  window.sandbox = async (program, over = {}) => {
    const { f, port } = await open_(docs.ours)
    const seen = []; let wakes = []
    port.onmessage = (e) => { const text = e.data.text || new TextDecoder().decode(e.data.blobs[0]); seen.push(JSON.parse(text)); for (const wake of wakes.splice(0)) wake() }
    const say = (m) => port.postMessage({ text: JSON.stringify(m), blobs: [] })
    const until = async (test) => { for (let i = 0; ; ) { for (; i < seen.length; i++) if (test(seen[i])) return seen[i]; await new Promise((r) => wakes.push(r)) } }
    say({ kind: 'start', name: 'demo', language: 'javascript', program, limits: { ...limits, ...over } })
    const first = await until((m) => m.kind === 'ready' || m.kind === 'crashed')
    let n = 0
    const call = async (args = {}, timeoutMs = 5000, wallMs = 60000) => {
      const id = ++n, from = seen.length
      say({ kind: 'call', call: id, args, timeoutMs, wallMs, context: { task: 'task:b3:0', tool: 'tool:b3:0' } })
      const end = await until((m) => ((m.kind === 'result' || m.kind === 'failure') && m.call === id) || m.kind === 'crashed' || m.kind === 'flooded')
      return { end, logs: seen.slice(from).filter((m) => m.kind === 'log'), seen: seen.slice(from) }
    }
    return { first, call, say, seen, until, remove: () => f.remove() }
  }
  window.fn = (f) => `"use strict";return (\n${f}\n)`
}

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] })
const tab = await browser.newPage()
tab.on('console', (m) => console.log('  page:', m.text()))
tab.on('pageerror', (e) => console.log('  pageerror:', e.message))
await tab.goto(`http://127.0.0.1:${page.address().port}/`)
const show = async (title, f, arg) => console.log(title, JSON.stringify(await tab.evaluate(f, arg)))
const port = canary.address().port

await show('add', async () => { const s = await sandbox(fn('(a) => a.x + 1')); const r = await s.call({ x: 2 }); s.remove(); return [s.first, r.end] })
await show('log', async () => { const s = await sandbox(fn('(a) => { console.log("%s is %d", "a", 5, {b: [1, 2n]}); return 1 }')); const r = await s.call(); s.remove(); return r.seen })
await show('throw', async () => { const s = await sandbox(fn('(a) => {\n  const x = 1\n  function boom() {\n    throw new TypeError("no", { cause: new Error("why") })\n  }\n  boom()\n}')); const r = await s.call(); s.remove(); return r.end })
await show('async throw', async () => { const s = await sandbox(fn('async function run(a) {\n  await null\n  null.x\n}')); const r = await s.call(); s.remove(); return r.end })
await show('loop, page alive', async () => {
  const s = await sandbox(fn('() => { console.log("before"); for (;;); }'))
  let frames = 0, longest = 0, last = performance.now(), on = true
  const tick = () => { const now = performance.now(); longest = Math.max(longest, now - last); last = now; frames++; if (on) setTimeout(tick, 5) }
  tick()
  const from = performance.now()
  const r = await s.call({}, 500); on = false; s.remove()
  return { end: r.end, logs: r.logs, took: performance.now() - from, frames, longest }
})
await show('microtask loop', async () => { const s = await sandbox(fn('async () => { for (;;) await null }')); const r = await s.call({}, 500); s.remove(); return r.end })
await show('never', async () => { const s = await sandbox(fn('() => new Promise(() => {})')); const r = await s.call({}, 300); s.remove(); return r.end })
await show('network', async (port) => {
  const s = await sandbox(fn(`async () => {
    const url = 'http://127.0.0.1:${port}/'
    const out = []
    const attempt = async (name, f) => { try { await f(); out.push(name + ' went through') } catch (e) { out.push(name + ': ' + (e && e.name)) } }
    await attempt('fetch', () => fetch(url, { mode: 'no-cors' }))
    await attempt('xhr', () => new Promise((ok, no) => { const x = new XMLHttpRequest(); x.open('GET', url); x.onload = ok; x.onerror = () => no(new Error('x')); x.send() }))
    await attempt('ws', () => new Promise((ok, no) => { const x = new WebSocket(url.replace('http', 'ws')); x.onopen = ok; x.onerror = () => no(new Error('x')) }))
    await attempt('eval', () => eval('1'))
    await attempt('Function', () => (async () => {}).constructor('return 1')())
    await attempt('importScripts', () => importScripts(url))
    await attempt('Worker', () => new Worker(url))
    await attempt('indexedDB', () => indexedDB.open('x'))
    await attempt('webassembly', () => WebAssembly.compile(new Uint8Array([0,97,115,109,1,0,0,0])))
    out.push(Object.getOwnPropertyNames(globalThis).filter((n) => /taskyon|Worker$|^post|^close|GPU$|createObject/.test(n)).join())
    const holders = []; for (let at = globalThis; at; at = Object.getPrototypeOf(at)) for (const n of ['setTimeout', 'setInterval', 'clearTimeout', 'postMessage', 'close', 'importScripts', 'Worker']) if (Object.hasOwn(at, n)) holders.push(n + (at[n] === globalThis[n] ? '' : ' OTHER'))
    out.push(holders.join())
    out.push(typeof postMessage, typeof close, typeof navigator.gpu, typeof URL.createObjectURL, typeof new OffscreenCanvas(1,1).getContext('webgl'), typeof onmessage)
    return out
  }`)); const r = await s.call(); s.remove(); return r.end
}, port)
console.log('canary hits', hits)
await fetch(`http://127.0.0.1:${port}/control`)
console.log('canary hits after a control request', hits)
await show('b035', async () => {
  const s = await sandbox(fn(`(a) => a.n === 1 ? (Promise.reject(new Error('late')), setTimeout(() => { throw 1 }, 20), setInterval(() => console.log('tick'), 10), 'ok') : new Promise(r => setTimeout(r, 100)).then(() => 'b')`))
  const one = await s.call({ n: 1 }); await new Promise((r) => setTimeout(r, 30)); const two = await s.call({ n: 2 }); s.remove(); return [one.seen, two.seen]
})
await show('uncaught in timer during the call', async () => { const s = await sandbox(fn('async () => { setTimeout(() => {\nthrow new Error("t") }, 1); Promise.reject(5); await new Promise(r => setTimeout(r, 50)); return 1 }')); const r = await s.call(); s.remove(); return r.seen })
await show('100000 logs', async () => { const s = await sandbox(fn('() => { for (let i = 0; i < 100000; i++) console.log("line", i); return 1 }')); const t = performance.now(); const r = await s.call(); s.remove(); const lines = r.logs.flatMap((l) => l.lines); return [r.end, performance.now() - t, r.logs.length, lines.length, lines[0], lines.at(-1), r.logs.map((l) => l.dropped).filter(Boolean)] })
await show('million long logs', async () => { const s = await sandbox(fn('() => { for (let i = 0; i < 1e6; i++) console.log("x".repeat(1000)); return 1 }')); const t = performance.now(); const r = await s.call({}, 20000); s.remove(); return [r.end, performance.now() - t, r.logs.length] })
await show('big result', async () => { const s = await sandbox(fn('() => "é".repeat(4e6)')); const r = await s.call(); s.remove(); return [r.end.kind, r.end.value.length] })
await show('too big', async () => { const s = await sandbox(fn('() => "x".repeat(50e6)')); const r = await s.call(); s.remove(); return r.end })
await show('big args', async () => { const s = await sandbox(fn('(a) => a.t.length')); const { f } = {}; const r = await s.call({ t: 'x'.repeat(1e6) }); s.remove(); return r.end })
await show('syntax error', async () => { const s = await sandbox(fn('() => {\n\n  const a = ;\n}')); s.remove(); return s.first })
await show('ask then busy', async () => { const s = await sandbox(fn('async (a, c) => { c.resolveInvocation("x"); await new Promise(r => setTimeout(r, 300)); for (;;); }')); const t = performance.now(); const r = await s.call({}, 500); s.remove(); return [r.end, performance.now() - t] })
await show('ask waits', async () => {
  const s = await sandbox(fn('async (a, c) => { try { await c.resolveInvocation("x") } catch (e) { return [e.code, e.message, c.signal.aborted] } }'))
  s.until((m) => m.kind === 'ask').then((m) => setTimeout(() => s.say({ kind: 'answer', call: 1, ask: m.ask, error: { code: 'denied', message: 'no' } }), 1500))
  const r = await s.call({}, 500); s.remove(); return r.seen
})
await show('wall', async () => { const s = await sandbox(fn('async (a, c) => { await c.resolveInvocation("x") }')); const r = await s.call({}, 200, 900); s.remove(); return r.end })
await show('300 asks at once', async () => {
  const s = await sandbox(fn('async (a, c) => (await Promise.all(Array.from({ length: 300 }, (_, i) => c.resolveInvocation("t" + i)))).length'))
  let n = 0; const timer = setInterval(() => { for (const m of s.seen) if (m.kind === 'ask' && m.ask > n) { n = m.ask; s.say({ kind: 'answer', call: 1, ask: n, value: { tool: 'x' } }) } }, 1)
  const r = await s.call(); clearInterval(timer); s.remove(); return r.end
})

// Everything that tool code can reach is replaced in call 1; call 2 uses syntax only.
const patches = (make) => `
  const define = Object.defineProperty, own = Reflect.ownKeys, describe = Reflect.getOwnPropertyDescriptor, proto = Reflect.getPrototypeOf
  const has = Set.prototype.has.call.bind(Set.prototype.has), add = Set.prototype.add.call.bind(Set.prototype.add)
  const seen = new Set([console]), found = []
  const queue = [globalThis, proto([][Symbol.iterator]()), proto(new Map().entries()), proto(function* () {}), proto(async () => {})]
  while (queue.length) {
    const holder = queue.pop()
    if (has(seen, holder)) continue
    add(seen, holder)
    if (proto(holder)) queue.push(proto(holder))
    for (const key of own(holder)) {
      const p = describe(holder, key)
      if (!p) continue
      for (const v of [p.value, p.get, p.set]) if (v !== null && (typeof v === 'object' || typeof v === 'function')) queue.push(v)
      if (p.configurable && (typeof p.value === 'function' || p.get)) found.push([holder, key, p])
    }
  }
  const make = ${make}
  let done = 0
  for (let i = 0; i < found.length; i++) { const f = found[i]; try { if (f[2].get) define(f[0], f[1], { get: make, set: make, configurable: true }); else define(f[0], f[1], { value: make, writable: true, configurable: true }); done++ } catch {} }
  return done`
for (const make of ['function () { throw 1 }', 'function () { return 7 }', 'function (a) { return a }', 'function () { return this }']) {
  await show(`patched: ${make}`, async (patch) => {
    const s = await sandbox(fn(`(args, context) => {
      if (args.first) { ${patch} }
      console.log('%s', 'a', { b: [1n, -0], c: args.map })
      context.progress(0.5, 'half'); context.signal
      return { ...args, big: args.fill.x + args.fill.x, f: 1e21, __proto__: null }
    }`), { inlineTextBytes: 1000 })
    const one = await s.call({ first: true })
    const two = await s.call({ first: false, map: { $t: 'map', v: [['k', { $t: 'set', v: [1] }]] }, b: { $t: 'bytes', v: 'AAEC' }, fill: { x: 'y'.repeat(2000) } })
    const s2 = await sandbox(fn(`async (args) => { if (args.first) { ${patch} } await null; null.x }`))
    await s2.call({ first: true }); const three = await s2.call({})
    s.remove(); s2.remove()
    const v = two.end.value
    return [one.end.value ?? one.end, two.logs.map((l) => l.lines), v ? [v.map, v.b, v.big.length, v.f] : two.end, three.end]
  }, patches(make))
}

// Every function that tool code can reach is replaced by a spy: what does the runtime hand to it?
await show('spied', async (patch) => {
  const s = await sandbox(`"use strict";
  const apply = Reflect.apply, tell = Object.prototype.toString
  const name = (v) => { try { return typeof v === 'object' || typeof v === 'function' ? apply(tell, v, []) : typeof v } catch { return '?' } }
  let watch = false, text = ''
  return (args, context) => {
    if (args.n === 1) {
      const spy = function () { if (watch) { watch = false; text += name(this) + '/' + arguments.length + (arguments.length ? name(arguments[0]) : '') + ' '; watch = true } return undefined }
      ${patch.replace('const make = null', 'const make = spy')}
    }
    if (args.n === 2) { console.log('%s', 'a', { b: [1n] }); context.progress(0.5, 'half'); context.signal; watch = true; return { a: [1, 2], t: 'é'.repeat(2000), __proto__: null } }
    if (args.n === 3) { args.m.get(1); return { then: undefined, __proto__: null } }
    watch = false
    return text
  }`, { inlineTextBytes: 1000 })
  const ends = []
  for (const n of [1, 2, 3, 4]) ends.push((await s.call({ n, m: { $t: 'map', v: [[1, 2]] }, d: { $t: 'date', v: '2026-01-02T03:04:05.678Z' } })).end)
  s.remove()
  return [ends[0].value ?? ends[0], ends[1].kind, ends[2].kind, ends[3].value ?? ends[3]]
}, patches('null'))

// Cost: warm round trips, means of batches, ours against a bare echo behind a bare relay.
const bench = await tab.evaluate(async () => {
  const mean = async (n, f) => { const t = performance.now(); for (let i = 0; i < n; i++) await f(); return (performance.now() - t) / n }
  const raw = await open_(docs.raw)
  const echo = () => new Promise((r) => { raw.port.onmessage = r; raw.port.postMessage({ text: '{"kind":"call","call":1,"args":{"x":1},"timeoutMs":5000,"wallMs":60000,"context":{"task":"","tool":""}}', blobs: [] }) })
  await echo()
  const { f, port } = await open_(docs.ours)
  let got; port.onmessage = (e) => got(e.data)
  const say = (m) => new Promise((r) => { got = r; port.postMessage({ text: JSON.stringify(m), blobs: [] }) })
  await say({ kind: 'start', name: 'demo', language: 'javascript', program: fn('(a) => a.x + 1'), limits: { nesting: 64, resultBytes: 16 << 20, inlineTextBytes: 512 << 10, logLines: 1000, logBytes: 256 << 10, messagesPerWindow: 1e6, bytesPerWindow: 1 << 30, windowMs: 100 } })
  let n = 0
  const ours = () => say({ kind: 'call', call: ++n, args: { x: 1 }, timeoutMs: 5000, wallMs: 60000, context: { task: '', tool: '' } })
  await mean(500, echo); await mean(500, ours)
  const a = [], b = []
  for (let i = 0; i < 9; i++) { a.push(await mean(300, echo)); b.push(await mean(300, ours)) }
  const median = (l) => l.sort((x, y) => x - y)[4]
  return { raw: median(a), ours: median(b), ratio: median(b) / median(a) }
})
console.log('warm round trip, ms', bench)
await browser.close(); page.close(); canary.close()
