import type { HttpExchange, Reply } from '../../../core/index.ts'
import { idOf } from '../protocol/message.ts'
import { RPC, RpcError } from '../protocol/rpc-error.ts'
import { toRpcError } from '../protocol/to-rpc-error.ts'
import { writeError } from '../protocol/write-message.ts'
import { answerMessage } from './answer-message.ts'
import type { Era } from './era.ts'
import { type HttpParts, JSON_HEADERS } from './http-parts.ts'

/** More would be a way around limits of requests. */
const MOST = 20

/** A list of messages, as revision 2025-03-26 has it: one after another, one answer for all. @throws RpcError −32600 */
export async function answerBatch(
  parts: HttpParts,
  ctx: HttpExchange,
  values: readonly unknown[],
  era: Era,
): Promise<Reply> {
  if (values.length === 0 || values.length > MOST)
    throw new RpcError(RPC.invalidRequest, `A list has 1 to ${MOST} messages.`, { status: 400 })
  // What is told on the way stays untold: there is one reply.
  const plain = { ...parts, methods: parts.methods }
  const answers: string[] = []
  for (const value of values) {
    const body = await answerOne(plain, ctx, value, era)
    if (body !== null) answers.push(body)
  }
  if (answers.length === 0) return { status: 202, headers: {}, body: null }
  return { status: 200, headers: { ...JSON_HEADERS }, body: `[${answers.join(',')}]` }
}

async function answerOne(parts: HttpParts, ctx: HttpExchange, value: unknown, era: Era): Promise<string | null> {
  try {
    const { body } = await answerMessage(parts, ctx, value, era)
    return typeof body === 'string' ? body : null
  } catch (thrown) {
    return writeError(idOf(value), toRpcError(thrown, parts.scope.toPublicError, ctx).error)
  }
}
