import { type OperationTemplate, SvcError } from '../../core/doors/plugin.ts'
import { measureRoot } from './measure-root.ts'
import type { QueryLimits } from './options.ts'

/**
 * Holds the requests of one body to the complexity that one of them may have. Each by itself was held to all limits when its document
 * was validated.
 * @throws SvcError VALIDATION_ERROR
 */
export function checkBatch(templates: readonly OperationTemplate[], limits: QueryLimits): void {
  const limit = limits.max_query_complexity
  if (limit === 0) return
  let complexity = 0
  for (const { roots } of templates) for (const root of roots) complexity += measureRoot(root, limits).complexity
  if (complexity <= limit) return
  const setting = 'validation.max_query_complexity'
  throw new SvcError('VALIDATION_ERROR', `The batch is more complex than ${limit}: send it in parts (${setting}).`, {
    details: { limit, setting },
  })
}
