import type { InputFieldModel, Rule } from '../../../core/doors/front.ts'
import type { Json } from './json.ts'

/** What of the rules for a value JSON Schema can say. The others are the service's to hold, and stand in no document. */
export function rulesSchema({ rules, named }: InputFieldModel): Json {
  return Object.assign({}, ...rules.map((rule) => ruleSchema(rule, named.name === 'Int' || named.name === 'Float')))
}

function ruleSchema(rule: Rule, isNumber: boolean): Json {
  switch (rule.type) {
    case 'pattern':
      return isPattern(rule.value) ? { pattern: rule.value } : {}
    case 'length':
      return bounds(rule.value, 'minLength', 'maxLength')
    case 'range':
      return isNumber ? bounds(rule.value, 'minimum', 'maximum') : {}
    case 'enum':
      return isNumber ? {} : { enum: rule.value }
    default:
      return {}
  }
}

function bounds({ min, max }: { min?: number; max?: number }, least: string, most: string): Json {
  return { ...(min === undefined ? {} : { [least]: min }), ...(max === undefined ? {} : { [most]: max }) }
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
