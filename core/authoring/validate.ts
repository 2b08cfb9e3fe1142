import type { FieldContext } from './field-spec.ts'
import { addRules, bareMember, decoratorFault } from './members.ts'
import { placeAbove } from './place.ts'
import { reportFault } from './registry.ts'
import { declareValidators, type Rule } from './rules.ts'

/** The decorator that `validate()` returns. It is written above or below `@field` of an input field. */
export type ValidateMark = (value: unknown, context: FieldContext) => void

/**
 * Adds validation rules to a field of an input: `@validate({ minLength: 3 }) @field(String) name!: string`. Equivalent
 * to the option `validate` of `field()`. Rules: docs/guides/validate-input.md#the-rules.
 */
export function validate(...rules: readonly Rule[]): ValidateMark {
  const place = placeAbove(validate)
  const bare = bareMember(rules[1])
  if (bare !== null) {
    reportFault(place, `@validate stands on "${bare}" without a rule. Write @validate({ minLength: 1 })`)
    return undefined as never
  }
  declareValidators(rules, place)
  return (_value, context) => {
    const wrong = decoratorFault(context, ['field', 'accessor', 'getter'])
    if (wrong === null) addRules(context, rules, place)
    else reportFault(place, `@validate ${wrong}`)
  }
}
