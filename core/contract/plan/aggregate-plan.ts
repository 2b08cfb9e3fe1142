import type { Period } from '../../schema/group-keys.ts'
import type { OperatorId } from '../../schema/operators/operator.ts'
import type { AggregateFunction } from '../operation.ts'
import type { Slot } from '../slot.ts'
import type { Tie } from './condition.ts'
import type { CountOf, Direction, Leaf, Page } from './plan-parts.ts'
import type { Target } from './stored-value.ts'

/** Plan node that computes aggregates over rows: one object over all rows, or one per group. */
export interface Aggregate {
  readonly kind: 'aggregate'
  readonly from: CountOf
  /** Join condition between the aggregated rows and the row that has the relation; `null` at a root field. */
  readonly tie: Tie | null
  /**
   * Columns of the SQL that computes the aggregates, group keys first. `members`, `having` and `order` refer to a
   * column by its index.
   */
  readonly columns: readonly AggregateColumn[]
  /** `true`: the result has one object per group; `false`: one object for all rows. */
  readonly grouped: boolean
  readonly members: readonly AggregateMember[]
  readonly having: readonly GroupCondition[]
  readonly order: readonly { readonly column: number; readonly direction: Direction }[]
  /** Limit and offset, which apply to the list of groups. */
  readonly page: Page
}

export type AggregateColumn =
  | { readonly kind: 'key'; readonly target: Target; readonly period: Period | null; readonly field: Leaf['field'] }
  /** The number of rows. */
  | { readonly kind: 'rows' }
  | {
      readonly kind: 'measure'
      readonly function: AggregateFunction
      readonly target: Target
      /** Type of the result; `field.named` is a scalar. */
      readonly field: Leaf['field']
    }

export type AggregateMember = { readonly key: string } & (
  | { readonly kind: 'typename'; readonly name: string }
  | { readonly kind: 'column'; readonly column: number }
  | { readonly kind: 'denied' }
  | { readonly kind: 'object'; readonly members: readonly AggregateMember[] }
)

export type GroupCondition =
  | { readonly kind: 'compare'; readonly column: number; readonly operator: OperatorId; readonly operand: Slot }
  /** Without conditions, `and` is true and `or` is false. */
  | { readonly kind: 'group'; readonly joint: 'and' | 'or'; readonly conditions: readonly GroupCondition[] }
  | { readonly kind: 'not'; readonly condition: GroupCondition }
