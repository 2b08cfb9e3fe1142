import { LentText } from '../../base/util/lent-text.ts'
import { NotedText } from '../../base/util/noted-text.ts'
import type { WrittenList } from '../../base/util/written-list.ts'

const FIRST_BYTES = 1 << 18
/** Limit in bytes for a buffer that is kept for the next result. */
const MOST_KEPT = 1 << 22
/** Minimum size of a text that stays bytes. Converting it to a string and back costs more than copying it. */
const LARGE = 1 << 13

/**
 * A buffer in which svc writes the JSON of results, reused for each one. If a text does not fit, only `length` grows
 * beyond the capacity; `fill` then writes everything again to a larger buffer.
 */
export class JsonBuffer {
  bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  /** A view of the same bytes: copying four bytes at a time is two to three times as fast as single bytes. */
  view = viewOf(this.bytes)
  /** Length of `bytes` and `view`. Kept here because reading the length of a view is slow in Node 20. */
  capacity = this.bytes.length
  length = 0
  /** Positions of the last list that was written completely. */
  list: WrittenList | null = null

  put(text: string | Uint8Array): void {
    const { bytes, capacity, length } = this
    if (typeof text !== 'string') {
      if (length + text.length <= capacity) bytes.set(text, length)
      this.length = length + text.length
      return
    }
    // A UTF-16 code unit takes at most three bytes, so that most texts need no exact count.
    if (length + text.length * 3 > capacity) {
      this.length = length + Buffer.byteLength(text)
      if (!this.isFull) bytes.write(text, length)
    } else this.length = length + bytes.write(text, length)
  }

  putByte(byte: number): void {
    this.bytes[this.length++] = byte
  }

  /** Marks the buffer as too small, for a text whose size is not known. */
  overflow(): void {
    this.length = this.capacity + 1
  }

  get isFull(): boolean {
    return this.length > this.capacity
  }

  /**
   * Runs `write` on the empty buffer, again with a larger buffer if needed, and returns the text.
   * @returns `null` when `write` returns `false`
   */
  fill(write: (target: JsonBuffer) => boolean): string | NotedText | LentText | null {
    this.length = 0
    this.list = null
    let written = write(this)
    while (this.isFull) {
      this.#use(Buffer.allocUnsafeSlow(Math.max(this.length, this.capacity) * 2))
      this.length = 0
      written = write(this)
    }
    if (!written) return null
    const { length, list } = this
    const text = ownText(this.bytes.subarray(0, length), list)
    if (this.capacity > MOST_KEPT) this.#use(Buffer.allocUnsafeSlow(FIRST_BYTES))
    // The positions are in bytes. For a string they are correct only when each byte is a character.
    return list !== null && typeof text === 'string' && text.length === length ? new NotedText(text, list) : text
  }

  /** Makes room for `count` further bytes, so that a large result is not written twice. */
  reserve(count: number): void {
    if (this.length + count <= this.capacity) return
    const larger = Buffer.allocUnsafeSlow(this.length + count)
    this.bytes.copy(larger, 0, 0, this.length)
    this.#use(larger)
  }

  #use(bytes: Buffer<ArrayBuffer>): void {
    this.bytes = bytes
    this.view = viewOf(bytes)
    this.capacity = bytes.length
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Buffer<ArrayBuffer>): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

/**
 * Copies a JSON text out of memory that will be overwritten. A short text becomes a string; one of 8 KiB or more stays
 * bytes.
 * @param list position of a list in the text; `null`: unknown
 */
export function ownText(bytes: Buffer, list: WrittenList | null = null): string | LentText {
  return bytes.length < LARGE ? bytes.toString('utf8') : new LentText(bytes, null, list)
}
