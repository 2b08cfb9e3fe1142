import type { OperatorId } from '../../schema/operators/operator.ts'
import type { Slot } from '../slot.ts'
import type { EmbeddedRow, SourceRow, StoredValue, Target } from './stored-value.ts'

/** A condition on rows, without SQL, which a dialect writes. */
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

/** The right side of a comparison. */
export type Operand =
  /** A constant. It is part of the plan's shape, so that the SQL may depend on it. */
  | { readonly kind: 'boolean'; readonly yes: boolean }
  /** `field` and `list`: a value of the target's type, or a list of them. The other kinds have a type of their own. */
  | { readonly kind: 'field' | 'list' | 'int' | 'string' | 'strings' | 'json'; readonly slot: Slot }

/**
 * Tests whether objects exist for which the condition holds (`some`), or that none exist for which it does not hold
 * (`every`: it is false or unknown). Each quantifier has its own row.
 */
export interface ExistsCondition {
  readonly kind: 'exists'
  readonly quantifier: 'some' | 'every' | 'none'
  readonly over: RelatedRows | EmbeddedObjects
  /** Condition on the related objects; `null`: every object matches. */
  readonly condition: Condition | null
}

/** Rows of another source that are related to the outer row. */
export interface RelatedRows {
  readonly kind: 'rows'
  readonly row: SourceRow
  readonly tie: Tie
  readonly rules: readonly Condition[]
}

/** An object in a document, or the items of a list. */
export interface EmbeddedObjects {
  readonly kind: 'embedded'
  readonly row: EmbeddedRow
  readonly value: StoredValue
  readonly list: boolean
}

/** Relates a row to the outer row: two values are equal; for a composite key, two values per column. */
export interface Tie extends TiedValues {
  /** The further columns of a composite key. */
  readonly also?: readonly TiedValues[]
  /** Operator that compares the values instead of equality. */
  readonly by?: OperatorId
}

export interface TiedValues {
  readonly inner: StoredValue
  readonly outer: StoredValue
  /** Type that the outer value is cast to when it is read from a document; `null`: text. */
  readonly type: string | null
}
