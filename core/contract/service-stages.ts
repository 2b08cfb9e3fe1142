import type { MaybePromise } from '../base/util/promise.ts'
import type { Auth, Exchange } from './exchange.ts'
import type { AnyExchange } from './http-exchange.ts'
import type { PublicError, PublicErrorSource } from './public-error.ts'
import type { Reply } from './reply.ts'

/** Stages of the service, which surround every exchange. */
export interface ServiceStages {
  /**
   * Kind around. Wraps every exchange, for all transports; for HTTP before the route is matched. A hook calls `next()` at most once, or
   * returns a reply of its own. A thrown error is rendered by the route or the front.
   */
  onRequest: { kind: 'around'; handler: (ctx: AnyExchange, next: () => MaybePromise<Reply>) => MaybePromise<Reply> }
  /**
   * Kind first. Runs once for each exchange, after the route is matched. A hook returns the caller, or `undefined` when the request has no
   * credential of its kind. A throw rejects an invalid credential and ends the search. Without any result the caller is anonymous.
   */
  authenticate: { kind: 'first'; handler: (ctx: Exchange) => MaybePromise<Auth | undefined> }
  /**
   * Kind waterfall, synchronous. Gets every error before clients see it, for all fronts, and returns the changed error; `undefined` keeps it.
   * `source` has the original error, which is logged already. When a hook throws, or returns a promise or no public error, the failure is
   * logged and clients see INTERNAL_SERVER_ERROR.
   */
  'error:public': {
    kind: 'waterfall'
    sync: true
    handler: (shown: PublicError, source: PublicErrorSource) => PublicError | undefined
  }
}
