import type { QueryPair, WriteOptions } from '../../../core/doors/front.ts'
import { SvcError } from '../../../core/doors/plugin.ts'
import { AppliedPreferences, type Preferences } from '../request/preferences.ts'
import { badRequest, unknownParameter } from '../request/refusals.ts'

/** What `Prefer` says about a write. */
export interface WriteWishes {
  readonly returned: 'representation' | 'minimal' | null
  readonly manner: WriteOptions
  readonly applied: AppliedPreferences
}

/** @param atomic all calls together, or none */
export function writeWishes(prefer: Preferences, atomic: boolean): WriteWishes {
  const applied = new AppliedPreferences()
  const wanted = prefer.get('return')
  const returned = wanted === 'representation' || wanted === 'minimal' ? wanted : null
  if (returned !== null) applied.apply('return', returned)
  const dryRun = prefer.get('tx') === 'rollback'
  if (dryRun) applied.apply('tx', 'rollback')
  return { returned, applied, manner: { ...(atomic ? { atomic } : {}), ...(dryRun ? { dryRun } : {}) } }
}

/** The `select` of a write, the only parameter that it has. @throws SvcError UNKNOWN_PARAMETER, BAD_REQUEST */
export function selectOf(pairs: readonly QueryPair[]): string | null {
  let select: string | null = null
  for (const { name, value } of pairs) {
    if (name !== 'select') throw unknownParameter(name, ['select'])
    if (select !== null) throw badRequest('The parameter "select" is given twice.', { parameter: name })
    select = value
  }
  return select
}

/** The same error, with the element of the body that it is about. */
export function atIndex(error: unknown, index: number): unknown {
  if (!(error instanceof SvcError)) return error
  const { code, message, details, retryAfter, cause } = error
  const status = error.hasOwnStatus ? error.status : undefined
  return new SvcError(code, message, { details: { ...details, index }, status, retryAfter, cause })
}
