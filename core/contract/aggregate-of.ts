import type { AggregateFunction } from '../schema/aggregate-type.ts'
import type { Period } from '../schema/group-keys.ts'
import type { FieldModel, QueryModel } from '../schema/model.ts'
import type { ArgumentNode, Location, ValueNode } from './value-node.ts'

/** Numbers about the rows of a list query: of all of them, or of each group. */
export interface AggregateRoot extends AggregateOf {
  readonly kind: 'aggregate'
  readonly responseKey: string
  /** Whose rows: its guards and rules hold, and a type's. */
  readonly operation: QueryModel
  readonly location: Location | null
  /** Answered with null: what authorize denied. */
  readonly denied?: string
}

/** What is asked about rows: at a root, or about the rows that a relation leads to. */
export interface AggregateOf {
  /**
   * Those that say which rows (`where`, a query's own). With groups `limit` and `offset` are of groups, and `having` and
   * `orderBy` may stand here too, in the form of GraphQL's inputs: `{ sum: { price: { _gt: 5 } } }`, `[{ sum: { price: "DESC" } }]`.
   */
  readonly arguments: readonly ArgumentNode[]
  /**
   * Scalar and enum fields, and periods of days and times; or a list of their names on the wire, where variables decide it.
   * `null`: one object about all rows; else a list of one per group.
   */
  readonly groupBy: readonly GroupedBy[] | ValueNode | null
  readonly fields: readonly AggregateField[]
  /** Which groups: all of these hold. */
  readonly having: readonly AggregateCondition[]
  /** Of the groups, before what `orderBy` of the arguments says; those that neither tells apart are in the order of `groupBy`. */
  readonly orderBy: readonly AggregateOrder[]
}

/** A field, or the period that its values fall into. */
export type GroupedBy = FieldModel | { readonly field: FieldModel; readonly period: Period }

/** A number about rows; `field: null` is the number of rows, and goes with `count` alone. */
export interface Measure {
  readonly function: AggregateFunction
  readonly field: FieldModel | null
}

export type AggregateField =
  | ({ readonly kind: 'measure'; readonly responseKey: string } & Measure)
  /** A field of `groupBy`. */
  | {
      readonly kind: 'key'
      readonly responseKey: string
      readonly field: FieldModel
      readonly period?: Period | null
    }
  | { readonly kind: 'typename'; readonly responseKey: string; readonly typeName: string }
  /** Answered with null: what authorize denied. */
  | { readonly kind: 'denied'; readonly responseKey: string; readonly target: string }
  /** `sum { price pages }`. */
  | { readonly kind: 'object'; readonly responseKey: string; readonly fields: readonly AggregateField[] }

export interface AggregateCondition {
  readonly measure: Measure
  readonly operator: '_eq' | '_neq' | '_gt' | '_gte' | '_lt' | '_lte'
  readonly value: ValueNode
}

export interface AggregateOrder {
  readonly by: Measure | { readonly key: FieldModel; readonly period?: Period | null }
  readonly direction: 'ASC' | 'DESC' | 'ASC_NULLS_FIRST' | 'ASC_NULLS_LAST' | 'DESC_NULLS_FIRST' | 'DESC_NULLS_LAST'
}
