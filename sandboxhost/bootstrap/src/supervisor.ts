/**
 * The entry of the supervisor's worker. Its first message brings the host's port, that of the frame's cryptography where there
 * is one, and the runtime's text; from then on it listens to those ports and to the tool's alone.
 */
import { Supervisor, type Powers } from './supervisor/supervisor'

// The engine's own functions are used as they are: no tool code runs in this realm.
const powers: Powers = {
  time: {
    now: () => performance.now(),
    start: (run, ms) => setTimeout(run, ms),
    stop: (timer) => clearTimeout(timer as number | undefined),
  },
  startTool(script, setup, failed, stray) {
    const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
    const worker = new Worker(url)
    const { port1, port2 } = new MessageChannel()
    worker.onmessage = worker.onmessageerror = port1.onmessageerror = stray
    worker.onerror = (event) => {
      event.preventDefault()
      failed({ message: event.message ?? '', line: event.lineno ?? 0, column: event.colno ?? 0 })
    }
    worker.postMessage(setup, [port2])
    return {
      port: port1,
      loaded: () => URL.revokeObjectURL(url),
      end() {
        worker.terminate()
        port1.close()
        URL.revokeObjectURL(url)
      },
    }
  },
}

addEventListener('message', ({ data, ports }: MessageEvent<string>) => {
  const [host, crypto] = ports
  const supervisor = new Supervisor(host as MessagePort, data, powers, crypto)
  const crash = (message: string): void => supervisor.crash('error', `the supervisor failed: ${message}`)
  addEventListener('error', (event) => crash(event.message))
  addEventListener('unhandledrejection', (event) => crash(String(event.reason)))
}, { once: true })

postMessage('up')
