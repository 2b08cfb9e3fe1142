import type { AuthorFunction, InputFieldModel } from '../schema/model.ts'
import type { Rule } from '../schema/rules.ts'
import type { ConditionFacts } from './condition-scope.ts'

/** Where a rule is asked. `value` is the field's, or the input itself. */
export type Facts = ConditionFacts

/** What a rule has to say against a value. */
export interface Objection {
  readonly message: string
  /** Which rule, and what it wants; never the value. */
  readonly context: Readonly<Record<string, unknown>>
  /** From the value on: places in lists. */
  readonly below: readonly number[]
}

export type Objector = (objection: Objection) => void

/** One rule, compiled. Says nothing where the rule holds. */
export type Check = (facts: Facts, object: Objector) => void

/** What rules of one place are compiled with. */
export interface CheckSite {
  /** Where validators are found. */
  readonly functions: readonly AuthorFunction[]
  /** Of the input that the rule stands in. */
  readonly fields: ReadonlyMap<string, InputFieldModel>
  /** `null`: the rule is about the input itself. */
  readonly field: InputFieldModel | null
}

export type RuleOf<T extends Rule['type']> = Extract<Rule, { readonly type: T }>
