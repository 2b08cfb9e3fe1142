import type { AggregateFunction } from '../schema/aggregate-type.ts'
import type { Period } from '../schema/group-keys.ts'
import type { FieldModel, QueryModel } from '../schema/model.ts'
import type { ArgumentNode, Location, ValueNode } from './value-node.ts'

/** A root field with aggregates over the rows of a list query, or over each group of them (docs/guides/aggregates.md). */
export interface AggregateRoot extends AggregateOf {
  readonly kind: 'aggregate'
  readonly responseKey: string
  /** List query of the rows. Its guards and row rules apply, and those of its type. */
  readonly operation: QueryModel
  readonly location: Location | null
  /** Denied type or field, from `authorize`: the response is null. */
  readonly denied?: string
}

/** Selected aggregates, of a root field or of a relation. */
export interface AggregateOf {
  /**
   * Arguments that select rows: `where` and those of the query. With groups, `limit` and `offset` apply to groups, and `having` and
   * `orderBy` are allowed, as GraphQL inputs: `{ sum: { price: { _gt: 5 } } }`, `[{ sum: { price: "DESC" } }]`.
   */
  readonly arguments: readonly ArgumentNode[]
  /**
   * Group keys: scalar and enum fields, and periods of dates and times; or a list of their wire names, when variables decide. `null`: one
   * object over all rows; else a list with one object for each group.
   */
  readonly groupBy: readonly GroupedBy[] | ValueNode | null
  readonly fields: readonly AggregateField[]
  /** HAVING conditions. A group must satisfy all of them. */
  readonly having: readonly AggregateCondition[]
  /** Order of groups, before `orderBy` of the arguments and, last, the order of the group keys. */
  readonly orderBy: readonly AggregateOrder[]
}

/** A group key: a field, or a period of its values. */
export type GroupedBy = FieldModel | { readonly field: FieldModel; readonly period: Period }

/** An aggregate function of a field. `field: null`, only with `count`: the number of rows. */
export interface Measure {
  readonly function: AggregateFunction
  readonly field: FieldModel | null
}

export type AggregateField =
  | ({ readonly kind: 'measure'; readonly responseKey: string } & Measure)
  /** The value of a group key. */
  | {
      readonly kind: 'key'
      readonly responseKey: string
      readonly field: FieldModel
      readonly period?: Period | null
    }
  | { readonly kind: 'typename'; readonly responseKey: string; readonly typeName: string }
  /** Null, because authorize denied the target. */
  | { readonly kind: 'denied'; readonly responseKey: string; readonly target: string }
  /** An object of aggregates: `sum { price pages }`. */
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
