import { type HttpExchange, type Reply, SvcError } from '../../../core/doors/plugin.ts'
import { idOf, readMessage } from '../protocol/message.ts'
import { RPC, RpcError } from '../protocol/rpc-error.ts'
import { toRpcError } from '../protocol/to-rpc-error.ts'
import { hasBatches } from '../protocol/versions.ts'
import { writeError } from '../protocol/write-message.ts'
import { answerBatch } from './answer-batch.ts'
import { answerMessage } from './answer-message.ts'
import { checkOrigin } from './check-origin.ts'
import { openEra } from './era.ts'
import { type HttpParts, JSON_HEADERS } from './http-parts.ts'
import { readBody } from './read-body.ts'

/** Mounts the endpoint: POST for messages, GET to wait for changes, DELETE to end a session. */
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

/** @param value the message, if it was read */
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

/** Revisions before the newest wait for changes here; each stream is one client's. */
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
