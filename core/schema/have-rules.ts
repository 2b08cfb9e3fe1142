import type { InputFieldModel } from './model.ts'

/**
 * Tests whether any of the fields has a validation rule, itself or within a nested input.
 * @param seen input types that were tested already, because inputs may contain each other; callers omit it
 */
export function haveRules(fields: Iterable<InputFieldModel>, seen = new Set<unknown>()): boolean {
  for (const { rules, named } of fields) {
    if (rules.length > 0) return true
    if (named.kind !== 'input' || seen.has(named)) continue
    seen.add(named)
    if (named.rules.length > 0 || haveRules(named.fields.values(), seen)) return true
  }
  return false
}
