import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import type { Reply } from '../front/reply.ts'
import type { HttpContext } from './http-context.ts'

/** Name, value, name, value …: the form that Node writes without building a table of headers first. */
function toList(reply: Reply, ctx: HttpContext, closing: boolean): (string | number)[] {
  const list: (string | number)[] = []
  const { headers } = reply
  for (const name in headers) {
    const value = headers[name] as string | readonly string[]
    if (typeof value === 'string') list.push(name, value)
    else for (const each of value) list.push(name, each)
  }
  if (reply.status >= 400 || ctx.hasId) list.push('x-request-id', ctx.id)
  // What is left of an unread body would be taken for the next request.
  if (closing || !ctx.bodyConsumed) list.push('connection', 'close')
  return list
}

/** Writes a reply to the socket. `closing`: ask the client to open a new connection next time. */
export function writeReply(response: ServerResponse, reply: Reply, ctx: HttpContext, closing: boolean): void {
  const list = toList(reply, ctx, closing)
  const { body, status } = reply
  if (typeof body === 'string') {
    const bytes = Buffer.byteLength(body)
    list.push('content-length', bytes)
    response.writeHead(status, list as string[])
    if (ctx.method === 'HEAD') response.end()
    // As many bytes as characters means ASCII, which latin1 writes without an encoder (performance.md).
    else response.end(body, bytes === body.length ? 'latin1' : 'utf8')
  } else if (body === null) {
    if (status !== 204 && status !== 304) list.push('content-length', 0)
    response.writeHead(status, list as string[])
    response.end()
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
    // A stream that fails half-way cannot say so any more: the broken connection tells the client.
    pipeline(body, response, () => {})
  }
}
