import type { OperationTemplate } from '../../contract/operation.ts'

const kept = new WeakMap<OperationTemplate, Map<string, unknown>>()

/**
 * The plans of a template, by kind. They live as long as the template itself, which a front keeps in a bounded cache, and belong to
 * this object alone: a copy of a template has none.
 */
export function plansOf(template: OperationTemplate): Map<string, unknown> {
  let plans = kept.get(template)
  if (plans === undefined) {
    plans = new Map()
    kept.set(template, plans)
  }
  return plans
}
