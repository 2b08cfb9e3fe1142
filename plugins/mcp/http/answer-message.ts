import type { HttpExchange, Reply } from '../../../core/doors/plugin.ts'
import { answer, inputSchemaOf, mayStream } from '../methods.ts'
import type { Client } from '../protocol/client.ts'
import { isObject, type Params, type RpcMessage, type RpcRequest } from '../protocol/message.ts'
import { toRpcError } from '../protocol/to-rpc-error.ts'
import { MODERN_VERSION, negotiate } from '../protocol/versions.ts'
import { writeError, writeNotification, writeResult } from '../protocol/write-message.ts'
import { checkHeaders, readMeta } from './check-headers.ts'
import { checkParameters } from './check-parameters.ts'
import type { Era } from './era.ts'
import { EventStream, streamReply } from './event-stream.ts'
import { type HttpParts, JSON_HEADERS } from './http-parts.ts'
import { withinTime } from './within-time.ts'

const ACCEPTED: Reply = { status: 202, headers: {}, body: null }
const NO_CAPABILITIES: Params = Object.freeze({})

/** How a message is answered. */
export interface AnswerForm {
  /** May the answer be a stream? */
  readonly streams: boolean
}

const ALONE: AnswerForm = { streams: true }

/** Answers one message. @throws RpcError, SvcError: the request as a whole is refused */
export async function answerMessage(
  parts: HttpParts,
  ctx: HttpExchange,
  message: RpcMessage,
  era: Era,
  form: AnswerForm = ALONE,
): Promise<Reply> {
  if (message.kind === 'response') return { ...ACCEPTED, headers: {} }
  if (message.kind === 'notification') {
    const { method, params } = message
    if (method === 'notifications/cancelled' && era.session !== null) parts.cancel(era.session, params.requestId)
    return { ...ACCEPTED, headers: {} }
  }
  if (era.isModern) {
    checkHeaders(ctx.headers, message)
    const schema = inputSchemaOf(parts.methods, message, ctx)
    if (schema !== null)
      checkParameters(ctx.headers, schema, isObject(message.params.arguments) ? message.params.arguments : {})
    const client = { exchange: ctx, version: MODERN_VERSION, capabilities: readMeta(message) }
    if (message.method === 'subscriptions/listen') return parts.listeners.open(ctx, message, null)
    return answerRequest(parts, ctx, message, client, null, form)
  }
  const client = { exchange: ctx, version: era.version, capabilities: NO_CAPABILITIES }
  if (message.method !== 'initialize') return answerRequest(parts, ctx, message, client, era.session, form)
  const session = parts.sessions.begin(negotiate(message.params.protocolVersion), ctx.auth)
  const reply = await answerRequest(parts, ctx, message, client, null, form)
  return { ...reply, headers: { ...reply.headers, 'mcp-session-id': session } }
}

async function answerRequest(
  parts: HttpParts,
  ctx: HttpExchange,
  message: RpcRequest,
  client: Omit<Client, 'notify'>,
  session: string | null,
  { streams }: AnswerForm,
): Promise<Reply> {
  const { methods, running } = parts
  const done = session === null ? null : running.start(session, message.id, () => ctx.abort('client'))
  if (!streams || !takesStream(ctx) || !mayStream(methods, message, ctx)) {
    try {
      const result = await answer(methods, message, { ...client, notify: null })
      return { status: 200, headers: { ...JSON_HEADERS }, body: writeResult(message.id, result) }
    } finally {
      done?.()
    }
  }
  const stream = new EventStream(done ?? undefined)
  const notify = (method: string, params: unknown): void => stream.say(writeNotification(method, params))
  // Its answer is the stream's last message, whatever it is: the reply has begun.
  void withinTime(ctx, () => answer(methods, message, { ...client, notify }))
    .then((result) => writeResult(message.id, result))
    .catch((thrown: unknown) => writeError(message.id, toRpcError(thrown, methods.toPublicError, ctx).error))
    .then((last) => stream.finish(last))
  return streamReply(stream)
}

function takesStream({ headers: { accept } }: HttpExchange): boolean {
  return typeof accept === 'string' && accept.includes('text/event-stream')
}
