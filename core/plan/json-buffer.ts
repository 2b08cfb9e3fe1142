const FIRST_BYTES = 1 << 18
/** A larger buffer is not kept for the next result. */
const MOST_KEPT = 1 << 22
/** From here on a result is handed on as bytes: making a string of it and bytes of that again costs more. */
const LARGE = 1 << 15

/**
 * Bytes that JSON is written into, used again for each result. Writing beyond its end is allowed: the bytes are lost
 * and counted, and the same is written once more into a larger one.
 */
export class JsonBuffer {
  bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  length = 0

  put(text: string): void {
    this.length = putText(this.bytes, this.length, text)
  }

  /**
   * What `write` writes, from the start.
   * @returns `null` when `write` says that it cannot
   */
  fill(write: (target: JsonBuffer) => boolean): string | Uint8Array | null {
    this.length = 0
    if (!write(this)) return null
    while (this.length > this.bytes.length) {
      this.bytes = Buffer.allocUnsafeSlow(this.length + (this.length >> 3))
      this.length = 0
      if (!write(this)) return null
    }
    const { bytes, length } = this
    if (length < LARGE) return bytes.toString('utf8', 0, length)
    if (bytes.length <= MOST_KEPT) return copyOf(bytes.subarray(0, length))
    this.bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
    return bytes.subarray(0, length)
  }

  /** Room for so many bytes more, so that a large result is not written twice. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return
    const larger = Buffer.allocUnsafeSlow(this.length + count)
    this.bytes.copy(larger, 0, 0, this.length)
    this.bytes = larger
  }
}

/** @returns where the text ends, whether it fits or not */
export function putText(target: Buffer, at: number, text: string): number {
  // A character of UTF-16 is three bytes at most.
  if (at + text.length * 3 <= target.length) return at + target.write(text, at)
  return at + Buffer.byteLength(text)
}

function copyOf(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  copy.set(bytes)
  return copy
}
