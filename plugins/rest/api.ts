import type { Exchange, Generation, Operation, SchemaModel } from '../../core/doors/plugin.ts'
import type { RouteDescription } from './describe/route-description.ts'
import type { RestOptions } from './options.ts'
import type { RestStreamHandler } from './read/stream-request.ts'
import type { RestTable } from './routes/rest-route.ts'

export { describeRoutes } from './describe/describe-routes.ts'
export { ANSWER_HEADERS } from './describe/headers.ts'
export type * from './describe/route-description.ts'
export type { RestOptions } from './options.ts'
export type { RestStreamHandler, RestStreamRequest } from './read/stream-request.ts'
export { bracketOperators } from './request/field-filter.ts'
export type { RestMethod, RestResource, RestRoute, RestTable, RouteKind } from './routes/rest-route.ts'

/** A REST request to prepare or explain. */
export interface RestRequest {
  readonly method: string
  /** Path with the query string. */
  readonly path: string
  /** Request headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Body of the request; `null`: none. */
  readonly body: string | null
}

/** The functions of the REST front for plugins that depend on it. */
export interface RestApi {
  /** Path prefix of all routes: `rest.path`. */
  readonly path: string
  /** Returns the routes of a generation. */
  table(generation: Generation): RestTable
  /** Describes parameters, bodies and replies of all routes. */
  describe(schema: SchemaModel): readonly RouteDescription[]
  /** `true` if all routes require a credential. */
  readonly requireAuth: boolean
  /**
   * Reads a request in the same way as its route, without running it, to explain it.
   * @returns the first operation of the request
   * @throws SvcError the error that the route would send: NOT_FOUND, UNKNOWN_PARAMETER, …
   */
  prepare(ctx: Exchange, request: RestRequest): Promise<Operation>
  /**
   * Sets the handler of `GET {resource}/stream`, which replies with status 501 without one. Call it during set-up.
   * @throws SvcError SVC_PROVIDE_DUPLICATE when another plugin has set it
   */
  stream(handler: RestStreamHandler): void
}

// All plugins augment the module under this path: TypeScript ignores augmentations of one interface under a second path.
declare module '../../core/doors/plugin.ts' {
  interface Config {
    readonly rest?: RestOptions
  }
  interface Provided {
    rest: RestApi
  }
}
