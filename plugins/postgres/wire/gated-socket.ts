import { type OnReadOpts, Socket } from 'node:net'
import type pg from 'pg'
import { RowGate, type RowOwner } from './row-gate.ts'

const READ_BYTES = 1 << 16

/** Members of a client that the types of `pg` lack. */
interface Wire {
  attachListeners(stream: NodeJS.ReadableStream): void
}

/**
 * Creates the socket of a PostgreSQL client, and a function that puts a {@link RowGate} in front of its parser. Without
 * TLS, the socket reads into one reused buffer.
 * @param owner receives the rows
 * @param plain `true`: the connection does not use TLS
 */
export function gatedSocket(
  owner: RowOwner,
  plain: boolean,
): { readonly socket: Socket; readonly gate: (client: pg.Client) => void } {
  let rows: RowGate | null = null
  function reading(): OnReadOpts {
    return {
      buffer: Buffer.allocUnsafeSlow(READ_BYTES),
      callback(count, buffer) {
        if (rows !== null) read(rows, (buffer as Buffer).subarray(0, count), true, socket)
        return true
      },
    }
  }
  // `connect` constructs the socket with these options, and the constructor reads them; the types have them only for `connect`.
  const options: object = plain ? { onread: reading() } : {}
  const socket = new Socket(options)
  function gate(client: pg.Client): void {
    const wire = (client as unknown as { readonly connection: Wire }).connection
    const { attachListeners } = wire
    // Called with the socket, or the TLS stream around it, before the first message of the protocol arrives.
    wire.attachListeners = (stream) => {
      const others = stream.listeners('data')
      attachListeners.call(wire, stream)
      const parse = stream.listeners('data').find((listener) => !others.includes(listener)) as (chunk: Buffer) => void
      stream.off('data', parse)
      const opened = new RowGate(owner, parse)
      rows = opened
      // The listener also switches the stream to flowing mode.
      stream.on('data', (chunk: Buffer) => read(opened, chunk, false, stream as Socket))
    }
  }
  return { socket, gate }
}

/**
 * Passes a chunk to the gate. Bytes outside the protocol (the page of a proxy, a broken cable) make the parser throw, and an
 * error in a socket callback would end the process. Here the connection ends, and its statements fail with a connection error.
 */
function read(rows: RowGate, chunk: Buffer, lent: boolean, stream: Socket): void {
  try {
    rows.push(chunk, lent)
  } catch (error) {
    stream.destroy(error instanceof Error ? error : new Error(String(error)))
  }
}
