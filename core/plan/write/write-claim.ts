import type { Auth } from '../../contract/exchange.ts'
import type { Parameter } from '../../contract/statement.ts'
import { SvcError } from '../../errors/svc-error.ts'
import { lookup } from '../../util/lookup.ts'

/**
 * The claim that is injected into a parameter. An anonymous request never gets past it; a claim that is `null` counts
 * as absent (behaviours 5.3).
 * @param sqlType catalog type of the parameter, `null` when the catalog was not read
 * @throws SvcError UNAUTHENTICATED without a credential, FORBIDDEN when it does not carry the claim
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
