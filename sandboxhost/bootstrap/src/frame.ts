import { CryptoService } from './crypto/service'

/**
 * The only script of a sandbox's frame. It starts the supervisor at once, takes one port from the page and passes it on. From
 * then on it does cryptography for the supervisor, since the workers of an opaque frame are no secure context in every engine
 * and have none. Tool code never runs in this realm.
 */
declare const TOOL_SOURCE: string
declare const SUPERVISOR_SOURCE: string

// The policy is the wall here. Should it fail, these are not lying about.
const ways = [
  'RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport', 'WebSocket', 'EventSource', 'XMLHttpRequest', 'fetch',
  'fetchLater', 'open',
]
for (const name of ways) Reflect.deleteProperty(window, name)
Reflect.deleteProperty(Navigator.prototype, 'sendBeacon')

const url = URL.createObjectURL(new Blob([SUPERVISOR_SOURCE], { type: 'text/javascript' }))
let host: MessagePort | undefined
let up = false
let failure: string | undefined
const policies = new Set<string>()
document.addEventListener('securitypolicyviolation', note)
const supervisor = start()
addEventListener('message', take)

function start(): Worker | undefined {
  try {
    const worker = new Worker(url)
    worker.onmessage = () => {
      URL.revokeObjectURL(url)
      up = true
      document.removeEventListener('securitypolicyviolation', note)
      handOver()
    }
    worker.onerror = (event) => {
      event.preventDefault()
      fail(event.message)
    }
    return worker
  } catch (error) {
    fail(String(error))
    return undefined
  }
}

function fail(message: string): void {
  failure ??= message || 'the engine gives no reason'
  handOver()
}

/** Exactly one message of the page with exactly one port counts. */
function take({ source, data, ports }: MessageEvent): void {
  const [port, ...others] = ports
  if (source !== window.parent || data !== 'taskyon' || !port || others.length > 0) return
  removeEventListener('message', take)
  host = port
  say(port, { frame: 'here', origin: self.origin, policy: ownPolicy(), crypto: Boolean(crypto.subtle), violated: [], reason: '' })
  handOver()
}

/** What the frame itself tells the host: that its script runs and under what, and why it gives up. The host believes it for messages alone. */
interface Word {
  readonly frame: 'here' | 'refused'
  readonly origin: string
  readonly policy: string
  readonly crypto: boolean
  readonly violated: readonly string[]
  readonly reason: string
}

function say(port: MessagePort, word: Word): void {
  port.postMessage({ frame: JSON.stringify(word) })
}

/** The policy in this very document, by which the host knows whether it is the frame of its own version. */
function ownPolicy(): string {
  return document.querySelector<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy"]')?.content ?? ''
}

/** Remembers the policies that were violated while the supervisor should start: the page's are among them, since they are inherited. */
function note({ disposition, effectiveDirective, originalPolicy }: SecurityPolicyViolationEvent): void {
  if (disposition !== 'enforce' || policies.size >= 8) return
  policies.add(originalPolicy.slice(0, 16384))
  // An engine need not send a worker that was refused an error.
  if (effectiveDirective === 'worker-src') setTimeout(() => up || fail('its worker was refused'), 500)
}

/** The port goes to a supervisor that stands. One that could not start is reported here; later, the host's own clock does it. */
function handOver(): void {
  const port = host
  if (!port || (!up && failure === undefined)) return
  host = undefined
  if (up) supervisor?.postMessage(TOOL_SOURCE, [port, ...cryptography()])
  else refuse(port)
}

/** The supervisor's way to Web Crypto; none in a page that is no secure context. */
function cryptography(): MessagePort[] {
  const subtle = crypto.subtle as SubtleCrypto | undefined
  if (!subtle) return []
  const { port1, port2 } = new MessageChannel()
  new CryptoService(port1, subtle)
  return [port2]
}

/** A violation is told by a task of its own, which may come after the error that it caused. */
function refuse(port: MessagePort): void {
  setTimeout(() => {
    const reason = `the supervisor did not start: ${failure}`.slice(0, 1000)
    say(port, { frame: 'refused', origin: self.origin, policy: ownPolicy(), crypto: false, violated: [...policies], reason })
    port.close()
  }, 50)
}
