import type { RouteOptions } from '../routes/derive-routes.ts'
import type { WriteSettings } from '../write/write-parts.ts'

/** Options that the description of a route shows. */
export interface DescribedOptions extends RouteOptions, WriteSettings {
  readonly etag: boolean
}
