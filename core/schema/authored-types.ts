import type { FieldKeys, InterfaceKeys, TypeKeys } from './key-interfaces.ts'
import type { AuthoredRules } from './rules.ts'
import type { LocatedElement } from './source-location.ts'

export interface AuthoredType extends LocatedElement, TypeKeys {
  readonly name: string
  readonly description?: string
  readonly sql_source?: string
  /** Column that contains the row as a JSON document, if the view has the columns `id` and `data`. Default `data`. */
  readonly jsonb_column?: string
  /**
   * Columns of the type's view or table that identify a row. Default: `pk_{entity}`, otherwise a unique key that svc
   * finds in the database catalog.
   */
  readonly key?: string | readonly string[]
  readonly implements?: readonly string[]
  readonly relay?: boolean
  /**
   * `true`: values of the type are stored in the JSON document of another type, so the type has no view or table of its
   * own.
   */
  readonly embedded?: boolean
  readonly database?: string
  readonly dataplane?: 'graphql' | 'arrow'
  /** Role that a caller needs to read the type. Of a list, the caller needs one role. */
  readonly requires_role?: string | readonly string[]
  readonly is_error?: boolean
  /**
   * Limits every read of the type's rows to those whose column equals a claim of the caller's token:
   * `{ tenant_id: 'jwt:tenant' }`.
   */
  readonly inject?: Readonly<Record<string, string>>
  /** SQL condition on the columns of the type's view or table, which applies to every read of its rows. */
  readonly row_filter?: string
  /**
   * `true`: rows can also be reached in other ways than through the type's queries, such as relations, where the rules
   * of those queries (`inject`, `row_filter`) do not apply.
   */
  readonly open?: boolean
  /**
   * Offers aggregate queries over the rows of the type (`postsAggregate`, `postsGroups`). `true`: with all suitable
   * functions and fields.
   */
  readonly aggregate?: boolean | AuthoredAggregate
  readonly fields: readonly AuthoredField[]
}

/**
 * Fields that each aggregate function offers to clients. An absent function offers all suitable fields; `[]` offers
 * none.
 */
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
  /** Role that a caller needs to read the field. Of a list, the caller needs one role. */
  readonly requires_role?: string | readonly string[]
  readonly on_deny?: 'mask' | 'reject'
  readonly filterable?: boolean
  readonly orderable?: boolean
  readonly computed?: boolean
  readonly searchable?: boolean
  readonly filter_type?: string
  readonly filter_operators?: readonly string[]
  readonly vector_config?: AuthoredVector
  /**
   * Name of the hierarchy (a type whose rows form a tree) that the paths in this field belong to. Clients can then
   * filter the paths by ids of its rows.
   */
  readonly hierarchy?: string
  /** Column that the field is read from. Default: the name of the field in snake_case. */
  readonly column?: string
  readonly relation?: AuthoredRelation
  readonly authorize?: string
  /**
   * SQL expression that computes the field from columns of the type's view or table. `{name}` stands for a field value
   * that a federation gateway sends (in the representation of the entity).
   */
  readonly sql?: string
}

/** Options of a field whose values are vectors, for similarity search. */
export interface AuthoredVector {
  /** Number of dimensions of each value. Default: as the column declares. */
  readonly dimensions?: number
  /** The only distance metric that filters of clients may use for the field. Absent: all metrics of its type. */
  readonly distance_metric?: 'cosine' | 'l2' | 'l1' | 'inner_product' | 'hamming' | 'jaccard'
}

/**
 * Columns that join rows of the declaring type (`from`) to rows of the field's type (`to`). For a composite key, both
 * are lists in the same order.
 */
export interface AuthoredRelation {
  readonly from: string | readonly string[]
  readonly to: string | readonly string[]
  /** The join table, or a view of one. Its `from` has the values of the relation's `from`, its `to` those of its `to`. */
  readonly through?: { readonly sql_source: string } & Pick<AuthoredRelation, 'from' | 'to'>
}

export interface AuthoredEnum extends LocatedElement {
  readonly name: string
  readonly description?: string
  readonly values: readonly AuthoredEnumValue[]
}

/**
 * A value of an enum. `name` is the value in GraphQL and REST; `value` is the value in SQL and is the same by default.
 */
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
  /**
   * `true`: offers aggregate queries over the rows of all types that implement the interface. An object limits their
   * fields.
   */
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
  /** Validation rules that concern several fields of the input together. */
  readonly validate?: AuthoredRules
  readonly fields: readonly AuthoredInputField[]
}

export interface AuthoredInputField extends LocatedElement {
  readonly name: string
  readonly type: string
  readonly description?: string
  readonly deprecated?: string
  readonly default?: unknown
  /** Validation rules for the field's value, checked before any SQL runs. */
  readonly validate?: AuthoredRules
}

export interface AuthoredScalar extends LocatedElement {
  readonly name: string
  readonly description?: string
  readonly specified_by_url?: string
  /**
   * The built-in scalar whose JSON format, filter operators and column type the custom scalar has. Default `String`.
   */
  readonly base_type?: string
  /** Validation rules for values of the scalar that clients send. */
  readonly validation_rules?: AuthoredRules
  /** Expression over `value` that must be true for a value from a client. It is checked after `validation_rules`. */
  readonly elo_expression?: string
  /**
   * Path of the module that exports the conversion functions (`serialize`, `parse`, `parse_literal`), under the name in
   * `export`.
   */
  readonly module?: string
  readonly export?: string
}
