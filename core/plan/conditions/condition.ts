import type { Slot } from '../../contract/slot.ts'
import type { EmbeddedRow, SourceRow, StoredValue, Target } from '../rows/stored-value.ts'
import type { OperatorId } from './operator.ts'

/** What rows have to fulfil. No SQL: a dialect writes it. */
export type Condition =
  /** Each in its own right. */
  | { readonly kind: 'all'; readonly conditions: readonly Condition[] }
  /** `_and`, `_or`: each in parentheses, and all of them in one pair. */
  | { readonly kind: 'group'; readonly joint: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition }
  | { readonly kind: 'constant'; readonly holds: boolean }
  | {
      readonly kind: 'compare'
      readonly operator: OperatorId
      readonly target: Target
      readonly operand: Operand
    }
  | ExistsCondition
  /** The quantifiers of one list. */
  | { readonly kind: 'quantifiers'; readonly conditions: readonly ExistsCondition[] }
  /** SQL of the schema's author, with the values between its parts. */
  | { readonly kind: 'authored'; readonly parts: readonly (string | Slot)[] }

/** The right side of a comparison. */
export type Operand =
  /** Part of the plan's shape, so it may decide the SQL. */
  | { readonly kind: 'boolean'; readonly yes: boolean }
  /** `field` and `list`: a value of the target's type, or a list of them. The other kinds have a type of their own. */
  | { readonly kind: 'field' | 'list' | 'int' | 'string' | 'strings' | 'json'; readonly slot: Slot }

/**
 * Is there such an object, or no object that is not such? `every` ranges over objects for which the condition is false
 * or unknown. Each ranges over rows of its own.
 */
export interface ExistsCondition {
  readonly kind: 'exists'
  readonly quantifier: 'some' | 'every' | 'none'
  readonly over: RelatedRows | EmbeddedObjects
  /** `null`: any object will do. */
  readonly condition: Condition | null
}

/** Rows of another source, tied to the outer row. */
export interface RelatedRows {
  readonly kind: 'rows'
  readonly row: SourceRow
  readonly tie: Tie
  readonly rules: readonly Condition[]
}

/** Objects in a document: one, or the items of a list. */
export interface EmbeddedObjects {
  readonly kind: 'embedded'
  readonly row: EmbeddedRow
  readonly value: StoredValue
  readonly list: boolean
}

/** What ties a related row to the outer row: two values are equal, and of a key of several columns two each. */
export interface Tie extends TiedValues {
  /** The other columns of the key. */
  readonly also?: readonly TiedValues[]
  /** How the outer value stands to the inner ones, in the place of being equal. */
  readonly by?: OperatorId
}

export interface TiedValues {
  readonly inner: StoredValue
  readonly outer: StoredValue
  /** Type that the outer side takes when it comes out of a document; `null` = text. */
  readonly type: string | null
}

/** All of the conditions, or `null` when there are none. */
export function allOf(conditions: readonly Condition[]): Condition | null {
  const [only, ...others] = conditions
  return others.length === 0 ? (only ?? null) : { kind: 'all', conditions }
}
