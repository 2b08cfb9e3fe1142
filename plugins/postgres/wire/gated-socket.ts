import { type OnReadOpts, Socket } from 'node:net'
import type pg from 'pg'
import { RowGate, type RowOwner } from './row-gate.ts'

const READ_BYTES = 1 << 16

/** The part of a client that reads; not in the types of `pg`. */
interface Wire {
  attachListeners(stream: NodeJS.ReadableStream): void
}

/**
 * A socket for a client, and what puts a gate behind it before the client connects. A socket that nobody wraps reads
 * into the same memory again and again, where it would else take new memory for each read.
 * @param plain no TLS stream will be put around it
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
  // Read by the constructor, because `connect` makes the socket with its options; the types know it there only.
  const options: object = plain ? { onread: reading() } : {}
  const socket = new Socket(options)
  function gate(client: pg.Client): void {
    const wire = (client as unknown as { readonly connection: Wire }).connection
    const { attachListeners } = wire
    // Called with the socket, or with the TLS stream around it, when the first message of the protocol is to come.
    wire.attachListeners = (stream) => {
      const others = stream.listeners('data')
      attachListeners.call(wire, stream)
      const parse = stream.listeners('data').find((listener) => !others.includes(listener)) as (chunk: Buffer) => void
      stream.off('data', parse)
      const opened = new RowGate(owner, parse)
      rows = opened
      // It is also what lets the stream flow.
      stream.on('data', (chunk: Buffer) => read(opened, chunk, false, stream as Socket))
    }
  }
  return { socket, gate }
}

/**
 * Bytes that are not of the protocol (a proxy's page, a broken cable) make the parser throw, and the socket that calls has no
 * place for the error: it would end the process. The connection ends instead, and its statements fail as on a lost one.
 */
function read(rows: RowGate, chunk: Buffer, lent: boolean, stream: Socket): void {
  try {
    rows.push(chunk, lent)
  } catch (error) {
    stream.destroy(error instanceof Error ? error : new Error(String(error)))
  }
}
