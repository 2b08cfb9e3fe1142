import { type Auth, coversScope, type RootGuard, SvcError, type SvcErrorOptions } from '../../core/doors/plugin.ts'

/** A requirement for a caller: an API key, scopes or a role. */
export interface Need {
  /** Text that is equal for equal requirements. */
  readonly key: string
  /** Tests whether a caller meets the requirement. Missing scopes or roles count as an empty list. */
  isMetBy(auth: Auth): boolean
  /**
   * Creates the error for a requirement that is not met.
   * @param known the caller has a credential: FORBIDDEN instead of UNAUTHENTICATED
   */
  error(known: boolean, options?: SvcErrorOptions): SvcError
}

/** An operation, a type or a field with requirements. */
export type Guarded = Partial<Pick<RootGuard, 'requiresScope' | 'requiresRole' | 'apiKeyRequired'>>

/** Returns the requirements in the order in which they are checked: API key, scope, role. */
export function needsOf({ apiKeyRequired, requiresScope, requiresRole = [] }: Guarded): readonly Need[] {
  return [
    ...(apiKeyRequired === true ? [API_KEY] : []),
    ...(requiresScope === undefined ? [] : [scopeNeed(requiresScope)]),
    ...(requiresRole.length === 0 ? [] : [roleNeed(requiresRole)]),
  ]
}

/** Value of `auth.method` for API keys: the name of the plugin that verifies them. */
const API_KEYS = 'api-keys'

const API_KEY: Need = {
  key: 'api-key',
  isMetBy: ({ method }) => method === API_KEYS,
  error: (known, options) => refusal(known, 'an API key is required', options),
}

function scopeNeed(required: string): Need {
  const scopes = splitScopes(required)
  return {
    key: `scope ${scopes.join(' ')}`,
    // A requirement without any scope denies, instead of allowing every caller.
    isMetBy: ({ scopes: granted }) =>
      scopes.length > 0 && scopes.every((scope) => (granted ?? []).some((one) => coversScope(one, scope))),
    error: (known, options) =>
      refusal(known, `missing scope ${scopes.join(' ')}`, { ...options, details: { requiredScopes: scopes } }),
  }
}

function roleNeed(required: readonly string[]): Need {
  const [only, ...others] = required
  const missing = others.length === 0 ? `missing role ${only}` : `missing role: one of ${required.join(', ')}`
  return {
    key: `role ${JSON.stringify([...required].sort())}`,
    isMetBy: ({ roles }) => (roles ?? []).some((role) => required.includes(role)),
    error: (known, options) => refusal(known, missing, { ...options, details: { requiredRoles: [...required] } }),
  }
}

function refusal(known: boolean, what: string, options: SvcErrorOptions = {}): SvcError {
  return known
    ? new SvcError('FORBIDDEN', `Forbidden: ${what}`, options)
    : new SvcError('UNAUTHENTICATED', `Authentication required: ${what}`, options)
}

/** Splits the scopes of a requirement, which are all required. */
export function splitScopes(required: string): readonly string[] {
  return required.split(' ').filter((scope) => scope !== '')
}
