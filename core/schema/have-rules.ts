import type { InputFieldModel } from './model.ts'

/**
 * Is there a rule for one of the fields, at whatever depth?
 * @param seen inputs that were looked at: they may hold each other
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
