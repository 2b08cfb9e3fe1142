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

/** A REST request as data, for example to explain it without running it. */
export interface RestRequest {
  readonly method: string
  /** Path of the URL with the query string. */
  readonly path: string
  /** Request headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Request body as text; `null`: none. */
  readonly body: string | null
}

/** API of the rest plugin for plugins that depend on it. */
export interface RestApi {
  /** Path prefix of all REST routes (`rest.path`). */
  readonly path: string
  /** Returns the REST routes of a loaded schema. */
  table(generation: Generation): RestTable
  /** Describes parameters, bodies and replies of the REST routes of a schema, for an OpenAPI document. */
  describe(schema: SchemaModel): readonly RouteDescription[]
  /** `true` if all REST routes require a credential. */
  readonly requireAuth: boolean
  /**
   * Reads a request as its route does, without running it, for example to explain it.
   * @returns the first operation that the route would run
   * @throws SvcError the error that the route would send, such as NOT_FOUND or UNKNOWN_PARAMETER
   */
  prepare(ctx: Exchange, request: RestRequest): Promise<Operation>
  /**
   * Sets the handler of the routes `GET {resource}/stream`, which send changes. Without a handler they reply with
   * status 501. Call it during set-up.
   * @throws SvcError SVC_PROVIDE_DUPLICATE when another plugin has set one
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
