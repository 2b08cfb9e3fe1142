import type { Statement } from '../../../core/doors/plugin.ts'
import { isServerError } from '../wire/driver-errors.ts'

const UNKNOWN_STATEMENT = '26000'
const STATEMENT_EXISTS = '42P05'
/** Where the server looks up and takes in the names of the protocol. */
const ROUTINES: Readonly<Record<string, string>> = {
  [UNKNOWN_STATEMENT]: 'FetchPreparedStatement',
  [STATEMENT_EXISTS]: 'StorePreparedStatement',
}
const FEATURE_NOT_SUPPORTED = '0A000'
const QUERY_CANCELED = '57014'

/**
 * The server did not know a statement that this connection had prepared, or had one that it had not: a pooler. A function
 * may raise the same states, about statements of its own or about none: it has run then, and must not run again.
 */
export function isPoolerSign(error: unknown): boolean {
  if (!isServerError(error) || error.where !== undefined) return false
  const expected = ROUTINES[error.code]
  // A pooler that answers by itself names no routine.
  return expected !== undefined && (error.routine === undefined || error.routine === expected)
}

/** Failed before it ran, for what was prepared under its name; prepared anew it may work. */
export function isStalePreparation(error: unknown, statement: Statement): boolean {
  if (statement.name === null || !isServerError(error)) return false
  if (isPoolerSign(error)) return true
  // "cached plan must not change result type"
  return error.code === FEATURE_NOT_SUPPORTED && error.routine === 'RevalidateCachedQuery' && error.where === undefined
}

/** Cancelled, which means rolled back, by somebody's request. */
export function isCancelled(error: unknown): boolean {
  return isServerError(error) && error.code === QUERY_CANCELED
}
