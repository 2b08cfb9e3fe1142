import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import type { Reply } from '../front/reply.ts'
import type { HttpContext } from './http-context.ts'

/** Writes a reply to the socket. `closing`: ask the client to open a new connection next time. */
export function writeReply(response: ServerResponse, reply: Reply, ctx: HttpContext, closing: boolean): void {
  const headers = reply.headers
  for (const name in headers) response.setHeader(name, headers[name] as string)
  if (reply.status >= 400 || ctx.hasId) response.setHeader('x-request-id', ctx.id)
  // What is left of an unread body would be taken for the next request.
  if (closing || !ctx.bodyConsumed) response.setHeader('connection', 'close')

  const { body, status } = reply
  response.statusCode = status
  if (body === null) {
    if (status !== 204 && status !== 304) response.setHeader('content-length', 0)
    response.end()
  } else if (typeof body === 'string') {
    const bytes = Buffer.byteLength(body)
    response.setHeader('content-length', bytes)
    if (ctx.method === 'HEAD') response.end()
    // As many bytes as characters means ASCII, which latin1 writes without an encoder (performance.md).
    else response.end(body, bytes === body.length ? 'latin1' : 'utf8')
  } else if (body instanceof Uint8Array) {
    response.setHeader('content-length', body.byteLength)
    if (ctx.method === 'HEAD') response.end()
    else response.end(body)
  } else if (ctx.method === 'HEAD') {
    body.destroy()
    response.end()
  } else {
    // A stream that fails half-way cannot say so any more: the broken connection tells the client.
    pipeline(body, response, () => {})
  }
}
