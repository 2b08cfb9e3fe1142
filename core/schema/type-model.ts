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
   * Data plane of the type. `arrow`: only columnar queries return rows of the type, and other fronts do not show it.
   */
  readonly dataplane: 'graphql' | 'arrow'
  /** View or table of the rows; `null`: objects of the type are embedded in their parent's document. */
  readonly source: CompiledSource | null
  /** Name of the JSON column of an `id` + `data` source; `null` for a flat source. */
  readonly document: string | null
  readonly relay: boolean
  /** Columns of the source that identify a row according to the author; `null`: none declared. */
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
  /** Roles of which the caller needs one; empty: no role is needed. */
  readonly requiresRole: readonly string[]
  readonly isError: boolean
  /** Claims that restrict every read of rows of the type. */
  readonly inject: readonly { readonly parameter: string; readonly claim: string }[]
  readonly injectReads: ReadonlyMap<string, CompiledRead>
  readonly rowFilter: string | undefined
  /** Options of the type's aggregates; `null`: fronts offer no aggregates. */
  readonly aggregate: AggregateOptions | null
  /** Fields by wire name, in declared order. */
  readonly fields: ReadonlyMap<string, FieldModel>
}

/** Wire names of the fields that each function applies to. A function that is left out applies to all suitable fields. */
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
  /** Options of the interface's aggregates, as for an object type. */
  readonly aggregate: AggregateOptions | null
  readonly fields: ReadonlyMap<string, FieldModel>
  /** Object types that implement the interface. The list is filled during linking. */
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
  /** Wire name → SQL value. */
  readonly toValue: ReadonlyMap<string, string>
  /** SQL value → wire name. */
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
  /** Validation rules about several fields together. */
  readonly rules: readonly Rule[]
  /** Fields by wire name, in declared order. */
  readonly fields: ReadonlyMap<string, InputFieldModel>
}

/** Built-in and custom scalars; the behaviour of built-ins is the table in `scalars.ts`. */
export interface ScalarType {
  readonly kind: 'scalar'
  readonly name: string
  readonly description: string | undefined
  readonly specifiedByUrl: string | undefined
  /**
   * Name of the built-in scalar whose wire form, operators and SQL type the scalar uses (for a built-in scalar, its own
   * name).
   */
  readonly base: string
  /**
   * Name of the semantic scalar whose rule and special operators the scalar uses; for a semantic scalar, its own name.
   */
  readonly semantic?: string | undefined
  readonly custom: boolean
  /** Run-time functions of a custom scalar, resolved from its module when the generation is loaded. */
  readonly codec: CustomScalarCodec | null
  /**
   * Applies the rules of a custom scalar to a value of its base scalar.
   * @returns the problem; `null` for a valid value
   */
  readonly check?: ((value: unknown) => string | null) | undefined
}

/** Conversion functions of a custom scalar (docs/reference/scalars.md#custom-scalars). */
export interface CustomScalarCodec {
  /** Converts a stored value, in the JSON form of the base type, to the wire value. */
  readonly serialize?: ((value: unknown) => unknown) | undefined
  /** Converts a wire value to a value of the base type. It throws an error to reject the value. */
  readonly parse?: ((value: unknown) => unknown) | undefined
  readonly parseLiteral?: ((ast: unknown) => unknown) | undefined
}

/** A type whose rows form a tree by their paths. All names are wire names of fields. */
export interface Hierarchy {
  readonly type: ObjectType
  readonly path: string
  readonly id: string
}

export interface FieldModel {
  /** The declared name. */
  readonly name: string
  readonly wireName: string
  readonly type: TypeRef
  /** The named type inside all lists. */
  readonly named: NamedType
  readonly list: boolean
  readonly description: string | undefined
  readonly deprecated: string | undefined
  readonly requiresScope: string | undefined
  /** Roles of which the caller needs one; empty: no role is needed. */
  readonly requiresRole: readonly string[]
  readonly onDeny: 'mask' | 'reject'
  readonly filterable: boolean
  readonly orderable: boolean
  readonly searchable: boolean
  /** Wire names of the allowed operators (`_eq`); `null`: all operators of the field's type. */
  readonly filterOperators: readonly string[] | null
  readonly filterType: string | undefined
  /** Ids of operators that the database does not have; one set for all fields of a schema. */
  readonly lackingOperators: ReadonlySet<string>
  /** The hierarchy of a path field. Filters can compare the path with rows of the hierarchy, by their ids. */
  readonly hierarchy: Hierarchy | null
  /** Number of dimensions of a vector, when it is known. */
  readonly dimensions: number | null
  /** The PostGIS column of a geometry. */
  readonly place: Place | null
  readonly authorize: string | undefined
  readonly read: CompiledRead | null
  /** SQL that computes the field from values of a representation; `{name}` is the placeholder of a value. */
  readonly sql: string | undefined
}

export interface InputFieldModel {
  readonly name: string
  readonly wireName: string
  readonly type: TypeRef
  readonly named: NamedType
  readonly description: string | undefined
  readonly deprecated: string | undefined
  /** JSON literal in wire form; `undefined` = none. */
  readonly default: unknown
  /** Validation rules for the value of the field, in addition to its type. */
  readonly rules: readonly Rule[]
}
