import { ResultTooLarge } from '../errors/result-too-large.ts'
import { SvcError } from '../errors/svc-error.ts'
import type { Exchange } from '../front/exchange.ts'
import type { Operation } from '../front/operation.ts'
import type { Result } from '../front/result.ts'
import { type PreparedRead, prepareRead } from '../plan/prepare.ts'
import { readGuardError } from '../plan/read-guard-error.ts'
import { complete } from './complete.ts'
import { completionOf } from './completion.ts'
import type { ExecuteContext } from './context.ts'
import { databaseFailure, isFatal, isWorthRetrying } from './failure.ts'
import { failOnlyRoot, readRootByRoot } from './read-alone.ts'

/**
 * All roots of a query in one statement, whose text goes through as it is.
 * @throws SvcError SERVICE_UNAVAILABLE, TIMEOUT
 */
export async function resolveRead(context: ExecuteContext, exchange: Exchange, operation: Operation): Promise<Result> {
  const { schema } = exchange.generation
  let prepared: PreparedRead | null = null
  let text: string | null | undefined
  try {
    prepared = prepareRead(operation, schema, context.settings)
    if (prepared.statement === null) text = prepared.constant
    else {
      const parameters = prepared.bind(operation.variables, exchange)
      text = (await context.database().query(prepared.statement, parameters, exchange)).rows[0]?.[0]
    }
    // In characters: a net below drivers that know no better, at no cost.
    if (text != null && text.length > context.maxResultBytes) throw new ResultTooLarge(context.maxResultBytes)
  } catch (error) {
    return recover(context, exchange, operation, prepared, error)
  }
  if (text === null || text === undefined) throw new SvcError('INTERNAL_SERVER_ERROR', 'The database gave no result.')
  return completionOf(operation.template).always || holdsOneOf(text, prepared.nullScan)
    ? completeAll(operation, text)
    : { data: text, errors: null }
}

export function holdsOneOf(text: string, signs: readonly string[]): boolean {
  for (const sign of signs) if (text.includes(sign)) return true
  return false
}

function completeAll(operation: Operation, text: string): Result {
  const completed = complete(text, completionOf(operation.template).whole, [])
  return { data: completed.text, errors: completed.errors.length === 0 ? null : completed.errors }
}

/** One statement says that something failed, not which root it was: the roots are run one by one. */
function recover(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  prepared: PreparedRead | null,
  error: unknown,
): Result | Promise<Result> {
  const { schema } = exchange.generation
  const [root, ...others] = operation.template.roots
  const source = root?.kind === 'operation' && root.operation.kind === 'query' ? root.operation.source : null
  const guard = prepared === null ? null : readGuardError(error, prepared)
  const failure = guard ?? databaseFailure(error, schema, source)
  if (isFatal(failure)) throw failure
  if (failure instanceof ResultTooLarge) {
    // Run one by one they would be as large; nobody can say which of them is the one too many.
    if (others.length > 0) throw failure
    return failOnlyRoot(operation, failure)
  }
  const again = others.length > 0 || isWorthRetrying(error)
  return again ? readRootByRoot(context, exchange, operation) : failOnlyRoot(operation, failure)
}
