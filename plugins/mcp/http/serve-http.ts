import { type HttpExchange, type Reply, readJson, SvcError } from '../../../core/doors/plugin.ts'
import { idOf, readMessage } from '../protocol/message.ts'
import { RPC, RpcError } from '../protocol/rpc-error.ts'
import { toRpcError } from '../protocol/to-rpc-error.ts'
import { hasBatches } from '../protocol/versions.ts'
import { writeError } from '../protocol/write-message.ts'
import { answerMessage } from './answer-message.ts'
import { checkOrigin } from './check-origin.ts'
import { type Era, openEra } from './era.ts'
import { type HttpParts, JSON_HEADERS } from './http-parts.ts'

/**
 * Adds the routes of the MCP endpoint: POST for messages, GET for an event stream of changes, DELETE to end a session.
 */
export function serveHttp(parts: HttpParts): void {
  const { scope, options, resource } = parts
  const { path } = options
  const handlers = { POST: post, GET: get, DELETE: end }
  for (const [method, handler] of Object.entries(handlers)) {
    scope.route({
      method: method as keyof typeof handlers,
      path,
      renderError: (ctx, error) => failed(parts, ctx, error, null),
      async handler(ctx) {
        checkOrigin(ctx, parts.origins)
        if (options.require_auth && ctx.auth === null) throw new SvcError('UNAUTHENTICATED', 'Authentication required')
        return handler(parts, ctx)
      },
    })
  }
  for (const route of resource?.routes ?? []) scope.route(route)
}

async function post(parts: HttpParts, ctx: HttpExchange): Promise<Reply> {
  const value = await readBody(ctx)
  try {
    const era = openEra(parts.sessions, ctx, value)
    if (!Array.isArray(value)) return await answerMessage(parts, ctx, readMessage(value), era)
    if (!hasBatches(era.version))
      throw new RpcError(RPC.invalidRequest, 'Lists of messages are not part of this revision.', { status: 400 })
    return await answerBatch(parts, ctx, value, era)
  } catch (error) {
    return failed(parts, ctx, error, value)
  }
}

/** Renders an error. @param value the message; `null` when it could not be read */
function failed({ scope, resource }: HttpParts, ctx: HttpExchange, thrown: unknown, value: unknown): Reply {
  const { error, status, headers } = toRpcError(thrown, scope.pipeline.toPublicError, ctx)
  const challenge = headers['www-authenticate']
  const where =
    challenge === undefined || resource === null
      ? {}
      : {
          'www-authenticate': `${challenge}${challenge === 'Bearer' ? ' ' : ', '}resource_metadata="${resource.urlFor(ctx)}"`,
        }
  return { status, headers: { ...JSON_HEADERS, ...headers, ...where }, body: writeError(idOf(value), error) }
}

/** Opens the stream of changes for clients of older revisions. */
async function get(parts: HttpParts, ctx: HttpExchange): Promise<Reply> {
  const { accept } = ctx.headers
  if (typeof accept !== 'string' || !/text\/event-stream|\*\/\*/.test(accept))
    throw new SvcError('NOT_ACCEPTABLE', 'GET opens a stream of events: Accept has to have text/event-stream.')
  const era = openEra(parts.sessions, ctx, null)
  if (era.isModern)
    throw new SvcError('METHOD_NOT_ALLOWED', 'This revision waits by `subscriptions/listen`.', {
      details: { allow: ['POST'] },
    })
  return parts.listeners.open(ctx, null, era.session)
}

async function end(parts: HttpParts, ctx: HttpExchange): Promise<Reply> {
  const { session } = openEra(parts.sessions, ctx, null)
  if (session === null)
    throw new RpcError(RPC.invalidRequest, 'DELETE ends a session: the header Mcp-Session-Id is missing.', {
      status: 400,
    })
  await parts.end(session)
  return { status: 204, headers: {}, body: null }
}

/** Maximum number of messages in a batch: its reply waits for the slowest of them. */
const MOST = 20
/** The messages of a batch share one reply, so that none of them can send notifications. */
const ONE_REPLY = { streams: false }

/** Answers a batch (revision 2025-03-26) message by message, in one reply. @throws RpcError −32600 */
async function answerBatch(parts: HttpParts, ctx: HttpExchange, values: readonly unknown[], era: Era): Promise<Reply> {
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

/** @param isCounted `true` if the rate limiter has counted the message already, with its HTTP request */
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
    // The reply has no header for the session of one message.
    if (message.kind === 'request' && message.method === 'initialize')
      throw new RpcError(RPC.invalidRequest, '`initialize` is no part of a list: send it alone.')
    const { body } = await answerMessage(parts, ctx, message, era, ONE_REPLY)
    return typeof body === 'string' ? body : null
  } catch (thrown) {
    return writeError(idOf(value), toRpcError(thrown, parts.scope.pipeline.toPublicError, ctx).error)
  }
}

/** @throws SvcError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE; RpcError −32700 */
async function readBody(ctx: HttpExchange): Promise<unknown> {
  try {
    return await readJson(ctx)
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'INVALID_JSON') throw error
    throw new RpcError(RPC.parse, error.message, { status: 400 })
  }
}
