import { type OperationTemplate, type RootSelection, SvcError } from '../../core/doors/plugin.ts'
import { type Measured, measureRoot } from './measure-root.ts'
import type { QueryLimits } from './options.ts'

type Verdict = (() => SvcError) | null

/**
 * Holds operations to the limits of depth and complexity, whichever front made them: a document is held to all of them
 * before, so here it passes. Each root by itself: a front that writes many rows makes a root of each, and bounds them.
 * Measured once per template.
 * @returns a check that throws SvcError VALIDATION_ERROR, with the limit and its key in the details
 */
export function createOperationCheck(limits: QueryLimits): (template: OperationTemplate) => void {
  const verdicts = new WeakMap<OperationTemplate, Verdict>()
  return (template) => {
    let verdict = verdicts.get(template)
    if (verdict === undefined) {
      verdict = judge(template, limits)
      verdicts.set(template, verdict)
    }
    if (verdict !== null) throw verdict()
  }
}

function judge({ roots }: OperationTemplate, limits: QueryLimits): Verdict {
  for (const root of roots) {
    const broken = brokenBy(measureRoot(root, limits), limits)
    if (broken !== null) return () => refusal(root, broken, limits[broken])
  }
  return null
}

function brokenBy({ depth, complexity }: Measured, limits: QueryLimits): Broken | null {
  const { max_query_depth, max_query_complexity } = limits
  if (max_query_depth > 0 && depth > max_query_depth) return 'max_query_depth'
  if (max_query_complexity > 0 && complexity > max_query_complexity) return 'max_query_complexity'
  return null
}

type Broken = 'max_query_depth' | 'max_query_complexity'

function refusal(root: RootSelection, broken: Broken, limit: number): SvcError {
  const setting = `validation.${broken}`
  const what =
    broken === 'max_query_depth'
      ? `is nested deeper than ${limit} levels`
      : `is more complex than ${limit}: select less, or ask in parts`
  const name = 'operation' in root ? `"${root.operation.wireName}"` : 'this'
  return new SvcError('VALIDATION_ERROR', `What is selected of ${name} ${what} (${setting}).`, {
    details: { limit, setting },
  })
}
