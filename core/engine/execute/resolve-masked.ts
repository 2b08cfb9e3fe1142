import { isPromise } from '../../base/util/promise.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Result } from '../../contract/result.ts'
import type { MaybePromise } from '../../contract/stages.ts'
import { maskedErrors } from '../access/masked-errors.ts'

/**
 * Runs an operation with denied parts and adds their errors to the result. When a non-null root field is denied, nothing runs and nothing
 * is written.
 */
export function resolveMasked(operation: Operation, run: () => MaybePromise<Result>): MaybePromise<Result> {
  const errors = maskedErrors(operation)
  const { masked, roots } = operation.template
  // A stream has a single root. If it is denied, there is nothing to stream.
  const isNothing = operation.form !== undefined && roots.some((root) => 'denied' in root && root.denied !== undefined)
  if (masked?.fails === true || isNothing) return { data: null, errors }
  const tell = ({ data, errors: others, stream, writes }: Result): Result => ({
    data,
    errors: [...(others ?? []), ...errors],
    ...(stream === undefined ? {} : { stream }),
    ...(writes === undefined ? {} : { writes }),
  })
  const result = run()
  return isPromise(result) ? result.then(tell) : tell(result)
}
