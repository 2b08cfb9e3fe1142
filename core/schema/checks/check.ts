import type { AuthorFunction, InputFieldModel } from '../model.ts'
import type { Rule } from '../rules.ts'
import type { ConditionFacts } from './condition-scope.ts'

/**
 * What a validation rule can read when it checks a request. `value` is the value of the field with the rule, or the
 * whole input object for a rule of an input.
 */
export type Facts = ConditionFacts

/** A violation of a validation rule, as a check reports it. */
export interface Objection {
  readonly message: string
  /** Name and parameters of the violated rule, for the client. It never contains the value. */
  readonly context: Readonly<Record<string, unknown>>
  /**
   * If a rule applies to the items of a list: indexes that lead from the checked value to the violating item. Otherwise
   * empty.
   */
  readonly below: readonly number[]
}

export type Objector = (objection: Objection) => void

/**
 * A validation rule, compiled to a function. It calls `object` once for each violation; without a call, the value is
 * valid.
 */
export type Check = (facts: Facts, object: Objector) => void

/** Where in the schema a validation rule is declared, as needed to compile it. */
export interface CheckSite {
  /** Functions of the schema author. The rule `custom` calls one of the kind `validator`. */
  readonly functions: readonly AuthorFunction[]
  /** Fields of the input (or arguments of the operation) that the rule belongs to. */
  readonly fields: ReadonlyMap<string, InputFieldModel>
  /** The field or argument that has the rule; `null`: the input or operation as a whole has it. */
  readonly field: InputFieldModel | null
}

export type RuleOf<T extends Rule['type']> = Extract<Rule, { readonly type: T }>
