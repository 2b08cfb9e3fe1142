import type { Rule } from '../../schema/rules.ts'
import type { RuleField, RuleOwner } from './rule-owner.ts'

/** Where in the schema validation rules are declared: on an input or operation, or on one of its fields. */
export interface RulePlace {
  readonly owner: RuleOwner
  /** The field or argument that has the rules; `null`: the input or operation itself has them. */
  readonly field: RuleField | null
  /** Names of the author's validation functions, which the rule `custom` may name. */
  readonly validators: readonly string[]
  /** Reports an error in the rules. `what` completes a sentence that begins with the name of the element. */
  readonly fault: (what: string) => void
  /** Converts the rules inside a rule, such as those of `all`, to the form of the compiled schema. */
  readonly read: (given: unknown, place: RulePlace) => readonly Rule[]
}
