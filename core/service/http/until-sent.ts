import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Reply } from '../../contract/reply.ts'
import type { HttpContext } from './http-context.ts'

/** In bytes. An ended response with fewer bytes left to write counts as sent: they fit into the buffers of the socket. */
const AS_GOOD_AS_SENT = 65_536

/** How long a stream that timed out has to send its error, and its client to read it. */
const LAST_WORD_MS = 5000

/** Has the response been sent completely? Nearly every response has as soon as it is written. */
export function isSent(response: ServerResponse): boolean {
  return response.destroyed || (response.writableEnded && response.writableLength < AS_GOOD_AS_SENT)
}

/**
 * Keeps the request in flight until the last byte of its reply is sent. Until then its deadline, and a client that
 * disconnects, end a stream or a large reply in the same way as they end a database statement.
 * @param end called when the response is closed
 */
export function untilSent(response: ServerResponse, { saysWhy }: Reply, ctx: HttpContext, end: () => void): void {
  let overdue: NodeJS.Timeout | undefined
  const cut = (): void => {
    // The reply is incomplete, and a broken connection is the only way to show that.
    if (saysWhy !== true || ctx.abortReason !== 'timeout') response.destroy()
    else overdue = setTimeout(() => response.destroy(), LAST_WORD_MS)
  }
  // A request that was aborted before still gets its reply, but has no deadline of its own any more.
  if (!ctx.aborted) ctx.addAbortListener(cut)
  let sent = false
  // Node emits `finish` for broken connections too, and the `close` event does not show which of the two happened.
  response.once('finish', () => (sent = !response.req.socket.destroyed))
  response.once('close', () => {
    ctx.removeAbortListener(cut)
    clearTimeout(overdue)
    end()
    if (!sent) ctx.abort('client')
  })
}

/** Drops a reply that cannot be sent. A stream is destroyed, which frees its cursor. */
export function dropReply(response: ServerResponse, { body }: Reply): void {
  if (body instanceof Readable) body.destroy()
  response.destroy()
}
