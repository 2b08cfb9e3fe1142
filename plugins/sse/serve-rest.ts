import type { ChangeEvent } from '../../core/doors/front.ts'
import { type Exchange, type Operation, type Reply, type Scope, SvcError } from '../../core/doors/plugin.ts'
import type { RestStreamHandler, RestStreamRequest } from '../rest/api.ts'
import type { Subscriptions } from '../subscriptions/api.ts'
import { EventBody, oneLine, streamReply } from './event-body.ts'
import type { SseOptions } from './options.ts'

/** Example ids: one of them is valid for the id of any resource. */
const SAMPLES = ['1', '00000000-0000-4000-8000-000000000000']
const PING = 'event: ping\ndata: \n\n'

/**
 * Creates the handler of `GET {path}/{resource}/stream` (docs/plugins/sse.md#changes-of-resources). It reads each
 * changed row with the access rules and filters of the list query.
 */
export function serveRest(
  scope: Pick<Scope, 'engine' | 'pipeline'>,
  options: SseOptions,
  subscriptions: Subscriptions,
): RestStreamHandler {
  async function read(
    request: RestStreamRequest,
    exchange: Exchange,
    events: readonly ChangeEvent[],
  ): Promise<readonly (string | null)[]> {
    const texts: (string | null)[] = []
    for (const event of events) texts.push(await readOne(request, exchange, event))
    return texts
  }

  async function readOne(request: RestStreamRequest, exchange: Exchange, event: ChangeEvent): Promise<string | null> {
    const { entityId, kind } = event
    const operation = entityId === null ? null : request.rowOperation(entityId)
    if (operation === null) return null
    try {
      if (kind === 'DELETE') return await readGone(request, exchange, event, operation)
      return request.rowOf(operation, await scope.engine.run(exchange, operation))
    } catch (error) {
      if (isOutage(error)) throw error
      scope.pipeline.toPublicError(error, exchange)
      return null
    }
  }

  /**
   * Reads a deleted row from the event, under the rules that the database checks. If it cannot be shown (a function does not return it,
   * or a page by cursor), callers to whom no rule about rows applies get its id. Row-level security cannot check a deleted row.
   */
  async function readGone(
    request: RestStreamRequest,
    exchange: Exchange,
    { entityId, before }: ChangeEvent,
    operation: Operation,
  ): Promise<string | null> {
    const { access } = await scope.engine.authorize(exchange, operation)
    if (access !== undefined && access.settings.length > 0) return null
    if (before !== null && !request.query.relay) {
      const changed = { type: request.type.name, ids: [entityId!], documents: [before] }
      const gone = { ...operation, changed }
      const text = request.rowOf(gone, await scope.engine.run(exchange, gone))
      if (text !== null && text !== 'null') return text
    }
    const { type, query } = request
    const isRuled = [type, query].some((one) => one.inject.length > 0 || one.rowFilter !== undefined)
    return isRuled || (access?.conditions.size ?? 0) > 0 ? null : JSON.stringify({ entity_id: entityId })
  }

  /** Refuses a caller without a claim that the rules need, who would otherwise get no events. @throws SvcError */
  async function refuseUnreadable(exchange: Exchange, samples: readonly Operation[]): Promise<void> {
    for (const operation of samples) {
      try {
        await scope.engine.explain(exchange, operation)
        return
      } catch (error) {
        // Other errors are ignored: a sample may not fit the type of the id column.
        if (error instanceof SvcError && (error.status === 401 || error.status === 403)) throw error
      }
    }
  }

  return async (request): Promise<Reply> => {
    const { exchange, type, route } = request
    const samples = SAMPLES.map((id) => request.rowOperation(id)).filter((one) => one !== null)
    const [operation] = samples
    if (operation === undefined) throw new SvcError('NOT_IMPLEMENTED', 'Rows of this resource have no id.')
    const body = new EventBody({
      maxBufferedBytes: options.max_buffered_bytes,
      heartbeatMs: options.heartbeat_secs * 1000,
      heartbeat: PING,
      write: ({ event, text }) => `event: ${event.kind.toLowerCase()}\nid: ${event.id}\ndata: ${oneLine(text)}\n\n`,
      // A client that is disconnected resumes with the id of its last event.
      failure: () => '',
    })
    const follow = (lastEventId: string | null) =>
      subscriptions.follow(
        {
          exchange,
          type,
          operation,
          lastEventId,
          key: `${route.method} ${route.path}`,
          read: (reader, events) => read(request, reader, events),
        },
        body,
      )
    await refuseUnreadable(exchange, samples)
    exchange.liftDeadline()
    try {
      const subscriber = await follow(request.lastEventId).catch((error: unknown) => {
        // The client's last event is unknown, so that the stream starts with new events and reports the gap.
        if (!(error instanceof SvcError) || error.code !== 'EVENTS_LOST') throw error
        body.say(': events were lost; read the list again\n\n')
        return follow(null)
      })
      body.serve(subscriber)
    } catch (error) {
      body.destroy()
      throw error
    }
    const { headers, address, auth } = exchange
    body.whenOver(subscriptions.watch({ transport: 'internal', headers, address, auth }, () => body.away()))
    body.whenOver(subscriptions.onDrain(() => body.finish()))
    body.say(PING)
    return streamReply(body)
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof SvcError && (error.code === 'SERVICE_UNAVAILABLE' || error.code === 'TIMEOUT')
}
