import type { InputFieldModel } from './model.ts'

/**
 * Does any of the fields have a rule, itself or in a nested input?
 * @param seen input types that were checked already: they may contain each other
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
