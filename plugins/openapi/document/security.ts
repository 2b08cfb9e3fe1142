import { type DefaultPolicy, isOpenOperation, type OwnedCredential } from '../../../core/doors/front.ts'
import type { OperationModel } from '../../../core/doors/plugin.ts'
import type { Json } from './json.ts'

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

/** What the plugins of the list tell of the credentials that they take. */
export function readSecurity(
  policy: DefaultPolicy,
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
  // What stands in `Authorization` has a type of its own there, and may be declared in no other way.
  if (scheme !== 'key' && name.toLowerCase() === 'authorization')
    return { type: 'http', scheme, ...(plugin === 'jwt' ? { bearerFormat: 'JWT' } : {}), ...about }
  return { type: 'apiKey', in: place, name, ...about }
}

/** `security` of an operation: one of these is enough; `{}` is nobody. */
export function operationSecurity(operation: OperationModel, security: Security): readonly Json[] {
  const { schemes, keys, policy, requireAuth } = security
  const names = operation.apiKeyRequired ? keys : Object.keys(schemes)
  const open = !requireAuth && isOpenOperation(operation, policy)
  return [...(open ? [{}] : []), ...names.map((name) => ({ [name]: [] }))]
}
