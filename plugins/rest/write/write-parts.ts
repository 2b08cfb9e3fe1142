import type { ReadParts } from '../read/serve-rows.ts'
import type { RestRoute } from '../routes/rest-route.ts'

/** What writing takes from its surroundings. */
export interface WriteParts extends ReadParts {
  /** Is TLS ended here? */
  readonly isSecure: boolean
  /** Where the row of this id is read; `null`: nowhere. */
  readonly pathOf: (route: RestRoute, id: string) => string | null
}
