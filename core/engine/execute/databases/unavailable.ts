import { SvcError } from '../../../base/errors/svc-error.ts'
import { DEFAULT_DATABASE } from '../../../base/util/database-name.ts'
import type { OperationTemplate, RootSelection } from '../../../contract/operation.ts'
import type { Result } from '../../../contract/result.ts'
import { atRoot } from '../failure.ts'
import { isNullable } from '../read-alone.ts'

/** Tests for an unreachable database, as opposed to an aborted request. */
export function isOutage(error: unknown): error is SvcError {
  return error instanceof SvcError && error.code === 'SERVICE_UNAVAILABLE'
}

/**
 * Creates the answer for root fields of an unreachable database: null, with an error for each. Roots without a database, such as `__typename`
 * and introspection, are answered.
 */
export function unavailable(template: OperationTemplate, database: string | undefined, outage: SvcError): Result {
  const failure = unavailableError(database, outage)
  const failed = template.roots.filter(asksDatabase)
  const members = template.roots.map((root) => `${JSON.stringify(root.responseKey)}:${constantOf(root)}`)
  return {
    data: failed.every(isNullable) ? `{${members.join()}}` : null,
    errors: failed.map((root) => atRoot(failure, root)),
  }
}

function asksDatabase({ kind }: RootSelection): boolean {
  return kind !== 'typename' && kind !== 'literal'
}

function constantOf(root: RootSelection): string {
  if (root.kind === 'typename') return JSON.stringify(root.typeName)
  return root.kind === 'literal' ? root.json : 'null'
}

export function unavailableError(database: string | undefined, outage: SvcError): SvcError {
  const name = database ?? DEFAULT_DATABASE
  const isUnknown = outage.details?.outcome === 'unknown'
  const message = isUnknown ? outage.message : `The database "${name}" cannot be reached.`
  return new SvcError('DATABASE_UNAVAILABLE', message, {
    details: { ...outage.details, database: name },
    retryAfter: outage.retryAfter,
    cause: outage,
  })
}
