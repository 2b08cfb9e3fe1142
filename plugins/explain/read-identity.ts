import { type Auth, SvcError } from '../../core/index.ts'

/** Who an operator is taken for that names nobody: every scope, no role, no claim. */
const OPERATOR: Auth = { subject: null, claims: {}, scopes: ['*'], roles: [], method: 'explain' }

/**
 * Whose rows and rights are explained: `{ "sub", "scopes", "roles", "claims" }`.
 * @param given `null`: the operator
 * @throws SvcError VALIDATION_ERROR
 */
export function readIdentity(given: unknown): Auth {
  if (given === null || given === undefined) return OPERATOR
  if (typeof given !== 'object' || Array.isArray(given)) throw wrong('is an object')
  const { sub = null, scopes = [], roles = [], claims = {}, ...others } = given as Readonly<Record<string, unknown>>
  const [other] = Object.keys(others)
  if (other !== undefined) throw wrong(`has no member "${other}"; it may have sub, scopes, roles, claims`)
  if (sub !== null && typeof sub !== 'string') throw wrong('has a sub that is no text')
  if (!isTexts(scopes) || !isTexts(roles)) throw wrong('has scopes and roles that are lists of texts')
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims))
    throw wrong('has claims that are an object')
  return { subject: sub, claims: { ...(sub === null ? {} : { sub }), ...claims }, scopes, roles, method: 'explain' }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function wrong(what: string): SvcError {
  return new SvcError('VALIDATION_ERROR', `"as" ${what}.`)
}
