import type { queryStrings, WriteOptions } from '../../../core/doors/front.ts'
import { SvcError } from '../../../core/doors/plugin.ts'
import { AppliedPreferences, type Preferences } from '../request/preferences.ts'
import { badRequest, unknownParameter } from '../request/refusals.ts'

/** Preferences of the client for a write, from the header `Prefer`: what to return, and whether it is a dry run. */
export interface WriteWishes {
  readonly returned: 'representation' | 'minimal' | null
  readonly manner: WriteOptions
  readonly applied: AppliedPreferences
}

/** Reads the preferences of a write from the header `Prefer`. @param atomic `true`: run all calls in one transaction */
export function writeWishes(prefer: Preferences, atomic: boolean): WriteWishes {
  const applied = new AppliedPreferences()
  const wanted = prefer.get('return')
  const returned = wanted === 'representation' || wanted === 'minimal' ? wanted : null
  if (returned !== null) applied.apply('return', returned)
  const dryRun = prefer.get('tx') === 'rollback'
  if (dryRun) applied.apply('tx', 'rollback')
  return { returned, applied, manner: { ...(atomic ? { atomic } : {}), ...(dryRun ? { dryRun } : {}) } }
}

/**
 * Returns the value of `select`, the only query parameter of a write; `null`: it is absent.
 * @throws SvcError UNKNOWN_PARAMETER, BAD_REQUEST
 */
export function selectOf(pairs: readonly queryStrings.QueryPair[]): string | null {
  let select: string | null = null
  for (const { name, value } of pairs) {
    if (name !== 'select') throw unknownParameter(name, ['select'])
    if (select !== null) throw badRequest('The parameter "select" is given twice.', { parameter: name })
    select = value
  }
  return select
}

/**
 * Returns a copy of an error with the index of the row that caused it in its details. Other values are returned
 * unchanged.
 */
export function atIndex(error: unknown, index: number): unknown {
  if (!(error instanceof SvcError)) return error
  const { code, message, details, retryAfter, cause } = error
  const status = error.hasOwnStatus ? error.status : undefined
  return new SvcError(code, message, { details: { ...details, index }, status, retryAfter, cause })
}
