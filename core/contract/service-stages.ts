import type { MaybePromise } from '../base/util/promise.ts'
import type { Auth, Exchange } from './exchange.ts'
import type { AnyExchange } from './http-exchange.ts'
import type { PublicError, PublicErrorSource } from './public-error.ts'
import type { Reply } from './reply.ts'

/** The points at which hooks run around each request, with the kinds and types of their handlers. */
export interface ServiceStages {
  /**
   * Wraps every request, over any transport (kind `around`), before the caller is identified. A hook calls `next()` at
   * most once and may change the reply, or returns a reply of its own. A thrown error becomes the error response of the
   * route.
   */
  onRequest: { kind: 'around'; handler: (ctx: AnyExchange, next: () => MaybePromise<Reply>) => MaybePromise<Reply> }
  /**
   * Identifies the caller, once per request, after the route is matched. A hook returns the caller, or `undefined` if
   * the request has no credential of its kind; the first result counts (kind `first`). A throw rejects an invalid
   * credential. Without any result the caller is anonymous.
   */
  authenticate: { kind: 'first'; handler: (ctx: Exchange) => MaybePromise<Auth | undefined> }
  /**
   * Changes an error before clients see it, for all protocols. Hooks run one after the other, each with the result of
   * the previous one (kind `waterfall`); `undefined` keeps the error. They are synchronous. `source` has the original
   * error, which is already logged. If a hook throws, or returns anything else, that is logged and clients see
   * INTERNAL_SERVER_ERROR.
   */
  'error:public': {
    kind: 'waterfall'
    sync: true
    handler: (shown: PublicError, source: PublicErrorSource) => PublicError | undefined
  }
}
