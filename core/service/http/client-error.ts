import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { SvcError } from '../../base/errors/svc-error.ts'
import type { ToPublicError } from '../../contract/public-error.ts'
import type { Reply } from '../../contract/reply.ts'
import { renderError } from './render-error.ts'

export const MAX_HEADER_BYTES = 32_768

/**
 * Handles the `clientError` event of Node's server: it answers a malformed or incomplete HTTP request with an error,
 * and closes the connection.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket, toPublicError: ToPublicError): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  socket.end(printReply(renderError(toPublicError(describe(error), null))))
}

function describe({ code }: NodeJS.ErrnoException): SvcError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new SvcError('REQUEST_ERROR', `The headers are larger than ${MAX_HEADER_BYTES} bytes.`, { status: 431 })
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new SvcError('REQUEST_TIMEOUT', 'The request did not arrive in time.')
  return new SvcError('REQUEST_ERROR', 'The request is not valid HTTP.')
}

/** Formats an error as a raw HTTP response, for connections without a response object. */
function printReply({ status, headers, body }: Reply): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`)
  const text = String(body)
  const id = `x-request-id: ${randomUUID()}\r\n`
  const length = `content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n`
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}${id}${length}\r\n${text}`
}
