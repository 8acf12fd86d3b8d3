/**
 * A message with blobs. One without is its bare text, the cheapest message there is. A text above the inline limit is the first
 * blob, as UTF-8.
 */
export interface Envelope {
  readonly text: string
  readonly blobs: readonly ArrayBuffer[]
}

/** What came on a port: a text, how many blobs came beside it, what those weigh, and how much the text does. */
export interface Opened {
  readonly text: string
  readonly blobs: number
  readonly blobBytes: number
  readonly textBytes: number
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What a message can be sent on. */
interface Out {
  postMessage(message: unknown, transfer: Transferable[]): void
}

/** Passes on what `open` accepted, and nothing that came beside it. Blobs go with it, unless they are to be kept. */
export function forward(to: Out, data: unknown, keep = false): void {
  if (typeof data === 'string') return to.postMessage(data, [])
  const { text, blobs } = data as Envelope
  if (blobs.length === 0) to.postMessage(text, [])
  else to.postMessage({ text, blobs }, keep ? [] : [...blobs])
}

/**
 * Reads a bare text or an envelope; undefined if it is neither. A text of more than `most` bytes
 * is not read.
 */
export function open(data: unknown, most: number): Opened | 'size' | undefined {
  if (typeof data === 'string') return data.length > most ? 'size' : { text: data, blobs: 0, blobBytes: 0, textBytes: data.length }
  if (typeof data !== 'object' || data === null) return undefined
  const { text, blobs } = data as Partial<Envelope>
  if (typeof text !== 'string' || !Array.isArray(blobs)) return undefined
  let blobBytes = 0
  for (const blob of blobs as unknown[]) {
    if (!(blob instanceof ArrayBuffer)) return undefined
    blobBytes += blob.byteLength
  }
  if (text !== '') return text.length > most ? 'size' : { text, blobs: blobs.length, blobBytes, textBytes: text.length }
  const [first] = blobs as ArrayBuffer[]
  if (!first) return undefined
  if (first.byteLength > most) return 'size'
  const inner = decode(first)
  return inner === undefined ? undefined : { text: inner, blobs: blobs.length - 1, blobBytes: blobBytes - first.byteLength, textBytes: first.byteLength }
}

function decode(blob: ArrayBuffer): string | undefined {
  try {
    return decoder.decode(blob)
  } catch {
    return undefined
  }
}
