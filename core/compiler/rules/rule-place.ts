import type { Rule } from '../../schema/rules.ts'
import type { RuleField, RuleOwner } from './rule-owner.ts'

/** Where rules stand. */
export interface RulePlace {
  readonly owner: RuleOwner
  /** `null`: the rules are about the owner itself. */
  readonly field: RuleField | null
  /** Names of the author's validators. */
  readonly validators: readonly string[]
  /** Completes the sentence and reports it. */
  readonly fault: (what: string) => void
  /** Reads rules that stand inside of others. */
  readonly read: (given: unknown, place: RulePlace) => readonly Rule[]
}
