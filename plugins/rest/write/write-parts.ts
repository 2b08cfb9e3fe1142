import type { EntityTagger } from '../../../core/doors/front.ts'
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
  /** `http` or `https`, as the client has it. */
  readonly schemeOf: (ctx: HttpExchange) => string
  /** As `scope.engine.authorize`. */
  readonly authorize: (ctx: HttpExchange, operation: Operation) => MaybePromise<Operation>
  /** Does what a client repeats once. */
  readonly once: Once
  /** `null`: rows have no tags. */
  readonly tagger: EntityTagger | null
  /** The route that reads one row of a resource by its id; `null`: none does. */
  readonly rowRouteOf: (resource: RestResource) => RestRoute | null
  /** Where the row of this id is read; `null`: nowhere. */
  readonly pathOf: (route: RestRoute, id: string) => string | null
}
