import { type Auth, coversScope, type RootGuard, SvcError, type SvcErrorOptions } from '../../core/doors/plugin.ts'

/** What an operation, type or field requires of its caller: an API key, scopes or one of several roles. */
export interface Need {
  /** Text that is equal for equal requirements, as a cache key. */
  readonly key: string
  /** Tests whether a caller meets the requirement. */
  isMetBy(auth: Auth): boolean
  /**
   * Creates the error for a caller that does not meet the requirement.
   * @param known `true` if the caller has a credential: FORBIDDEN, otherwise UNAUTHENTICATED
   */
  error(known: boolean, options?: SvcErrorOptions): SvcError
}

/** The access requirements that an operation, type or field can have in the schema. */
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

/** Splits the value of `requires_scope` at spaces. The caller needs all of these scopes. */
export function splitScopes(required: string): readonly string[] {
  return required.split(' ').filter((scope) => scope !== '')
}
