import type { AuthorFunction, InputFieldModel } from '../model.ts'
import type { Rule } from '../rules.ts'
import type { ConditionFacts } from './condition-scope.ts'

/**
 * Values that the condition of a rule can use. `value` is the value of the field; for rules of an input, the input
 * object.
 */
export type Facts = ConditionFacts

/** A violation of a rule by a value. */
export interface Objection {
  readonly message: string
  /** Name and parameters of the rule; never the value. */
  readonly context: Readonly<Record<string, unknown>>
  /** List indexes on the path from the value to the rejected item. */
  readonly below: readonly number[]
}

export type Objector = (objection: Objection) => void

/** A compiled rule. It calls `object` for each violation, and not at all when the value is valid. */
export type Check = (facts: Facts, object: Objector) => void

/** The element of the schema that a rule belongs to, for the compilation of the rule. */
export interface CheckSite {
  /** The author's functions, among them validators. */
  readonly functions: readonly AuthorFunction[]
  /** Fields of the input that contains the rule. */
  readonly fields: ReadonlyMap<string, InputFieldModel>
  /** Field that the rule belongs to; `null`: the rule belongs to the input itself. */
  readonly field: InputFieldModel | null
}

export type RuleOf<T extends Rule['type']> = Extract<Rule, { readonly type: T }>
