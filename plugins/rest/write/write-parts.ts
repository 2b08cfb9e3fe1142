import type { http } from '../../../core/doors/front.ts'
import type { HttpExchange, MaybePromise, Operation } from '../../../core/doors/plugin.ts'
import type { Once } from '../idempotency/once.ts'
import type { ReadParts, ReadSettings } from '../read/serve-rows.ts'
import type { RestResource, RestRoute } from '../routes/rest-route.ts'

/** Options of `[rest]` for routes that write. A write may return rows, so they include the options for reading. */
export interface WriteSettings extends ReadSettings {
  readonly delete_response: 'no_content' | 'entity'
  readonly max_bulk_affected: number
}

/** Dependencies of the handlers of REST routes that write. */
export interface WriteParts extends ReadParts {
  readonly options: WriteSettings
  /** Returns the URL scheme that the client used: `http` or `https`. */
  readonly schemeOf: (ctx: HttpExchange) => string
  /** Checks access to an operation and applies the caller's restrictions, as `scope.engine.authorize` does. */
  readonly authorize: (ctx: HttpExchange, operation: Operation) => MaybePromise<Operation>
  /** Runs a request with an `Idempotency-Key` only if no earlier request had the same key. */
  readonly once: Once
  /** Computes the `ETag` of a row; `null`: replies have none. */
  readonly tagger: http.EntityTagger | null
  /** Returns the route that reads a row of a resource by its id; `null`: there is none. */
  readonly rowRouteOf: (resource: RestResource) => RestRoute | null
  /** Returns the path of the REST route that reads the row with an id; `null`: there is none. */
  readonly pathOf: (route: RestRoute, id: string) => string | null
}
