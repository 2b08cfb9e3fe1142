import type { EntityTagger } from '../../../core/doors/front.ts'
import type { HttpExchange, MaybePromise, Operation } from '../../../core/doors/plugin.ts'
import type { Once } from '../idempotency/once.ts'
import type { ReadParts } from '../read/serve-rows.ts'
import type { RestResource, RestRoute } from '../routes/rest-route.ts'

/** What writing takes from its surroundings. */
export interface WriteParts extends ReadParts {
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
