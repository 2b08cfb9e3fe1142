import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Reply } from '../contract/reply.ts'
import type { HttpContext } from './http-context.ts'

/** What is left of an ended response below this lies in the buffers of socket and system, and is as good as sent. */
const AS_GOOD_AS_SENT = 65_536

/** For a stream whose time is up to say so, and for its client to take it. */
const LAST_WORD_MS = 5000

/** Is there nothing more to wait for? True of nearly every response as soon as it is written. */
export function isSent(response: ServerResponse): boolean {
  return response.destroyed || (response.writableEnded && response.writableLength < AS_GOOD_AS_SENT)
}

/**
 * The request stays in flight to the last byte of its body: its deadline and a client that goes away end a stream, or a
 * large answer that nobody takes, like they end a statement.
 */
export function untilSent(response: ServerResponse, { saysWhy }: Reply, ctx: HttpContext, end: () => void): void {
  let overdue: NodeJS.Timeout | undefined
  const cut = (): void => {
    // What was sent of it is no whole answer, and the broken connection is the one way to say so.
    if (saysWhy !== true || ctx.abortReason !== 'timeout') response.destroy()
    else overdue = setTimeout(() => response.destroy(), LAST_WORD_MS)
  }
  // The answer to a request that ended before has a connection to go to, but no time limit of its own any more.
  if (!ctx.aborted) ctx.addAbortListener(cut)
  let sent = false
  // Node says so of a connection that broke, too, and by `close` nobody can tell the two apart.
  response.once('finish', () => (sent = !response.req.socket.destroyed))
  response.once('close', () => {
    ctx.removeAbortListener(cut)
    clearTimeout(overdue)
    end()
    if (!sent) ctx.abort('client')
  })
}

/** Lets go of an answer that nobody gets: what a stream holds is freed by its end. */
export function dropReply(response: ServerResponse, { body }: Reply): void {
  if (body instanceof Readable) body.destroy()
  response.destroy()
}
