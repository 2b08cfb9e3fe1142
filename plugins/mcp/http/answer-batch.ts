import type { HttpExchange, Reply } from '../../../core/doors/plugin.ts'
import { idOf, readMessage } from '../protocol/message.ts'
import { RPC, RpcError } from '../protocol/rpc-error.ts'
import { toRpcError } from '../protocol/to-rpc-error.ts'
import { writeError } from '../protocol/write-message.ts'
import { answerMessage } from './answer-message.ts'
import type { Era } from './era.ts'
import { type HttpParts, JSON_HEADERS } from './http-parts.ts'

/** One answer for all waits for the last of them. */
const MOST = 20
/** What would be told on the way stays untold: there is one reply for all. */
const ONE_REPLY = { streams: false }

/** A list of messages, as revision 2025-03-26 has it: one after another, one answer for all. @throws RpcError −32600 */
export async function answerBatch(
  parts: HttpParts,
  ctx: HttpExchange,
  values: readonly unknown[],
  era: Era,
): Promise<Reply> {
  if (values.length === 0 || values.length > MOST)
    throw new RpcError(RPC.invalidRequest, `A list has 1 to ${MOST} messages.`, { status: 400 })
  const answers: string[] = []
  for (const [index, value] of values.entries()) {
    const body = await answerOne(parts, ctx, value, era, index === 0)
    if (body !== null) answers.push(body)
  }
  if (answers.length === 0) return { status: 202, headers: {}, body: null }
  return { status: 200, headers: { ...JSON_HEADERS }, body: `[${answers.join(',')}]` }
}

/** @param isCounted limits of rates know of it: with the request that it came in */
async function answerOne(
  parts: HttpParts,
  ctx: HttpExchange,
  value: unknown,
  era: Era,
  isCounted: boolean,
): Promise<string | null> {
  try {
    if (!isCounted) await parts.count(ctx)
    const message = readMessage(value)
    // Its session would have no header of its own to stand in.
    if (message.kind === 'request' && message.method === 'initialize')
      throw new RpcError(RPC.invalidRequest, '`initialize` is no part of a list: send it alone.')
    const { body } = await answerMessage(parts, ctx, message, era, ONE_REPLY)
    return typeof body === 'string' ? body : null
  } catch (thrown) {
    return writeError(idOf(value), toRpcError(thrown, parts.scope.pipeline.toPublicError, ctx).error)
  }
}
