import * as authored from '../../presets/authored-keys.ts'
import { toWireName } from '../base/util/naming.ts'
import type { KeyGroup, OwnedPlace } from '../schema/plugin-keys.ts'
import { count, flag, type OptionRule, type OptionRules, oneOf, rule, text, texts } from './options.ts'

const GROUPS: readonly KeyGroup[] = Object.values(authored).flatMap(({ keys = [] }) => keys)

/**
 * Adds an option for each `schema.json` key that a built-in plugin defines for such a declaration. Returns the options
 * in the order in which their keys are written to `schema.json`.
 * @param rules options of the declaration without plugins
 * @param places kinds of declaration to which the options apply, such as `query`
 */
export function withKeyOptions(rules: OptionRules, places: readonly OwnedPlace[]): OptionRules {
  const entries = Object.entries(rules)
  for (const { place, after, keys, order = Object.keys(keys), wants = {} } of GROUPS) {
    if (!places.includes(place)) continue
    const found = entries.findLastIndex(([, { key }]) => [after].flat().includes(key))
    const added = order.map((key): [string, OptionRule] => [toWireName(key), ruleOf(key, keys[key]!, wants[key])])
    entries.splice(found === -1 ? entries.length : found + 1, 0, ...added)
  }
  return Object.fromEntries(entries)
}

/** Returns the rule of an option, from the JSON Schema of its key. */
function ruleOf(key: string, schema: Readonly<Record<string, unknown>>, wants: string | undefined): OptionRule {
  const { type, enum: values } = schema
  if (Array.isArray(values)) {
    return (
      wants === undefined
        ? oneOf(...values)
        : rule({ oneOf: values }, wants, (value) => (values.includes(value) ? value : undefined))
    )(key)
  }
  switch (type) {
    case 'boolean':
      return flag(key)
    case 'integer':
      return count(key)
    case 'array':
      return texts(key)
    default:
      return text(key)
  }
}
