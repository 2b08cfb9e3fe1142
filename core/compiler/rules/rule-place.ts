import type { Rule } from '../../schema/rules.ts'
import type { RuleField, RuleOwner } from './rule-owner.ts'

/** Position of rules in the schema: an element, and optionally one of its fields. */
export interface RulePlace {
  readonly owner: RuleOwner
  /** The field that the rules belong to; `null`: the rules belong to the owner itself. */
  readonly field: RuleField | null
  /** Names of the author's validators. */
  readonly validators: readonly string[]
  /** Reports a fault. `what` completes a sentence that begins with the name of the position. */
  readonly fault: (what: string) => void
  /** Reads nested rules, such as the items of `all`. */
  readonly read: (given: unknown, place: RulePlace) => readonly Rule[]
}
