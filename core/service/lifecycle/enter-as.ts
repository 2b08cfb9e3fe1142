import { SvcError } from '../../base/errors/svc-error.ts'
import type { Auth, Exchange } from '../../contract/exchange.ts'
import type { Enter } from '../../contract/pipeline.ts'
import type { Reply } from '../../contract/reply.ts'

const DONE: Reply = { status: 200, headers: {}, body: null }

/**
 * Runs `work` in an exchange with a given caller, without a request of that caller: for commands, and for operators who
 * check which data a caller sees.
 * @param pipeline `scope.pipeline`
 * @param auth the caller; `null`: without a credential
 * @throws errors of `work`; SvcError SERVICE_UNAVAILABLE: an `onRequest` hook did not let it run
 */
export async function enterAs<T>(
  pipeline: { readonly enter: Enter },
  auth: Auth | null,
  work: (exchange: Exchange) => Promise<T>,
): Promise<T> {
  let settled: Promise<T> | null = null
  await pipeline.enter({ transport: 'internal', auth }, async (exchange) => {
    settled = work(exchange)
    // The caller of `enterAs` receives the error of the work. The reply of this exchange is not used.
    await settled.catch(() => {})
    return { ...DONE, headers: {} }
  })
  if (settled === null) throw new SvcError('SERVICE_UNAVAILABLE', 'A hook refused the internal request.')
  return settled
}

/**
 * Reads the caller that an operator describes in a request or option: `{ "sub", "scopes", "roles", "claims" }`.
 * @param given the description; `null`: the operator, with every scope, no role and no claim
 * @param method name of the plugin that accepts the description
 * @throws SvcError VALIDATION_ERROR: the description has another form
 */
export function readIdentity(given: unknown, method: string): Auth {
  if (given === null || given === undefined) return { subject: null, claims: {}, scopes: ['*'], roles: [], method }
  if (typeof given !== 'object' || Array.isArray(given)) throw wrong('is an object')
  const { sub = null, scopes = [], roles = [], claims = {}, ...others } = given as Readonly<Record<string, unknown>>
  const [other] = Object.keys(others)
  if (other !== undefined) throw wrong(`has no member "${other}"; it may have sub, scopes, roles, claims`)
  if (sub !== null && typeof sub !== 'string') throw wrong('has a sub that is no text')
  if (!isTexts(scopes) || !isTexts(roles)) throw wrong('has scopes and roles that are lists of texts')
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims))
    throw wrong('has claims that are an object')
  return { subject: sub, claims: { ...(sub === null ? {} : { sub }), ...claims }, scopes, roles, method }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function wrong(what: string): SvcError {
  return new SvcError('VALIDATION_ERROR', `"as" ${what}.`)
}
