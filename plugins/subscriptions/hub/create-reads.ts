import { type Exchange, type Reply, type Scope, SvcError } from '../../../core/doors/plugin.ts'
import type { HubParts } from './hub-parts.ts'
import { refuseNothing } from './refuse-nothing.ts'
import { Stale } from './stale.ts'

const NOTHING: Reply = { status: 204, headers: {}, body: null }

/**
 * Creates the functions that check access and read rows for subscribers. They run the same hooks as a request of the
 * subscriber.
 * @param counted called for each read
 */
export function createReads(
  scope: Pick<Scope, 'engine' | 'pipeline' | 'log' | 'process'>,
  counted: () => void,
): Pick<HubParts, 'accessKey' | 'isStale' | 'read' | 'failed'> {
  let told = 0
  return {
    async accessKey({ exchange, operation }) {
      const authorized = await scope.engine.authorize(exchange, operation)
      refuseNothing(authorized)
      return authorized.access?.key ?? ''
    },

    isStale: ({ exchange }) => exchange.generation !== scope.process.generation,

    async read(watch, events) {
      const { headers, address, auth, generation, context } = watch.exchange
      let failure: unknown = null
      let texts: readonly (string | null)[] | null = null
      const renderError = (_ctx: Exchange, error: unknown): Reply => {
        failure = error
        return NOTHING
      }
      counted()
      await scope.pipeline.enter({ transport: 'internal', headers, address, auth, renderError }, async (ctx) => {
        if (ctx.generation !== generation) throw new Stale()
        // The context values of the subscription request also hold for its events.
        ctx.context = context
        texts = await watch.read(
          ctx,
          events.map(({ event }) => event),
        )
        return NOTHING
      })
      if (texts === null) throw failure ?? new SvcError('SERVICE_UNAVAILABLE', 'The rows could not be read.')
      return texts
    },

    failed(error) {
      // During an outage every attempt fails. One warning per second suffices.
      if (error instanceof Stale || Date.now() - told < 1000) return
      told = Date.now()
      scope.log.warn({ error: String(error) }, 'rows for subscribers cannot be read; svc tries again after an outage')
    },
  }
}
