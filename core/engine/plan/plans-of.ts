import type { OperationTemplate } from '../../contract/operation.ts'

const kept = new WeakMap<OperationTemplate, Map<string, unknown>>()

/**
 * Returns the cached plans of a template, by kind. They are discarded with the template, which a front keeps in a bounded cache. They
 * belong to this object alone: a copy of a template has no plans.
 */
export function plansOf(template: OperationTemplate): Map<string, unknown> {
  let plans = kept.get(template)
  if (plans === undefined) {
    plans = new Map()
    kept.set(template, plans)
  }
  return plans
}
