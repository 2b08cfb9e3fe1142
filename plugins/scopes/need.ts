import { type Auth, coversScope, type RootGuard, SvcError, type SvcErrorOptions } from '../../core/doors/plugin.ts'

/** One thing that a caller has to have. */
export interface Need {
  /** Equal for equal needs. */
  readonly key: string
  /** Absence denies: a list that is not there is an empty one. */
  isMetBy(auth: Auth): boolean
  /** @param known is there a credential? */
  error(known: boolean, options?: SvcErrorOptions): SvcError
}

/** What asks for rights: an operation, a type, a field. */
export type Guarded = Partial<Pick<RootGuard, 'requiresScope' | 'requiresRole' | 'apiKeyRequired'>>

/** In the order in which they are checked: the credential, the scope, the role (spec "Request pipeline"). */
export function needsOf({ apiKeyRequired, requiresScope, requiresRole = [] }: Guarded): readonly Need[] {
  return [
    ...(apiKeyRequired === true ? [API_KEY] : []),
    ...(requiresScope === undefined ? [] : [scopeNeed(requiresScope)]),
    ...(requiresRole.length === 0 ? [] : [roleNeed(requiresRole)]),
  ]
}

/** What the plugin that verifies them calls itself. */
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
    // One that names nothing would be met by everybody.
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

/** The scopes of a requirement: all of them are wanted. */
export function splitScopes(required: string): readonly string[] {
  return required.split(' ').filter((scope) => scope !== '')
}
