import type { Auth } from '../../core/doors/plugin.ts'

/** The caller, as policy rules (`user`) and policy functions receive it. */
export interface PolicyUser {
  /** `sub` claim of the token; `null` for a caller without one. */
  readonly id: string | null
  readonly roles: readonly string[]
  readonly scopes: readonly string[]
  readonly claims: Readonly<Record<string, unknown>>
}

export function policyUserOf(auth: Auth | null): PolicyUser | null {
  if (auth === null) return null
  const { subject, roles, scopes, claims } = auth
  return { id: subject, roles: roles ?? [], scopes: scopes ?? [], claims: claims ?? {} }
}

/**
 * Returns a value of the caller by its name in a rule: `user.id`, `roles`, `scopes`, `role` or a claim. `null`: there
 * is no such value, or the caller is anonymous.
 */
export function userFact(user: PolicyUser | null, name: string): unknown {
  if (user === null) return null
  if (name === 'id') return user.id
  if (name === 'roles') return user.roles
  if (name === 'scopes') return user.scopes
  const claim = Object.hasOwn(user.claims, name) ? user.claims[name] : null
  return name === 'role' ? (claim ?? user.roles[0] ?? null) : claim
}

/**
 * Returns a cache key that is equal for callers with the same id, roles, scopes and claims; `null`: the claims are not
 * JSON.
 */
export function userKey(user: PolicyUser | null): string | null {
  if (user === null) return ''
  try {
    return JSON.stringify([user.id, user.roles, user.scopes, user.claims])
  } catch {
    return null
  }
}
