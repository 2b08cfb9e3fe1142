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

/** A request, as somebody tells of it. */
export interface RestRequest {
  readonly method: string
  /** With the query string. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** `null` = none. */
  readonly body: string | null
}

/** What the REST front gives to the plugins that depend on it. */
export interface RestApi {
  /** Where the routes begin: `rest.path`. */
  readonly path: string
  /** The routes of a generation, as they are mounted. */
  table(generation: Generation): RestTable
  /** What each of them takes and gives. */
  describe(schema: SchemaModel): readonly RouteDescription[]
  /** Does every route want a credential? */
  readonly requireAuth: boolean
  /**
   * Reads a request as its route would, and runs nothing: for whoever explains it.
   * @returns the operation that it begins with
   * @throws SvcError as the request would be answered: NOT_FOUND, UNKNOWN_PARAMETER, …
   */
  prepare(ctx: Exchange, request: RestRequest): Promise<Operation>
  /**
   * Takes `GET {resource}/stream` over, which is answered by 501 until then. While plugins are set up; there is one.
   * @throws SvcError SVC_PROVIDE_DUPLICATE where somebody has it
   */
  stream(handler: RestStreamHandler): void
}

// Where everybody extends it: of two modules that extend one interface under two paths, TypeScript sees one.
declare module '../../core/doors/plugin.ts' {
  interface Config {
    readonly rest?: RestOptions
  }
  interface Provided {
    rest: RestApi
  }
}
