import type { FieldKeys, InterfaceKeys, TypeKeys } from './key-interfaces.ts'
import type { AuthoredRules } from './rules.ts'
import type { LocatedElement } from './source-location.ts'

export interface AuthoredType extends LocatedElement, TypeKeys {
  readonly name: string
  readonly description?: string
  readonly sql_source?: string
  /** Name of the JSON column of an `id` + `data` source. Default `data`. */
  readonly jsonb_column?: string
  /** Columns of the source that identify a row. Default: `pk_{entity}`, else a key that the catalog proves. */
  readonly key?: string | readonly string[]
  readonly implements?: readonly string[]
  readonly relay?: boolean
  /** Values are stored in the parent's document; the type has no source of its own. */
  readonly embedded?: boolean
  readonly database?: string
  readonly dataplane?: 'graphql' | 'arrow'
  /** Roles. A caller with any of them may see the type. */
  readonly requires_role?: string | readonly string[]
  readonly is_error?: boolean
  /** Column of the source → `jwt:<claim>` that the column must equal, in every read of rows of the type. */
  readonly inject?: Readonly<Record<string, string>>
  /** SQL condition on the columns of the source, which applies to every read of rows of the type. */
  readonly row_filter?: string
  /**
   * Rows can be reached in other ways than by the type's queries, without the rules of those queries (`inject`,
   * `row_filter`).
   */
  readonly open?: boolean
  /** Offers aggregates of the rows to clients (`postsAggregate`, `postsGroups`). `true`: all possible aggregates. */
  readonly aggregate?: boolean | AuthoredAggregate
  readonly fields: readonly AuthoredField[]
}

/** Fields that each aggregate function applies to. A function without an entry applies to all suitable fields, one with `[]` to none. */
export interface AuthoredAggregate {
  readonly group_by?: readonly string[]
  readonly count_distinct?: readonly string[]
  readonly sum?: readonly string[]
  readonly avg?: readonly string[]
  readonly min?: readonly string[]
  readonly max?: readonly string[]
}

export interface AuthoredField extends LocatedElement, FieldKeys {
  readonly name: string
  readonly type: string
  readonly description?: string
  readonly deprecated?: string
  readonly default?: unknown
  readonly requires_scope?: string
  /** Roles. A caller with any of them may see the field. */
  readonly requires_role?: string | readonly string[]
  readonly on_deny?: 'mask' | 'reject'
  readonly filterable?: boolean
  readonly orderable?: boolean
  readonly computed?: boolean
  readonly searchable?: boolean
  readonly filter_type?: string
  readonly filter_operators?: readonly string[]
  readonly vector_config?: AuthoredVector
  /** Name of the hierarchy of a path field. Filters can compare the path with rows of that type, by their ids. */
  readonly hierarchy?: string
  /** Name of the column. Default: the snake_case name of the field. */
  readonly column?: string
  readonly relation?: AuthoredRelation
  readonly authorize?: string
  /** SQL expression over the source that computes the field. `{name}` stands for a value of a representation. */
  readonly sql?: string
}

/** Options of a vector field. */
export interface AuthoredVector {
  /** Number of dimensions. Default: that of the column. */
  readonly dimensions?: number
  /** Distance metric that clients may use. No other metric is allowed. */
  readonly distance_metric?: 'cosine' | 'l2' | 'l1' | 'inner_product' | 'hamming' | 'jaccard'
}

/**
 * Columns of a relation. `from` names a column of this type's source, `to` a column of the target's. For a composite
 * key, both are lists in the same order.
 */
export interface AuthoredRelation {
  readonly from: string | readonly string[]
  readonly to: string | readonly string[]
}

export interface AuthoredEnum extends LocatedElement {
  readonly name: string
  readonly description?: string
  readonly values: readonly AuthoredEnumValue[]
}

/** A value of an enum. `name` is the value in GraphQL and REST, `value` the one in SQL (default: the name). */
export interface AuthoredEnumValue {
  readonly name: string
  readonly value?: string
  readonly description?: string
  readonly deprecated?: string
}

export interface AuthoredInterface extends LocatedElement, InterfaceKeys {
  readonly name: string
  readonly description?: string
  readonly sql_source?: string
  readonly type_column?: string
  /** Aggregates over the rows of all types that implement the interface. */
  readonly aggregate?: boolean | AuthoredAggregate
  readonly fields: readonly AuthoredField[]
}

export interface AuthoredUnion extends LocatedElement {
  readonly name: string
  readonly description?: string
  readonly members: readonly string[]
  readonly sql_source?: string
  readonly type_column?: string
}

export interface AuthoredInput extends LocatedElement {
  readonly name: string
  readonly description?: string
  /** Rules over several fields of the input. */
  readonly validate?: AuthoredRules
  readonly fields: readonly AuthoredInputField[]
}

export interface AuthoredInputField extends LocatedElement {
  readonly name: string
  readonly type: string
  readonly description?: string
  readonly deprecated?: string
  readonly default?: unknown
  /** Rules that the value must pass before any SQL runs. */
  readonly validate?: AuthoredRules
}

export interface AuthoredScalar extends LocatedElement {
  readonly name: string
  readonly description?: string
  readonly specified_by_url?: string
  /** The built-in scalar whose wire form, operators and column type the scalar uses. Default `String`. */
  readonly base_type?: string
  /** Rules that values from clients must pass. */
  readonly validation_rules?: AuthoredRules
  /** A condition on `value`, checked after the other rules. */
  readonly elo_expression?: string
  /** Module and export of an object with `serialize`, `parse`, `parse_literal`. */
  readonly module?: string
  readonly export?: string
}
