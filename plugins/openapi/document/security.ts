import { isOpenOperation, type OwnedCredential } from '../../../core/doors/front.ts'
import type { OperationModel, SecuritySection } from '../../../core/doors/plugin.ts'
import type { Json } from './json.ts'

/** Security schemes for the OpenAPI document, and whether anonymous requests are allowed. */
export interface Security {
  /** Security schemes of the OpenAPI document (`components.securitySchemes`). */
  readonly schemes: Readonly<Record<string, Json>>
  /** Names of the schemes that authenticate by API key. */
  readonly keys: readonly string[]
  readonly policy: SecuritySection['default_policy']
  /** `true` if all operations require a credential. */
  readonly requireAuth: boolean
}

/**
 * Converts the credentials that plugins accept to OpenAPI security schemes.
 * @param policy access to operations without access rules (`security.default_policy`)
 * @param requireAuth `true` if all operations require a credential
 */
export function readSecurity(
  policy: SecuritySection['default_policy'],
  credentials: readonly OwnedCredential[],
  requireAuth: boolean,
): Security {
  return {
    schemes: Object.fromEntries(credentials.map((credential) => [credential.id, schemeOf(credential)])),
    keys: credentials.filter(({ plugin }) => plugin === 'api-keys').map(({ id }) => id),
    policy,
    requireAuth,
  }
}

function schemeOf({ plugin, in: place, name, scheme, description }: OwnedCredential): Json {
  const about = description === undefined ? {} : { description }
  // OpenAPI requires the type `http` for credentials in `Authorization`.
  if (scheme !== 'key' && name.toLowerCase() === 'authorization')
    return { type: 'http', scheme, ...(plugin === 'jwt' ? { bearerFormat: 'JWT' } : {}), ...about }
  return { type: 'apiKey', in: place, name, ...about }
}

/** Returns the member `security` of an OpenAPI operation: alternatives, where `{}` means anonymous access. */
export function operationSecurity(operation: OperationModel, security: Security): readonly Json[] {
  const { schemes, keys, policy, requireAuth } = security
  const names = operation.apiKeyRequired ? keys : Object.keys(schemes)
  const open = !requireAuth && isOpenOperation(operation, policy)
  return [...(open ? [{}] : []), ...names.map((name) => ({ [name]: [] }))]
}
