import type { Generation } from '../../core/index.ts'
import type { RestTable } from './routes/rest-route.ts'

export type { RestMethod, RestResource, RestRoute, RestTable, RouteKind } from './routes/rest-route.ts'

/** What the REST front gives to the plugins that depend on it. */
export interface RestApi {
  /** Where the routes begin: `rest.path`. */
  readonly path: string
  /** The routes of a generation, as they are mounted. */
  table(generation: Generation): RestTable
}

// Where everybody extends it: of two modules that extend one interface under two paths, TypeScript sees one.
declare module '../../core/index.ts' {
  interface Provided {
    rest: RestApi
  }
}
