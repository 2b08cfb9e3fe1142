import { ResultTooLarge } from '../../../base/errors/result-too-large.ts'
import type { SvcError } from '../../../base/errors/svc-error.ts'
import type { Exchange } from '../../../contract/exchange.ts'
import type { Operation, RootSelection } from '../../../contract/operation.ts'
import type { PreparedRead } from '../../../contract/prepared-read.ts'
import type { Result } from '../../../contract/result.ts'
import type { ExecuteContext } from '../context/context.ts'
import { atRoot, isFatal, readFailure, readOf } from '../context/failure.ts'
import { readSettings } from '../context/session-settings.ts'
import { completeRoot } from './completion.ts'
import { prepareRootAlone } from './prepare-read.ts'

/**
 * Runs each root field of a query as a statement of its own, after their common statement failed. A failed field then
 * has an error with its path, and the others have their values.
 */
export async function readRootByRoot(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
): Promise<Result> {
  const errors: SvcError[] = []
  let data = ''
  let failed = false
  for (const [index, root] of operation.template.roots.entries()) {
    const text = await readRoot(context, exchange, operation, index, errors)
    if (text === null) failed = true
    else data += `${data === '' ? '' : ','}${JSON.stringify(root.responseKey)}:${text}`
    if (data.length > context.maxResultBytes) throw new ResultTooLarge(context.maxResultBytes)
  }
  return { data: failed ? null : `{${data}}`, errors: errors.length === 0 ? null : errors }
}

/**
 * Creates the result of a query whose only root field failed: null with the error; `data: null` if the field is
 * non-null.
 */
export function failOnlyRoot(operation: Operation, failure: SvcError): Result {
  const root = operation.template.roots[0]!
  const data = isNullable(root) ? `{${JSON.stringify(root.responseKey)}:null}` : null
  return { data, errors: [atRoot(failure, root)] }
}

export function isNullable(root: RootSelection): boolean {
  if (root.kind === 'operation') return root.operation.type.nullable
  return root.kind === 'node' || root.kind === 'rows' || root.kind === 'related' || root.kind === 'aggregate'
}

/** Runs one root field. @returns JSON text; `null` when a non-null root failed */
async function readRoot(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  index: number,
  errors: SvcError[],
): Promise<string | null> {
  const { schema } = exchange.generation
  const root = operation.template.roots[index]!
  let prepared: PreparedRead | null = null
  try {
    prepared = prepareRootAlone(operation, index, schema, context.settings)
    if (prepared.statement === null) return prepared.constant
    const parameters = prepared.bind(operation.variables, exchange, undefined, operation.access)
    const settings = readSettings(operation)
    const { rows } = await context.database().query(prepared.statement, parameters, exchange, settings)
    const completed = completeRoot(operation.template, index, rows[0]?.[0] ?? 'null')
    errors.push(...completed.errors)
    return completed.text
  } catch (error) {
    const { source, selection } = readOf(root)
    const { dialect } = context.settings
    const guard = prepared === null ? null : dialect.errors.readGuard(error, prepared)
    const failure = guard ?? readFailure(dialect, error, schema, source, selection)
    if (isFatal(dialect.errors, failure)) throw failure
    errors.push(atRoot(failure, root))
    return isNullable(root) ? 'null' : null
  }
}
