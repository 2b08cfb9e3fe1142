import { type DefaultPolicy, isOpenOperation, type OperationModel } from '../../../core/index.ts'
import type { Json } from './json.ts'

type Config = Readonly<Record<string, unknown>>

/** How callers say who they are, and what is open to those who do not. */
export interface Security {
  /** `components.securitySchemes`. */
  readonly schemes: Readonly<Record<string, Json>>
  /** Names of the schemes of API keys. */
  readonly keys: readonly string[]
  readonly policy: DefaultPolicy
  /** Nothing is open to who is anonymous. */
  readonly requireAuth: boolean
}

interface SecuritySection {
  readonly default_policy?: DefaultPolicy
  readonly jwt_secret?: string
  readonly jwks_uri?: string
  readonly jwt_issuer?: string
  readonly jwt_issuers?: readonly unknown[]
  readonly api_keys?: { readonly enabled?: boolean; readonly header?: string }
  readonly pkce?: { readonly enabled?: boolean }
}

/** The authenticators that the configuration turns on. A section of one that does not run does not boot. */
export function readSecurity(config: Config, requireAuth: boolean): Security {
  const section = (config.security ?? {}) as SecuritySection
  const { jwt_secret, jwks_uri, jwt_issuer, jwt_issuers = [], api_keys: keys, pkce } = section
  const hasTokens = [jwt_secret, jwks_uri, jwt_issuer, jwt_issuers[0]].some((one) => one !== undefined)
  return {
    schemes: {
      ...(hasTokens
        ? { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A token (JWT).' } }
        : {}),
      ...(keys?.enabled === true
        ? {
            apiKey: {
              type: 'apiKey',
              in: 'header',
              name: keys.header ?? 'X-API-Key',
              description: 'A key of a service.',
            },
          }
        : {}),
      ...(pkce?.enabled === true
        ? {
            cookie: {
              type: 'apiKey',
              in: 'cookie',
              name: '__Host-access_token',
              description: 'What a login by the provider sets, for pages of this service.',
            },
          }
        : {}),
    },
    keys: keys?.enabled === true ? ['apiKey'] : [],
    policy: section.default_policy ?? 'authenticated',
    requireAuth,
  }
}

/** `security` of an operation: one of these is enough; `{}` is nobody. */
export function operationSecurity(operation: OperationModel, security: Security): readonly Json[] {
  const { schemes, keys, policy, requireAuth } = security
  const names = operation.apiKeyRequired ? keys : Object.keys(schemes)
  const open = !requireAuth && isOpenOperation(operation, policy)
  return [...(open ? [{}] : []), ...names.map((name) => ({ [name]: [] }))]
}
