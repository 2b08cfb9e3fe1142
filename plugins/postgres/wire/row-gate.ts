import { checkFields, isOfFields } from './protocol-messages.ts'

const HEADER = 5
const DATA_ROW = 0x44
const NOTHING = Buffer.alloc(0)
/** Bytes that the protocol adds to a row with one value: type, length, number of columns, length of the value. */
const ROW_OVERHEAD = 11
/** Memory for a larger row is not kept for the next. */
const MOST_KEPT = 1 << 20

/** The owner of arriving rows: the statement that the server works on. */
export interface RowOwner {
  /** Bytes of one row. */
  readonly maxBytes: number
  /** A larger one is on its way. @returns is it to be thrown away? */
  refuse(): boolean
  /** Does it want its rows as they are, instead of what the parser makes of them? */
  takesRows(): boolean
  /**
   * One of them: from the number of its columns to the end of the message. The bytes are lent until this returns.
   */
  takeRow(bytes: Buffer, start: number, end: number): void
}

/**
 * Stands between the socket and `pg`'s parser. Rows that are too large are thrown away while they arrive: a message says
 * its length in front, and the parser would keep all of it until its end is there. Rows that their owner reads as bytes
 * never become strings. Everything else passes as it is, once it is known that the parser can read it.
 */
export class RowGate {
  readonly #owner: RowOwner
  readonly #forward: (chunk: Buffer) => void
  /** Bytes of the message in hand that are still to come. */
  #rest = 0
  #dropping = false
  /** Was the last message a row that the parser gets? Then its owner has nothing against the next one either. */
  #passing = false
  /** The row in hand, where its owner takes it, as far as it has arrived. */
  #row: Buffer | null = null
  /** Memory for such rows. */
  #kept = NOTHING
  /** The start of a header, or of an error, whose end was not in the chunk. */
  #fragment = NOTHING

  /** @param forward the parser */
  constructor(owner: RowOwner, forward: (chunk: Buffer) => void) {
    this.#owner = owner
    this.#forward = forward
  }

  /** @param lent the memory of the chunk is used again for the next one */
  push(arrived: Buffer, lent: boolean): void {
    let chunk = arrived
    if (this.#fragment.length > 0) {
      chunk = Buffer.concat([this.#fragment, arrived])
      this.#fragment = NOTHING
    }
    const { length } = chunk
    /** From here on nothing was passed on yet. */
    let start = 0
    let at = this.#rest
    if (at > 0 && (this.#dropping || this.#row !== null)) {
      start = Math.min(at, length)
      if (this.#row !== null) this.#collect(chunk, 0, start)
    }
    /** Where the last message starts. */
    let last = 0
    while (at + HEADER <= length) {
      last = at
      const size = chunk.readUInt32BE(at + 1) + 1
      const isTooLarge = size > this.#owner.maxBytes + ROW_OVERHEAD
      this.#dropping = false
      const type = chunk[at]!
      if (type !== DATA_ROW) {
        this.#passing = false
        if (isOfFields(type, size)) {
          if (at + size > length) break
          checkFields(chunk, at + size)
        }
      } else if (isTooLarge || !this.#passing) {
        // The parser has to read earlier messages first, which determine the owner of this row.
        if (at > start) this.#forward(chunk.subarray(start, at))
        start = at
        if (isTooLarge && this.#owner.refuse()) {
          this.#dropping = true
          start = Math.min(at + size, length)
        } else if (this.#owner.takesRows()) {
          start = Math.min(at + size, length)
          if (at + size <= length) this.#owner.takeRow(chunk, at + HEADER, at + size)
          else {
            this.#row = this.#memory(size)
            this.#rest = size
            this.#collect(chunk, at, length)
          }
        } else this.#passing = true
      }
      at += size
    }
    // A header that is not whole, or a message that is looked at as a whole.
    if (at < length) {
      this.#fragment = Buffer.from(chunk.subarray(at))
      this.#rest = 0
      if (at > start) this.#forward(chunk.subarray(start, at))
      return
    }
    this.#rest = at - length
    if (start === length) return
    if (this.#rest > 0 && lent) {
      // The parser keeps what it has not read to its end.
      if (last > start) this.#forward(chunk.subarray(start, last))
      this.#forward(Buffer.from(chunk.subarray(Math.max(start, last))))
    } else this.#forward(start === 0 ? chunk : chunk.subarray(start))
  }

  #memory(size: number): Buffer {
    if (size > this.#kept.length) {
      const larger = Buffer.allocUnsafeSlow(size + (size >> 2))
      if (size > MOST_KEPT) return larger.subarray(0, size)
      this.#kept = larger
    }
    return this.#kept.subarray(0, size)
  }

  #collect(chunk: Buffer, start: number, end: number): void {
    const row = this.#row!
    chunk.copy(row, row.length - this.#rest, start, end)
    this.#rest -= end - start
    if (this.#rest > 0) return
    this.#row = null
    this.#owner.takeRow(row, HEADER, row.length)
  }
}
