import type { Rule } from '../../schema/rules.ts'
import type { RuleField, RuleOwner } from './rule-owner.ts'

/** The place of rules in the schema. */
export interface RulePlace {
  readonly owner: RuleOwner
  /** `null`: they are rules of the owner itself. */
  readonly field: RuleField | null
  /** Names of the author's validators. */
  readonly validators: readonly string[]
  /** Reports a fault. `what` follows the name of the place in the sentence. */
  readonly fault: (what: string) => void
  /** Reads nested rules. */
  readonly read: (given: unknown, place: RulePlace) => readonly Rule[]
}
