import type { MaybePromise } from '../base/util/promise.ts'
import type { HttpExchange } from './http-exchange.ts'
import type { Reply } from './reply.ts'

/** An HTTP route. Every route runs inside the pipeline: onRequest, authenticate, handler. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path of the route in the syntax of find-my-way: `/users/:id`. */
  readonly path: string
  readonly handler: (ctx: HttpExchange) => MaybePromise<Reply>
  /**
   * Renders an error that is thrown on this route, before or inside its handler. Default: `{ "error": { code, message, details } }`.
   */
  readonly renderError?: (ctx: HttpExchange, error: unknown) => Reply
  /** `true`: `authenticate` does not run. For routes that reveal no data, such as health checks. */
  readonly anonymous?: boolean
  /**
   * Where requests from pages of other sites are rejected (CSRF). `own`: by the handler, which accepts no credentials that browsers send by
   * themselves, or checks the origin. `operation`: when the operation of the request is authorized, so that errors about a missing
   * credential or an invalid body come first. Default: before the handler runs.
   */
  readonly crossSite?: 'own' | 'operation'
  /** `true`: the route yields to a route of another plugin with the same method and path, instead of SVC_ROUTE_DUPLICATE. */
  readonly fallback?: boolean
  /** `true`: the handler also gets requests to any unknown path below `path`, with any method. `ctx.route` is `null` for them. */
  readonly unmatched?: boolean
}

/** A route, with the name of its plugin. */
export interface OwnedRoute extends Route {
  readonly plugin: string
}
