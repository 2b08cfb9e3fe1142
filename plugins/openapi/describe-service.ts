import type { OwnedCredential } from '../../core/doors/front.ts'
import type { RouteDescription } from '../rest/api.ts'
import type { DocumentSource } from './document/build-document.ts'
import { readSecurity } from './document/security.ts'
import type { OpenApiOptions } from './options.ts'

interface RestFacts {
  readonly path: string
  readonly requireAuth: boolean
}

/** What the document of a service is about, as its configuration says it. */
export function describeService(
  routes: readonly RouteDescription[],
  { path, requireAuth }: RestFacts,
  { title, api_version: version }: OpenApiOptions,
  config: Readonly<Record<string, unknown>>,
  credentials: readonly OwnedCredential[],
): DocumentSource {
  const { rate_limiting: limits } = (config.security ?? {}) as {
    readonly rate_limiting?: { readonly enabled?: boolean }
  }
  return {
    routes,
    path,
    title,
    version,
    security: readSecurity(config, credentials, requireAuth),
    rateLimited: limits?.enabled === true,
  }
}
