import type { Generation } from '../../core/index.ts'
import type { RestStreamHandler } from './read/stream-request.ts'
import type { RestTable } from './routes/rest-route.ts'

export type { RestStreamHandler, RestStreamRequest } from './read/stream-request.ts'
export type { RestMethod, RestResource, RestRoute, RestTable, RouteKind } from './routes/rest-route.ts'

/** What the REST front gives to the plugins that depend on it. */
export interface RestApi {
  /** Where the routes begin: `rest.path`. */
  readonly path: string
  /** The routes of a generation, as they are mounted. */
  table(generation: Generation): RestTable
  /**
   * Takes `GET {resource}/stream` over, which is answered by 501 until then. While plugins are set up; there is one.
   * @throws SvcError SVC_PROVIDE_DUPLICATE where somebody has it
   */
  stream(handler: RestStreamHandler): void
}

// Where everybody extends it: of two modules that extend one interface under two paths, TypeScript sees one.
declare module '../../core/index.ts' {
  interface Provided {
    rest: RestApi
  }
}
