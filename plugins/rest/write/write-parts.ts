import type { http } from '../../../core/doors/front.ts'
import type { HttpExchange, MaybePromise, Operation } from '../../../core/doors/plugin.ts'
import type { Once } from '../idempotency/once.ts'
import type { ReadParts, ReadSettings } from '../read/serve-rows.ts'
import type { RestResource, RestRoute } from '../routes/rest-route.ts'

/** Options of writing. A write may return rows, so that it has the options of reading too. */
export interface WriteSettings extends ReadSettings {
  readonly delete_response: 'no_content' | 'entity'
  readonly max_bulk_affected: number
}

/** Dependencies of the handlers that write rows. */
export interface WriteParts extends ReadParts {
  readonly options: WriteSettings
  /** Returns the scheme of the URL that the client uses: `http` or `https`. */
  readonly schemeOf: (ctx: HttpExchange) => string
  /** Authorizes an operation, as `scope.engine.authorize` does. */
  readonly authorize: (ctx: HttpExchange, operation: Operation) => MaybePromise<Operation>
  /** Runs each request with an idempotency key at most once. */
  readonly once: Once
  /** Computes the `ETag` of a row; `null`: replies have none. */
  readonly tagger: http.EntityTagger | null
  /** Returns the route that reads a row of a resource by its id; `null`: there is none. */
  readonly rowRouteOf: (resource: RestResource) => RestRoute | null
  /** Returns the path of the row with this id; `null`: the route has none. */
  readonly pathOf: (route: RestRoute, id: string) => string | null
}
