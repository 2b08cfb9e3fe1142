import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Reply } from '../../contract/reply.ts'
import type { HttpContext } from './http-context.ts'

/** Bytes. An ended response with fewer unsent bytes counts as sent, because they fit into the buffers of the socket. */
const AS_GOOD_AS_SENT = 65_536

/** Time limit for sending the error of a stream that timed out. */
const LAST_WORD_MS = 5000

/**
 * Tests whether a response is complete and sent, or in the buffers of the socket. Most responses are sent by the write
 * itself.
 */
export function isSent(response: ServerResponse): boolean {
  return response.destroyed || (response.writableEnded && response.writableLength < AS_GOOD_AS_SENT)
}

/**
 * Keeps a request in flight until the last byte of its reply is sent. Meanwhile, its deadline, or the disconnection of
 * the client, ends a stream or large reply.
 * @param end called when the response is closed
 */
export function untilSent(response: ServerResponse, { saysWhy }: Reply, ctx: HttpContext, end: () => void): void {
  let overdue: NodeJS.Timeout | undefined
  const cut = (): void => {
    // The reply is incomplete, which only a closed connection can indicate.
    if (saysWhy !== true || ctx.abortReason !== 'timeout') response.destroy()
    else overdue = setTimeout(() => response.destroy(), LAST_WORD_MS)
  }
  // A request that was aborted earlier still gets its reply, but has no deadline any more.
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

/**
 * Closes the connection of a reply that cannot be sent. If the body is a stream, it is destroyed, which frees its
 * database cursor.
 */
export function dropReply(response: ServerResponse, { body }: Reply): void {
  if (body instanceof Readable) body.destroy()
  response.destroy()
}
