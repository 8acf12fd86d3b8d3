import {
  Bytes, bufferSlice, isView, setBytes, typedArrayBuffer, typedArrayBytes, typedArrayName, typedArrayOffset, viewBuffer, viewLength, viewOffset,
} from '../primordials'

/** A copy of the bytes of an ArrayBuffer or a view; undefined for anything else. */
export function bytesOf(value: object): Uint8Array<ArrayBuffer> | undefined {
  if (isView(value)) {
    const typed = typedArrayName(value) !== undefined
    const from = typed
      ? new Bytes(typedArrayBuffer(value), typedArrayOffset(value), typedArrayBytes(value))
      : new Bytes(viewBuffer(value), viewOffset(value), viewLength(value))
    const copy = new Bytes(typed ? typedArrayBytes(value) : viewLength(value))
    setBytes(copy, from)
    return copy
  }
  try {
    return new Bytes(bufferSlice(value, 0))
  } catch {
    return undefined
  }
}
