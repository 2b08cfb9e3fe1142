import type { OwnedCredential } from '../../core/doors/front.ts'
import type { Config } from '../../core/doors/plugin.ts'
import type {} from '../rate-limiting/api.ts'
import type { RouteDescription } from '../rest/api.ts'
import type { DocumentSource } from './document/build-document.ts'
import { readSecurity } from './document/security.ts'
import type { OpenApiOptions } from './options.ts'

interface RestFacts {
  readonly path: string
  readonly requireAuth: boolean
}

/**
 * Collects the input of the OpenAPI document from the REST routes and the configuration.
 * @param credentials credentials that the plugins accept
 */
export function describeService(
  routes: readonly RouteDescription[],
  { path, requireAuth }: RestFacts,
  { title, api_version: version }: OpenApiOptions,
  { security }: Pick<Config, 'security'>,
  credentials: readonly OwnedCredential[],
): DocumentSource {
  return {
    routes,
    path,
    title,
    version,
    security: readSecurity(security.default_policy, credentials, requireAuth),
    rateLimited: security.rate_limiting?.enabled === true,
  }
}
