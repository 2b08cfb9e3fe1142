import type { FederatedField, FederatedObject, FederatedType } from './authored-federation.ts'
import type { AuthoredRules } from './rules.ts'
import type { LocatedElement } from './source-location.ts'

export interface AuthoredType extends LocatedElement, FederatedObject {
  readonly name: string
  readonly description?: string
  readonly sql_source?: string
  /** Name of the JSON column of an `id` + `data` source. Default `data`. */
  readonly jsonb_column?: string
  /** Columns of its source that identify a row. Default: `pk_{entity}`, else what the catalog proves. */
  readonly key?: string | readonly string[]
  readonly implements?: readonly string[]
  readonly relay?: boolean
  /** Lives in its parent's document and has no source of its own. */
  readonly embedded?: boolean
  readonly database?: string
  readonly dataplane?: 'graphql' | 'arrow'
  /** Any of them lets the caller see the type. */
  readonly requires_role?: string | readonly string[]
  readonly is_error?: boolean
  /** Column of its source → `jwt:<claim>` that it has to hold, wherever a row of the type is opened. */
  readonly inject?: Readonly<Record<string, string>>
  /** Condition in SQL over the columns of its source, which holds wherever a row of the type is opened. */
  readonly row_filter?: string
  /** Its rows may be seen where the rules of its queries (`inject`, `row_filter`) do not hold. */
  readonly open?: boolean
  /** May clients ask for numbers about its rows (`postsAggregate`, `postsGroups`)? `true`: all that there are. */
  readonly aggregate?: boolean | AuthoredAggregate
  readonly fields: readonly AuthoredField[]
}

/** The only fields that a function is of; a function that is left out is of all that it can be of, `[]` of none. */
export interface AuthoredAggregate {
  readonly group_by?: readonly string[]
  readonly count_distinct?: readonly string[]
  readonly sum?: readonly string[]
  readonly avg?: readonly string[]
  readonly min?: readonly string[]
  readonly max?: readonly string[]
}

export interface AuthoredField extends LocatedElement, FederatedField {
  readonly name: string
  readonly type: string
  readonly description?: string
  readonly deprecated?: string
  readonly default?: unknown
  readonly requires_scope?: string
  /** Any of them lets the caller see the field. */
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
  /** Native column, when it is not the snake_case name. */
  readonly column?: string
  readonly relation?: AuthoredRelation
  readonly authorize?: string
}

/** Options of a vector field. */
export interface AuthoredVector {
  /** Number of dimensions. Default: that of the column. */
  readonly dimensions?: number
  /** The only one that is offered. */
  readonly distance_metric?: 'cosine' | 'l2' | 'l1' | 'inner_product' | 'hamming' | 'jaccard'
}

/** `from` names a column of this type's source, `to` one of the target's; of a key of several columns each a list, in the same order. */
export interface AuthoredRelation {
  readonly from: string | readonly string[]
  readonly to: string | readonly string[]
}

export interface AuthoredEnum extends LocatedElement {
  readonly name: string
  readonly description?: string
  readonly values: readonly AuthoredEnumValue[]
}

/** `name` is what GraphQL and REST speak, `value` what SQL holds (default: the same). */
export interface AuthoredEnumValue {
  readonly name: string
  readonly value?: string
  readonly description?: string
  readonly deprecated?: string
}

export interface AuthoredInterface extends LocatedElement, FederatedType {
  readonly name: string
  readonly description?: string
  readonly sql_source?: string
  readonly type_column?: string
  /** Aggregates of the rows of all its types, as for a type. */
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
  /** Rules about its fields together. */
  readonly validate?: AuthoredRules
  readonly fields: readonly AuthoredInputField[]
}

export interface AuthoredInputField extends LocatedElement {
  readonly name: string
  readonly type: string
  readonly description?: string
  readonly deprecated?: string
  readonly default?: unknown
  /** Rules that its value has to pass before any SQL runs. */
  readonly validate?: AuthoredRules
}

export interface AuthoredScalar extends LocatedElement {
  readonly name: string
  readonly description?: string
  readonly specified_by_url?: string
  /** The built-in scalar whose wire form, operators and column type it takes. Default `String`. */
  readonly base_type?: string
  /** Rules that a value which clients send has to pass. */
  readonly validation_rules?: AuthoredRules
  /** A condition on `value`, checked after the other rules. */
  readonly elo_expression?: string
  /** Module and export of the object with `serialize`, `parse`, `parse_literal`. */
  readonly module?: string
  readonly export?: string
}
