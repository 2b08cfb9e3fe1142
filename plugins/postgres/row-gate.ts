import type pg from 'pg'

const HEADER = 5
const DATA_ROW = 0x44
const NOTHING = Buffer.alloc(0)

export interface RowBound {
  /** Bytes of one row. Smaller ones are not even looked at. */
  readonly maxBytes: number
  /** A larger one is on its way, of the statement that the server works on. @returns is it to be thrown away? */
  readonly refuse: () => boolean
}

/** What the protocol adds to a row's one value: type, length, number of columns, length of the value. */
const ROW_OVERHEAD = 11

/**
 * Stands between the socket and `pg`'s parser and throws away rows that are too large, while they arrive: a message
 * says its length in front, and the parser would keep all of it until its end is there. Everything else passes as it is.
 */
export class RowGate {
  readonly #bound: RowBound
  readonly #forward: (chunk: Buffer) => void
  /** Bytes of the message in hand that are still to come. */
  #rest = 0
  #dropping = false
  /** The start of a header whose end was not in the chunk. */
  #fragment = NOTHING

  /** @param forward the parser */
  constructor(bound: RowBound, forward: (chunk: Buffer) => void) {
    this.#bound = bound
    this.#forward = forward
  }

  push(arrived: Buffer): void {
    let chunk = arrived
    if (this.#fragment.length > 0) {
      chunk = Buffer.concat([this.#fragment, arrived])
      this.#fragment = NOTHING
    }
    const { length } = chunk
    /** From here on nothing was passed on yet. */
    let start = 0
    let at = this.#rest
    if (at > 0 && this.#dropping) start = Math.min(at, length)
    while (at + HEADER <= length) {
      const size = chunk.readUInt32BE(at + 1) + 1
      this.#dropping = false
      if (chunk[at] === DATA_ROW && size > this.#bound.maxBytes + ROW_OVERHEAD) {
        // What came before makes it known whose row this is.
        if (at > start) this.#forward(chunk.subarray(start, at))
        start = at
        this.#dropping = this.#bound.refuse()
        if (this.#dropping) start = Math.min(at + size, length)
      }
      at += size
    }
    if (at < length) {
      this.#fragment = Buffer.from(chunk.subarray(at))
      this.#rest = 0
      if (at > start) this.#forward(chunk.subarray(start, at))
      return
    }
    this.#rest = at - length
    if (start === 0 && chunk === arrived) this.#forward(arrived)
    else if (start < length) this.#forward(chunk.subarray(start))
  }
}

/** The part of a client that reads; not in the types of `pg`. */
interface Wire {
  attachListeners(stream: NodeJS.ReadableStream): void
}

/** Puts a gate into a client that is not connected yet. */
export function installRowGate(client: pg.Client, bound: RowBound): void {
  const wire = (client as unknown as { readonly connection: Wire }).connection
  const { attachListeners } = wire
  // Called with the socket, or with the TLS stream around it, when the first message of the protocol is to come.
  wire.attachListeners = (stream) => {
    const others = stream.listeners('data')
    attachListeners.call(wire, stream)
    const parse = stream.listeners('data').find((listener) => !others.includes(listener)) as (chunk: Buffer) => void
    stream.off('data', parse)
    const gate = new RowGate(bound, parse)
    stream.on('data', (chunk: Buffer) => gate.push(chunk))
  }
}
