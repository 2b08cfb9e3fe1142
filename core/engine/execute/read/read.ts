import { ResultTooLarge } from '../../../base/errors/result-too-large.ts'
import { SvcError } from '../../../base/errors/svc-error.ts'
import type { LentText } from '../../../base/util/lent-text.ts'
import { NotedText } from '../../../base/util/noted-text.ts'
import type { Cancellable } from '../../../contract/cancellable.ts'
import type { Database } from '../../../contract/database.ts'
import type { Exchange } from '../../../contract/exchange.ts'
import type { Operation } from '../../../contract/operation.ts'
import type { PackedRead, PreparedRead } from '../../../contract/prepared-read.ts'
import type { Result } from '../../../contract/result.ts'
import type { Setting } from '../../../contract/setting.ts'
import type { LentRow, Parameter, Statement } from '../../../contract/statement.ts'
import { complete } from '../../json/complete.ts'
import { fits } from '../../json/fits.ts'
import { ownText } from '../../json/json-buffer.ts'
import { LentResult } from '../../json/lent-result.ts'
import { NotedResult } from '../../json/noted-result.ts'
import type { ExecuteContext } from '../context/context.ts'
import { isFatal, readFailure, readOf } from '../context/failure.ts'
import { readSettings } from '../context/session-settings.ts'
import { completionOf } from './completion.ts'
import { prepareRead } from './prepare-read.ts'
import { failOnlyRoot, readRootByRoot } from './read-alone.ts'

/**
 * Runs all root fields of a query in one statement, which returns the JSON of the response. That text is sent unchanged
 * unless it contains invalid values.
 * @throws SvcError SERVICE_UNAVAILABLE (no connection to the database), TIMEOUT (deadline passed)
 */
export async function resolveRead(context: ExecuteContext, exchange: Exchange, operation: Operation): Promise<Result> {
  const { schema } = exchange.generation
  let running: Pick<PreparedRead, 'guards' | 'nullScan' | 'verify'> | null = null
  let json: string | LentText | null = null
  let noted: NotedText | null = null
  try {
    const prepared = prepareRead(operation, schema, context.settings)
    const { packed } = prepared
    const settings = readSettings(operation)
    if (packed !== null && isRested(packed)) {
      running = packed
      const parameters = packed.bind(operation.variables, exchange, undefined, operation.access)
      const written = await readRow(context.database(), packed.statement, parameters, exchange, packed.write, settings)
      if (written === null) packed.rest = REST
      if (written instanceof NotedText) noted = written
      json = written instanceof NotedText ? written.text : written
    }
    if (json === null) {
      running = prepared
      if (prepared.statement === null) json = prepared.constant
      else {
        const parameters = prepared.bind(operation.variables, exchange, undefined, operation.access)
        json = await readRow(context.database(), prepared.statement, parameters, exchange, ownJson, settings)
      }
    }
    // For drivers that do not check the size. The length in characters costs nothing.
    if (json !== null && json.length > context.maxResultBytes) throw new ResultTooLarge(context.maxResultBytes)
  } catch (error) {
    return recover(context, exchange, operation, running, error)
  }
  if (json === null || running === null) {
    throw new SvcError('INTERNAL_SERVER_ERROR', 'The database gave no result.')
  }
  const { always } = completionOf(operation.template)
  if (typeof json !== 'string') {
    const result = new LentResult(json)
    if (!always && !running.verify && !holdsOneOf(json, running.nullScan)) return result
    json = result.data
  }
  const result = finishText(operation, running, json)
  // If completion did not change the text, the noted positions are still valid.
  return noted !== null && result.data === noted.text && result.errors === null ? new NotedResult(noted) : result
}

/**
 * Creates the result of a query from the JSON text that the database wrote. It checks the text value by value only if
 * the types are not certain or the text contains suspicious substrings.
 * @param json JSON text of the response data
 */
export function finishText(
  operation: Operation,
  { verify, nullScan }: Pick<PreparedRead, 'nullScan' | 'verify'>,
  json: string,
): Result {
  const { always, whole } = completionOf(operation.template)
  const fine = verify ? fits(json, whole) : !holdsOneOf(json, nullScan)
  return fine && !always ? { data: json, errors: null } : completeAll(operation, json)
}

/** Number of requests that use the other statement after one returned rows that only the database can write as JSON. */
const REST = 1000

function isRested(packed: PackedRead): boolean {
  if (packed.rest === 0) return true
  packed.rest--
  return false
}

export function holdsOneOf(text: string | LentText, signs: readonly string[]): boolean {
  for (const sign of signs) if (text.includes(sign)) return true
  return false
}

/** Returns the JSON that the database wrote, the only value of the row. */
function ownJson(row: LentRow): string | LentText | null {
  const value = row[0] ?? null
  return value === null || typeof value === 'string' ? value : ownText(value)
}

function completeAll(operation: Operation, text: string): Result {
  const completed = complete(text, completionOf(operation.template).whole, [])
  return { data: completed.text, errors: completed.errors.length === 0 ? null : completed.errors }
}

/** Handles the error of the statement of all roots. It does not tell which root failed, so the roots are run one by one. */
function recover(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  running: Pick<PreparedRead, 'guards'> | null,
  error: unknown,
): Result | Promise<Result> {
  const { schema } = exchange.generation
  const [root, ...others] = operation.template.roots
  const { source, selection } = readOf(root)
  const { dialect } = context.settings
  const { errors } = dialect
  const guard = running === null ? null : errors.readGuard(error, running)
  const failure = guard ?? readFailure(dialect, error, schema, source, selection)
  if (isFatal(errors, failure)) throw failure
  if (failure instanceof ResultTooLarge) {
    // Root by root, the results would be as large in total, and no single root would be at fault.
    if (others.length > 0) throw failure
    return failOnlyRoot(operation, failure)
  }
  const again = others.length > 0 || errors.isTransient(error)
  return again ? readRootByRoot(context, exchange, operation) : failOnlyRoot(operation, failure)
}

/**
 * Reads the only row of a statement, as bytes if the driver supports it.
 * @param settings result of `readSettings`
 * @returns the result of `take`; `null` when there was not exactly one row
 */
function readRow<T>(
  database: Database,
  statement: Statement,
  parameters: readonly Parameter[],
  cancel: Cancellable,
  take: (row: LentRow) => T,
  settings: readonly Setting[] | undefined,
): Promise<T | null> {
  // Not `async`: it returns the promise of the driver, because a further promise would slow down every request.
  if (database.readRow !== undefined) return database.readRow(statement, parameters, cancel, take, settings)
  return database
    .query(statement, parameters, cancel, settings)
    .then(({ rows }) => (rows.length === 1 ? take(rows[0]!) : null))
}
