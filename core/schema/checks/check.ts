import type { AuthorFunction, InputFieldModel } from '../model.ts'
import type { Rule } from '../rules.ts'
import type { ConditionFacts } from './condition-scope.ts'

/** The values that a rule is checked with. `value` is that of the field, or the input itself. */
export type Facts = ConditionFacts

/** The objection of a rule to a value. */
export interface Objection {
  readonly message: string
  /** The name of the rule and its parameters; never the value. */
  readonly context: Readonly<Record<string, unknown>>
  /** Indexes in lists that lead from the value to the refused item. */
  readonly below: readonly number[]
}

export type Objector = (objection: Objection) => void

/** A compiled rule. It calls `object` for each objection, and not at all when the rule holds. */
export type Check = (facts: Facts, object: Objector) => void

/** The place of a rule in the schema, for its compilation. */
export interface CheckSite {
  /** The author's functions, among them validators. */
  readonly functions: readonly AuthorFunction[]
  /** Fields of the input that contains the rule. */
  readonly fields: ReadonlyMap<string, InputFieldModel>
  /** `null`: the rule is about the input itself. */
  readonly field: InputFieldModel | null
}

export type RuleOf<T extends Rule['type']> = Extract<Rule, { readonly type: T }>
