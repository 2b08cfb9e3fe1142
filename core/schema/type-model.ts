import type { CompiledRead, CompiledSource } from './compiled.ts'
import type { Place } from './place.ts'
import type { Rule } from './rules.ts'
import type { TypeRef } from './type-ref.ts'

export type NamedType = ObjectType | InterfaceType | UnionType | EnumType | InputType | ScalarType
export type OutputComposite = ObjectType | InterfaceType | UnionType

export interface ObjectType {
  readonly kind: 'object'
  readonly name: string
  readonly description: string | undefined
  /**
   * `arrow`: only queries of the Arrow transport return rows of the type, and other protocols do not show it.
   * `graphql`: all other protocols serve it.
   */
  readonly dataplane: 'graphql' | 'arrow'
  /** View or table with the rows of the type; `null`: its objects are part of another type's JSON document. */
  readonly source: CompiledSource | null
  /** Name of the column that contains a row as JSON document; `null`: the view has a column for each field. */
  readonly document: string | null
  readonly relay: boolean
  /** Columns that identify a row, as the author declared them; `null`: none are declared. */
  readonly key: readonly string[] | null
  readonly cursor: {
    readonly column: string
    readonly columnType: string | null
    readonly document: string | null
    /** Second sort key, a column or a document key; `null`: the cursor column is unique. */
    readonly tie: string | null
    /** Columns that order a page instead of the cursor column and its tie; `null`: those two order it. */
    readonly by: readonly string[] | null
    /** A digest of a row's fields is the last sort key. */
    readonly digest: boolean
  } | null
  readonly interfaces: readonly InterfaceType[]
  /** Roles of which a caller needs one to read the type. Empty: no role is needed. */
  readonly requiresRole: readonly string[]
  readonly isError: boolean
  /** Token claims that a column must equal in every read of the type's rows; `parameter` names the column. */
  readonly inject: readonly { readonly parameter: string; readonly claim: string }[]
  readonly injectReads: ReadonlyMap<string, CompiledRead>
  readonly rowFilter: string | undefined
  /** Fields that aggregate queries over the type may use. `null`: APIs offer no aggregate queries. */
  readonly aggregate: AggregateOptions | null
  /** Fields in declared order, by their name in the API. */
  readonly fields: ReadonlyMap<string, FieldModel>
}

/**
 * Fields that each aggregate function offers to clients, by their names in the API. An absent function offers all
 * suitable fields.
 */
export interface AggregateOptions {
  readonly groupBy?: ReadonlySet<string> | undefined
  readonly countDistinct?: ReadonlySet<string> | undefined
  readonly sum?: ReadonlySet<string> | undefined
  readonly avg?: ReadonlySet<string> | undefined
  readonly min?: ReadonlySet<string> | undefined
  readonly max?: ReadonlySet<string> | undefined
}

export interface InterfaceType {
  readonly kind: 'interface'
  readonly name: string
  readonly description: string | undefined
  readonly source: CompiledSource | null
  readonly typeColumn: string
  /** Fields that aggregate queries over the interface may use. `null`: APIs offer no aggregate queries. */
  readonly aggregate: AggregateOptions | null
  readonly fields: ReadonlyMap<string, FieldModel>
  /** Object types that implement the interface. `linkSchema` fills the list. */
  readonly members: readonly ObjectType[]
}

export interface UnionType {
  readonly kind: 'union'
  readonly name: string
  readonly description: string | undefined
  readonly source: CompiledSource | null
  readonly typeColumn: string
  readonly members: readonly ObjectType[]
}

export interface EnumType {
  readonly kind: 'enum'
  readonly name: string
  readonly description: string | undefined
  readonly values: readonly EnumValueModel[]
  /** Value in SQL, by the value's name in the API. */
  readonly toValue: ReadonlyMap<string, string>
  /** Name of the value in the API, by its value in SQL. */
  readonly toName: ReadonlyMap<string, string>
}
export interface EnumValueModel {
  readonly name: string
  readonly value: string
  readonly description: string | undefined
  readonly deprecated: string | undefined
}

export interface InputType {
  readonly kind: 'input'
  readonly name: string
  readonly description: string | undefined
  /** Validation rules that concern several fields of the input together. */
  readonly rules: readonly Rule[]
  /** Fields in declared order, by their name in the API. */
  readonly fields: ReadonlyMap<string, InputFieldModel>
}

/**
 * A scalar of the schema: built-in (String), semantic (a built-in one with a rule, such as Email), or custom (declared
 * by the author). `scalarOf` returns its functions.
 */
export interface ScalarType {
  readonly kind: 'scalar'
  readonly name: string
  readonly description: string | undefined
  readonly specifiedByUrl: string | undefined
  /**
   * Name of the built-in scalar whose JSON format, filter operators and SQL type the scalar has. For a built-in scalar,
   * its own name.
   */
  readonly base: string
  /**
   * Name of the semantic scalar (such as Email) whose rule and filter operators the scalar has. For a semantic scalar,
   * its own name.
   */
  readonly semantic?: string | undefined
  readonly custom: boolean
  /**
   * Conversion functions of a custom scalar, imported from its module when the schema is loaded. `null`: there are
   * none.
   */
  readonly codec: CustomScalarCodec | null
  /**
   * Checks a value, already converted to the base scalar, against the validation rules of a custom scalar. Absent: it
   * has none.
   * @returns the problem; `null`: the value is valid
   */
  readonly check?: ((value: unknown) => string | null) | undefined
}

/** Conversion functions that the author provides for a custom scalar (docs/reference/scalars.md#custom-scalars). */
export interface CustomScalarCodec {
  /** Converts a value from the database, in the JSON format of the base scalar, to the value for clients. */
  readonly serialize?: ((value: unknown) => unknown) | undefined
  /** Converts a value from a client to a value of the base scalar. Throws an error to reject the value. */
  readonly parse?: ((value: unknown) => unknown) | undefined
  readonly parseLiteral?: ((ast: unknown) => unknown) | undefined
}

/**
 * A type whose rows form a tree. `id` and `path` are the names in the API of the fields with a row's id and its path in
 * the tree.
 */
export interface Hierarchy {
  readonly type: ObjectType
  readonly path: string
  readonly id: string
}

export interface FieldModel {
  /** Name as declared by the author, in snake_case or camelCase. */
  readonly name: string
  readonly wireName: string
  readonly type: TypeRef
  /** The type of the field without lists and `!`. */
  readonly named: NamedType
  readonly list: boolean
  readonly description: string | undefined
  readonly deprecated: string | undefined
  readonly requiresScope: string | undefined
  /** Roles of which a caller needs one to read the field. Empty: no role is needed. */
  readonly requiresRole: readonly string[]
  readonly onDeny: 'mask' | 'reject'
  readonly filterable: boolean
  readonly orderable: boolean
  readonly searchable: boolean
  /** Names of the filter operators that clients may use on the field (`_eq`); `null`: all operators of its type. */
  readonly filterOperators: readonly string[] | null
  readonly filterType: string | undefined
  /** Ids of filter operators that the database does not support. All fields of a schema share one set. */
  readonly lackingOperators: ReadonlySet<string>
  /**
   * The tree that the paths in this `LTree` field belong to. Clients can then filter the paths by ids of its rows.
   * `null`: none.
   */
  readonly hierarchy: Hierarchy | null
  /** Number of dimensions of the field's vectors; `null`: unknown, or no vector. */
  readonly dimensions: number | null
  /** Properties of the PostGIS column that the field is read from; `null`: it is read from no such column. */
  readonly place: Place | null
  readonly authorize: string | undefined
  readonly read: CompiledRead | null
  /**
   * Types and fields that show the join table of a many-to-many relation, such as `Casting` and `Casting.actor`. A caller
   * who may not read one of them may not read the relation either. Absent: no type shows the join table.
   */
  readonly guards?: readonly string[]
  /**
   * SQL expression that computes the field. `{name}` stands for a field value that a federation gateway sends (in the
   * representation of the entity).
   */
  readonly sql: string | undefined
}

export interface InputFieldModel {
  readonly name: string
  readonly wireName: string
  readonly type: TypeRef
  readonly named: NamedType
  readonly description: string | undefined
  readonly deprecated: string | undefined
  /** Default as a JSON value that a client could send; `undefined`: none. */
  readonly default: unknown
  /** Validation rules for the field's value, checked in addition to its type. */
  readonly rules: readonly Rule[]
}
