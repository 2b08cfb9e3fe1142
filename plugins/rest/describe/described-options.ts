import type { RouteOptions } from '../routes/derive-routes.ts'
import type { WriteSettings } from '../write/write-parts.ts'

/** Options of `[rest]` that the descriptions of routes depend on. */
export interface DescribedOptions extends RouteOptions, WriteSettings {
  readonly etag: boolean
}
