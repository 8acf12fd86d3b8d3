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
const supervisor = start()
addEventListener('message', take)

function start(): Worker | undefined {
  try {
    const worker = new Worker(url)
    worker.onmessage = () => {
      URL.revokeObjectURL(url)
      up = true
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
  handOver()
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

/** The host speaks first; its first word is answered with the end. */
function refuse(port: MessagePort): void {
  port.onmessage = () => {
    const message = `the supervisor did not start: ${failure}`.slice(0, 1000)
    port.postMessage(JSON.stringify({ kind: 'crashed', call: 0, reason: 'error', message }))
    port.close()
  }
}
