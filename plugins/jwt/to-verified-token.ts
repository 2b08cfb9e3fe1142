import { lookup } from '../../core/doors/plugin.ts'
import type { VerifiedToken } from './api.ts'
import type { JwtOptions } from './options.ts'
import { TokenRefused } from './refused.ts'

type Claims = Readonly<Record<string, unknown>>

/** Claims with scopes. The first one that is present counts alone, even if it is empty (docs/plugins/jwt.md). */
const SCOPE_CLAIMS = ['scope', 'scp', 'permissions', 'scopes']
/** A `jti` that every store can hold. */
const JTI = /^[^\p{Cc}]{1,255}$/u

/** Largest time value of a Date (ECMA-262, "Time Values and Time Range"), in seconds. */
const LAST_SECOND = 8_640_000_000_000

/**
 * Converts the claims of a verified JWT to the caller's subject, scopes and roles, and to times.
 * @param ownClock `true` if svc issued the token
 * @throws TokenRefused for a claim that violates RFC 7519
 */
export function toVerifiedToken(
  claims: Claims,
  {
    jwt_roles_claim: rolesClaim,
    jwt_scopes_claim: scopesClaim,
    jwt_default_role: defaultRole,
    jwt_clock_skew_secs: skewSecs,
  }: Pick<JwtOptions, 'jwt_roles_claim' | 'jwt_scopes_claim' | 'jwt_default_role' | 'jwt_clock_skew_secs'>,
  ownClock: boolean,
): VerifiedToken {
  // Rejects infinite values, which would never expire, and values beyond the range of dates and stores.
  if (typeof claims.exp !== 'number' || !(claims.exp <= LAST_SECOND)) throw new TokenRefused('exp')
  const subject = subjectOf(own(claims, 'sub'))
  const roles = lookup(claims, rolesClaim)
  const jti = own(claims, 'jti')
  const issuer = own(claims, 'iss')
  const issuedAt = own(claims, 'iat')
  // Revoking all tokens of a subject ends those issued until now. A token issued in the future would survive it.
  if (typeof issuedAt === 'number' && issuedAt > Date.now() / 1000 + skewSecs) throw new TokenRefused('iat')
  return Object.freeze({
    auth: deepFreeze({
      subject,
      claims,
      scopes: scopesClaim === undefined ? scopesOf(claims) : textsOf(lookup(claims, scopesClaim), ' '),
      roles: roles === undefined && defaultRole !== undefined ? [defaultRole] : textsOf(roles, null),
      method: 'jwt',
    }),
    issuer: typeof issuer === 'string' ? issuer : null,
    subject,
    jti: typeof jti === 'string' && JTI.test(jti) ? jti : null,
    issuedAt: Number.isFinite(issuedAt) ? (issuedAt as number) : null,
    ownClock,
    expiresAt: claims.exp,
  })
}

function own(claims: Claims, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined
}

/** Returns the subject. RFC 7519 requires a string, but numbers are common and unambiguous. */
function subjectOf(value: unknown): string | null {
  if (value === undefined) return null
  if (typeof value === 'string' || Number.isSafeInteger(value)) return String(value)
  throw new TokenRefused('sub')
}

function scopesOf(claims: Claims): readonly string[] {
  const name = SCOPE_CLAIMS.find((claim) => own(claims, claim) !== undefined)
  return name === undefined ? [] : textsOf(claims[name], ' ')
}

/** Returns the strings of a claim. A claim that is neither a string nor a list of strings grants nothing. */
function textsOf(value: unknown, separator: string | null): readonly string[] {
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string' && item !== '')
  if (typeof value !== 'string') return []
  const texts = separator === null ? [value] : value.split(separator)
  return texts.filter((text) => text !== '')
}

/** Freezes a value, because requests share it. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}
