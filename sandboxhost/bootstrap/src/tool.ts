/**
 * The entry of a tool's worker. It is the first part of one classic script; the second part is `__taskyon(program)`, which
 * hands over the author's code as a function and runs nothing of it. Tool code finds a realm without a way out of it, and
 * nothing of this runtime: its port, its tables and its functions are held in closures only.
 */
import type { Setup } from './internal'
import { define, deleteProperty, replace, uncurry } from './primordials'
import { installCrypto } from './runtime/crypto/install'
import { installFetch } from './runtime/fetch/install'
import { lockdown } from './runtime/lockdown'
import { firstMessage, onUncaught, Port } from './runtime/port'
import { Runtime, type Program } from './runtime/runtime'
import { lockPromises } from './runtime/settle'

const clock = performance
const now = uncurry(Performance.prototype.now)
const url = location.href
const runtime = new Runtime(() => now(clock))
lockdown(globalThis)
lockPromises()
runtime.timers.install(globalThis)
runtime.lifetime.install(globalThis)
replace(globalThis, 'console', runtime.console.methods())
installFetch(globalThis, runtime.fetch, runtime.lifetime)
const name = '__taskyon'
let program: Program | undefined
define(globalThis, name, (given: Program) => {
  deleteProperty(globalThis, name)
  program ??= given
})
onUncaught((thrown) => runtime.uncaught(thrown))
firstMessage((data, port) => {
  const { script, limits, subtle, spent } = data as Setup
  const link = new Port(port, limits.inlineTextBytes)
  const cryptography = subtle ? runtime.cryptography(link) : undefined
  installCrypto(globalThis, cryptography?.facade())
  link.listen((text, blobs) => runtime.receive(text, blobs), (seq) => link.pong(seq), (text, blobs) => cryptography?.answer(text, blobs))
  runtime.start({ limits, spent, script: { ...script, url } }, program as Program, link)
})
