import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { closeText, openText, WrappedText } from '../../base/util/lent-text.ts'
import type { Reply } from '../../contract/reply.ts'
import type { Cacheability } from './cacheability.ts'
import { headerList } from './header-list.ts'
import type { HttpContext } from './http-context.ts'

/**
 * Writes the reply of a request to its connection: status, headers and body.
 * @param closing `true`: tell the client to open a new connection for its next request
 */
export function writeReply(
  response: ServerResponse,
  reply: Reply,
  ctx: HttpContext,
  cacheability: Cacheability,
  closing: boolean,
): void {
  const list = headerList(reply, ctx, cacheability)
  // The unread rest of a body would be parsed as the next request.
  if (closing || !ctx.bodyConsumed) list.push('connection', 'close')
  const { body, status } = reply
  if (typeof body === 'string') {
    const bytes = Buffer.byteLength(body)
    list.push('content-length', bytes)
    response.writeHead(status, list as string[])
    if (ctx.method === 'HEAD') response.end()
    // A text with as many bytes as UTF-16 units is ASCII. Node writes it faster as latin1 than as utf8.
    else sendText(response, body, bytes === body.length ? 'latin1' : 'utf8')
  } else if (body === null) {
    if (status !== 204 && status !== 304) list.push('content-length', 0)
    response.writeHead(status, list as string[])
    response.end()
  } else if (body instanceof WrappedText) {
    const { before, text, after } = body
    list.push('content-length', body.length)
    if (ctx.method === 'HEAD') {
      response.writeHead(status, list as string[])
      response.end()
      return
    }
    let bytes: Uint8Array
    try {
      bytes = openText(text)
    } catch (error) {
      // A plugin used one lent text for two requests without keeping a copy. This reply is lost, and the process continues.
      process.emitWarning(error as Error)
      response.destroy()
      return
    }
    response.writeHead(status, list as string[])
    response.write(before)
    response.write(bytes)
    // Node calls this after it handed all bytes to the system, or closed the socket. The memory can be used again.
    response.end(after, () => closeText(text))
  } else if (body instanceof Uint8Array) {
    list.push('content-length', body.byteLength)
    response.writeHead(status, list as string[])
    if (ctx.method === 'HEAD') response.end()
    else response.end(body)
  } else {
    response.writeHead(status, list as string[])
    if (ctx.method === 'HEAD') {
      body.destroy()
      response.end()
      return
    }
    // A stream that fails after the head is sent cannot report the error. The client sees a closed connection.
    pipeline(body, response, () => {})
  }
}

/**
 * Writes head and body in one plain write. `end(body)` would pass the end to the socket as a second, empty chunk, and two chunks need a
 * gathered write, which takes a microsecond longer.
 */
function sendText(response: ServerResponse, body: string, encoding: 'latin1' | 'utf8'): void {
  const { socket } = response
  // While an earlier reply on the same connection is unsent, the response has no socket.
  if (socket === null || body === '') {
    response.end(body, encoding)
    return
  }
  // Corked here, because Node would otherwise cork the socket until the end of this turn.
  socket.cork()
  response.write(body, encoding)
  socket.uncork()
  response.end()
}
