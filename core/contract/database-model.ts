import type { Digits } from '../schema/digits.ts'
import type { Place } from '../schema/place.ts'

/**
 * A whole database as its catalog describes it, for `svc serve`, `svc introspect`, `svc init --database` and `svc advise`. Objects of
 * the system, of extensions and of svc itself (`svc_…`) are left out.
 */
export interface DatabaseModel {
  /** In the order of schema and name. */
  readonly relations: readonly ModelRelation[]
  readonly functions: readonly ModelFunction[]
  readonly enums: readonly ModelEnum[]
  /** Objects that exist and cannot be described or used, with the reason. */
  readonly skipped: readonly SkippedObject[]
}

/** A name as the catalog has it: case-sensitive, without quotes. */
export interface QualifiedName {
  /** Absent in databases without schemas. */
  readonly schema?: string
  readonly name: string
  /** The name is found without its schema, by the search path of the role. */
  readonly visible: boolean
}

export type RelationKind = 'table' | 'partitioned table' | 'foreign table' | 'view' | 'materialized view'

export interface ModelRelation extends QualifiedName {
  readonly kind: RelationKind
  readonly comment?: string
  readonly columns: readonly ModelColumn[]
  /** Columns of the primary key, in its order. Empty: there is none. */
  readonly primaryKey: readonly string[]
  /**
   * Other keys: unique constraints and unique indexes on plain columns without a condition, and keys that the catalog proves for the rows
   * of a view. Those without NULLs come first. Left out are keys that contain another key, deferrable keys, and keys of tables that others
   * inherit from, because they do not hold for the rows of the other tables. Nothing is proven in a database of more than 500 views.
   */
  readonly uniqueKeys: readonly (readonly string[])[]
  /** The referenced relation need not be in the model: it may be a partition, unreadable, of an extension, or (SQLite) not exist. */
  readonly foreignKeys: readonly ModelForeignKey[]
  readonly indexes: readonly ModelIndex[]
  /** Tables that this one inherits from, as `schema.name`. Partitions are not listed, because their partitioned table has their rows. */
  readonly inherits?: readonly string[]
  /** Number of rows by the statistics of the server. Absent: unknown. */
  readonly estimatedRows?: number
  /** Row-level security is enabled. `forced`: for the owner, too. Absent: it is not. */
  readonly rowSecurity?: 'enabled' | 'forced'
  /**
   * Privileges of the role of the connection on at least one column. A view without triggers that is not updatable allows no write, and a
   * materialized view none at all.
   */
  readonly privileges: ModelPrivileges
}

export interface ModelPrivileges {
  readonly select: boolean
  readonly insert: boolean
  readonly update: boolean
  readonly delete: boolean
}

export interface ModelColumn {
  readonly name: string
  /** As in `CatalogRelation`: `int4`, `_text` for an array, `enum:mood`, `row:address` for a composite. A domain has its base type. */
  readonly type: string
  /** As SQL declares it, for casts and parameters: `numeric(10,2)`, `public.mood`, `email[]`. */
  readonly sqlType: string
  readonly comment?: string
  /** No row has NULL. Absent proofs count as no: see `CatalogRelation`. */
  readonly notNull: boolean
  /** An INSERT may leave the column out: it has a default, is an identity, or may be NULL. */
  readonly hasDefault: boolean
  /**
   * The database computes the value, so that no statement may set it: generated columns, identities GENERATED ALWAYS, and
   * expressions of a view.
   */
  readonly generated?: true
  /** The role may not read the column. Absent: it may. */
  readonly unreadable?: true
  /** Statements of those that the relation allows in which the role may not set the column. Absent: none. */
  readonly refuses?: readonly ('insert' | 'update')[]
  /** Name of the domain of the column, without its schema. `digits` are then those of the domain. */
  readonly domain?: string
  /** Enum type of the column or of its elements, as `schema.name` of {@link ModelEnum}, or with its name alone in databases without schemas. */
  readonly enum?: string
  readonly digits?: Digits
  readonly place?: Place
  readonly dimensions?: number
}

export interface ModelForeignKey {
  /** Name of the constraint. */
  readonly name: string
  readonly columns: readonly string[]
  readonly references: { readonly schema?: string; readonly name: string; readonly columns: readonly string[] }
}

export interface ModelIndex {
  readonly name: string
  /** Plain columns in the order of the index. An expression is an empty string. */
  readonly columns: readonly string[]
  readonly unique: boolean
  /** `btree`, `gin`, … */
  readonly method: string
  /** Operator class of each column where it is not the default: `text_pattern_ops`, `gin_trgm_ops`. */
  readonly operatorClasses?: readonly (string | null)[]
  /** The index covers only rows that match a condition. */
  readonly partial?: true
}

export interface ModelEnum extends QualifiedName {
  readonly labels: readonly string[]
  readonly comment?: string
}

export interface ModelFunction extends QualifiedName {
  readonly kind: 'function' | 'procedure'
  readonly comment?: string
  readonly volatility: 'immutable' | 'stable' | 'volatile'
  readonly parameters: readonly {
    /** `null`: the parameter has no name. */
    readonly name: string | null
    readonly type: string
    readonly sqlType: string
    readonly hasDefault: boolean
    readonly variadic?: true
    readonly enum?: string
  }[]
  readonly returns: {
    readonly set: boolean
    readonly kind: 'void' | 'scalar' | 'composite'
    readonly type: string
    /** Enum type of the value or of its elements, as for columns. */
    readonly enum?: string
    /** Relation whose rows the function returns. */
    readonly relation?: { readonly schema?: string; readonly name: string }
    /** Columns of OUT parameters, of `RETURNS TABLE`, of the relation, or of another composite type. */
    readonly columns: readonly { readonly name: string; readonly type: string; readonly enum?: string }[]
  }
  /** The role may execute the function. */
  readonly executable: boolean
}

export interface SkippedObject {
  /** `table`, `view`, `function`, … */
  readonly kind: string
  /** Name with its schema, where it has one. A column: `schema.table.column`. A function: `schema.name(integer, text)`. */
  readonly name: string
  /** A sentence without a subject: `has no columns`. */
  readonly reason: string
}
