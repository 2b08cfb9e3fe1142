import type { OperatorId } from '../../schema/operators/operator.ts'
import type { Slot } from '../slot.ts'
import type { EmbeddedRow, SourceRow, StoredValue, Target } from './stored-value.ts'

/** A condition on rows, as a tree without SQL. A dialect writes it as SQL. */
export type Condition =
  /** All conditions hold; each is written separately. */
  | { readonly kind: 'all'; readonly conditions: readonly Condition[] }
  /** `_and`, `_or`: each condition in parentheses, and the group in parentheses. */
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
  /** Quantified conditions (`some`, `every`) on the objects of one list. */
  | { readonly kind: 'quantifiers'; readonly conditions: readonly ExistsCondition[] }
  /** SQL of the author, with slots for values between its pieces. */
  | { readonly kind: 'authored'; readonly parts: readonly (string | Slot)[] }

/** The right side of a comparison in a plan. Its values are parameters (`Slot`), which each request fills. */
export type Operand =
  /** A constant. It is part of the plan's shape, so that the SQL may depend on it. */
  | { readonly kind: 'boolean'; readonly yes: boolean }
  /** `field` and `list`: a value of the target's type, or a list of them. The other kinds have a type of their own. */
  | { readonly kind: 'field' | 'list' | 'int' | 'string' | 'strings' | 'json'; readonly slot: Slot }

/**
 * Condition on the related rows or embedded objects of a row. `some`: at least one satisfies the condition. `none`:
 * none does. `every`: the condition is true for all of them.
 */
export interface ExistsCondition {
  readonly kind: 'exists'
  readonly quantifier: 'some' | 'every' | 'none'
  readonly over: RelatedRows | EmbeddedObjects
  /** Condition that the related objects are tested with; `null`: every object matches. */
  readonly condition: Condition | null
}

/**
 * Rows of another view or table that a condition tests, with the join condition and the row rules that apply to them.
 */
export interface RelatedRows {
  readonly kind: 'rows'
  readonly row: SourceRow
  readonly tie: Tie
  readonly rules: readonly Condition[]
}

/** Objects inside a JSON document that a condition tests: one object, or the items of a list. */
export interface EmbeddedObjects {
  readonly kind: 'embedded'
  readonly row: EmbeddedRow
  readonly value: StoredValue
  readonly list: boolean
}

/**
 * Join condition between a related row (`inner`) and the row that has the relation (`outer`): their values are equal. A
 * composite key has a pair of values per column. With `through`, `inner` is a value of the join table's row.
 */
export interface Tie extends TiedValues {
  /** Further pairs of columns, when the rows are joined by a composite key. */
  readonly also?: readonly TiedValues[]
  /** Filter operator that compares the two values. Absent: they are equal. */
  readonly by?: OperatorId
  /** Join table of a many-to-many relation: its rows connect the two rows. Absent: the rows are joined directly. */
  readonly through?: JoinRows
}

/** Join table of a many-to-many relation. Two rows are related if at least one row of the table connects them. */
export interface JoinRows {
  readonly row: SourceRow
  readonly rules: readonly Condition[]
  /** Pairs of equal values in the related row (`inner`) and the row of the join table (`outer`); at least one. */
  readonly pairs: readonly TiedValues[]
}

export interface TiedValues {
  readonly inner: StoredValue
  readonly outer: StoredValue
  /** SQL type that `outer` is cast to if it is read from a JSON document; `null`: it is compared as text. */
  readonly type: string | null
}
