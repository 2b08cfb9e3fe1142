import type { FieldContext } from './field-spec.ts'
import { addRules, bareMember, decoratorFault } from './members.ts'
import { placeAbove } from './place.ts'
import { reportFault } from './registry.ts'
import { declareValidators, type Rule } from './rules.ts'

/** A decorator for a field of an input; it stands above or below `@field`. */
export type ValidateMark = (value: unknown, context: FieldContext) => void

/**
 * Rules for the value of a field: `@validate({ minLength: 3 }) @field(String) name!: string`. The same as the option
 * `validate` of `field()`. Spec "Input validation options", "Validation rule types".
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
