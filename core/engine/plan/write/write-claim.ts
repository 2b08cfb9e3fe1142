import { SvcError } from '../../../base/errors/svc-error.ts'
import { lookup } from '../../../base/util/lookup.ts'
import type { Auth } from '../../../contract/exchange.ts'
import type { Parameter } from '../../../contract/statement.ts'

/**
 * Reads a claim that is injected into a function's parameter. A claim of `null` counts as absent.
 * @param claim name or dotted path of the claim
 * @param sqlType catalog type of the parameter; `null` when the catalog was not read
 * @param mutation wire name, for messages
 * @throws SvcError UNAUTHENTICATED without a credential; FORBIDDEN when the claim is absent
 */
export function readClaim(auth: Auth | null, claim: string, sqlType: string | null, mutation: string): Parameter {
  if (auth === null) throw new SvcError('UNAUTHENTICATED', `${mutation} needs a signed-in user.`)
  const value = lookup(auth.claims, claim) ?? (claim === 'sub' ? auth.subject : null)
  if (value === null || value === undefined) {
    throw new SvcError('FORBIDDEN', `${mutation} needs the claim "${claim}", which the credential does not carry.`)
  }
  if (sqlType !== null && /^jsonb?$/.test(sqlType)) return JSON.stringify(value)
  return Array.isArray(value) ? value.map((item) => (item === null ? null : textOf(item))) : textOf(value)
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
