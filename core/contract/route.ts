import type { MaybePromise } from '../base/util/promise.ts'
import type { HttpExchange } from './http-exchange.ts'
import type { Reply } from './reply.ts'

/** An HTTP route of a plugin. The hooks of `onRequest` and `authenticate` run before its handler. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path of the route, with parameters in the syntax of find-my-way: `/users/:id`. */
  readonly path: string
  readonly handler: (ctx: HttpExchange) => MaybePromise<Reply>
  /**
   * Converts an error that is thrown before or in the handler to the response. Default: a response with the body
   * `{ "error": { code, message, details } }`.
   */
  readonly renderError?: (ctx: HttpExchange, error: unknown) => Reply
  /** `true`: the hooks of `authenticate` do not run. For routes that reveal no data, such as health checks. */
  readonly anonymous?: boolean
  /**
   * When requests from pages of other sites are rejected (CSRF). Default: before the handler runs. `own`: the handler
   * does it itself, or accepts no credential that browsers send by themselves. `operation`: when the request's
   * operation is authorized, so that errors about a missing credential or an invalid body come first.
   */
  readonly crossSite?: 'own' | 'operation'
  /**
   * `true`: a route of another plugin with the same method and path replaces this one. Otherwise such a duplicate is
   * the error SVC_ROUTE_DUPLICATE.
   */
  readonly fallback?: boolean
  /**
   * `true`: the handler also gets requests to paths below `path` that match no route, with any method. `ctx.route` is
   * then `null`.
   */
  readonly unmatched?: boolean
}

/** A route that a plugin mounted, with the plugin's name. */
export interface OwnedRoute extends Route {
  readonly plugin: string
}
