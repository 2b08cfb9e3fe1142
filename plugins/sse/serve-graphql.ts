import { randomUUID } from 'node:crypto'
import { changes } from '../../core/doors/front.ts'
import { type HttpExchange, type Operation, type Reply, type Scope, SvcError } from '../../core/doors/plugin.ts'
import type { GraphQLApi, GraphQLRequest } from '../graphql/api.ts'
import type { Subscriptions } from '../subscriptions/api.ts'
import { EventBody, oneLine, streamReply } from './event-body.ts'
import type { SseOptions } from './options.ts'

const COMPLETE = 'event: complete\ndata: \n\n'

/**
 * Creates the handler of GraphQL over server-sent events (graphql-sse, distinct connections). Each request has its own
 * stream, with an event `next` per response and a final `complete`. An early error is sent as a response too.
 */
export function serveGraphQL(
  scope: Pick<Scope, 'engine'>,
  options: SseOptions,
  graphql: GraphQLApi,
  subscriptions: Subscriptions,
): (ctx: HttpExchange) => Promise<Reply> {
  return async (ctx) => {
    const errorsOf = (error: unknown): string =>
      `event: next\ndata: ${JSON.stringify({ errors: graphql.renderErrors(ctx, error) })}\n\n${COMPLETE}`
    let isReplayed = false
    const body = new EventBody({
      maxBufferedBytes: options.max_buffered_bytes,
      heartbeatMs: options.heartbeat_secs * 1000,
      heartbeat: ':\n\n',
      write({ event, text }) {
        const id = isReplayed && event.position !== changes.UNORDERED ? `id: ${event.id}\n` : ''
        return `event: next\n${id}data: ${oneLine(text)}\n\n`
      },
      failure: errorsOf,
    })
    ctx.liftDeadline()
    try {
      const given = await graphql.readHttpRequest(ctx)
      const operation = await graphql.prepare(ctx, given)
      if (operation.template.kind !== 'subscription') {
        body.finish(`event: next\ndata: ${await answer(ctx, operation)}\n\n${COMPLETE}`)
        return streamReply(body)
      }
      isReplayed = replays(operation)
      const request = isReplayed ? withLastEvent(ctx, given) : given
      const connection = randomUUID()
      body.whenOver(await subscriptions.connected(connection, null))
      const session = { transport: 'internal', headers: ctx.headers, address: ctx.address, auth: ctx.auth } as const
      // Ends without a last event, so that the client connects again with a new token.
      body.whenOver(subscriptions.watch(session, () => body.away()))
      // A client that reconnects sends the id of its last event.
      body.whenOver(subscriptions.onDrain(() => body.finish()))
      body.serve(await subscriptions.subscribe(ctx, request, operation, body, connection))
      body.say(':\n\n')
    } catch (error) {
      body.finish(errorsOf(error))
    }
    return streamReply(body)
  }

  async function answer(ctx: HttpExchange, operation: Operation): Promise<string> {
    if (ctx.method !== 'POST' && operation.template.kind === 'mutation') {
      throw new SvcError('METHOD_NOT_ALLOWED', 'Mutations are not allowed over GET: use POST.')
    }
    const { data, errors } = await scope.engine.run(ctx, operation)
    if (errors === null || errors.length === 0) return oneLine(`{"data":${data ?? 'null'}}`)
    const shown = errors.flatMap((error) => graphql.renderErrors(ctx, error))
    return oneLine(`{"errors":${JSON.stringify(shown)},"data":${data ?? 'null'}}`)
  }
}

function replays({ template: { roots } }: Operation): boolean {
  const [root] = roots
  return root?.kind === 'operation' && root.operation.kind === 'subscription' && root.operation.replay
}

/** Adds the id of the last event, which a browser that reconnects sends in a header. */
function withLastEvent(ctx: HttpExchange, request: GraphQLRequest): GraphQLRequest {
  const lastEventId = ctx.headers['last-event-id']
  if (typeof lastEventId !== 'string' || lastEventId === '' || request.extensions?.lastEventId !== undefined)
    return request
  return { ...request, extensions: { ...request.extensions, lastEventId } }
}
