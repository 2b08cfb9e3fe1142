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
  /** `arrow`: columnar queries alone give its rows, and no other front shows it. */
  readonly dataplane: 'graphql' | 'arrow'
  /** `null`: embedded in its parent's document. */
  readonly source: CompiledSource | null
  /** Name of the JSON column of an `id` + `data` source, `null` on a flat one. */
  readonly document: string | null
  readonly relay: boolean
  /** Columns of the source that the author says identify a row; `null`: none. */
  readonly key: readonly string[] | null
  readonly cursor: {
    readonly column: string
    readonly columnType: string | null
    readonly document: string | null
    /** Column or key that tells rows of one cursor column apart; `null`: it is unique. */
    readonly tie: string | null
    /** Columns that order a page in place of the column and its tie; `null`: these two do. */
    readonly by: readonly string[] | null
    /** A digest of the fields of a row ends the order. */
    readonly digest: boolean
  } | null
  readonly interfaces: readonly InterfaceType[]
  /** One of these roles is required; empty: no role is. */
  readonly requiresRole: readonly string[]
  readonly isError: boolean
  /** Rules of the type itself: they hold wherever its rows are opened. */
  readonly inject: readonly { readonly parameter: string; readonly claim: string }[]
  readonly injectReads: ReadonlyMap<string, CompiledRead>
  readonly rowFilter: string | undefined
  /** What fronts offer of numbers about its rows; `null` = nothing. */
  readonly aggregate: AggregateOptions | null
  /** By wire name, in declared order. */
  readonly fields: ReadonlyMap<string, FieldModel>
}

/** Wire names of the only fields that a function is of; what is left out is of all that it can be of. */
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
  /** As of an object type. */
  readonly aggregate: AggregateOptions | null
  readonly fields: ReadonlyMap<string, FieldModel>
  /** Filled while linking: the object types that implement it. */
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
  /** About its fields together. */
  readonly rules: readonly Rule[]
  /** By wire name, in declared order. */
  readonly fields: ReadonlyMap<string, InputFieldModel>
}

/** Built-in and custom scalars; the behaviour of built-ins is the table in `scalars.ts`. */
export interface ScalarType {
  readonly kind: 'scalar'
  readonly name: string
  readonly description: string | undefined
  readonly specifiedByUrl: string | undefined
  /** Name of the built-in whose wire form, operators and SQL type it takes (its own name for a built-in). */
  readonly base: string
  /** The semantic scalar whose rule and special operators it takes; its own name for one. */
  readonly semantic?: string | undefined
  readonly custom: boolean
  /** Run-time functions of a custom scalar, resolved from its module when the generation is loaded. */
  readonly codec: CustomScalarCodec | null
  /** Of a custom scalar with rules: what is wrong with a value that its base takes; `null`: nothing. */
  readonly check?: ((value: unknown) => string | null) | undefined
}

/** Conversion functions of a custom scalar (docs/reference/scalars.md#custom-scalars). */
export interface CustomScalarCodec {
  /** Converts a stored value, in the JSON form of the base type, to the wire value. */
  readonly serialize?: ((value: unknown) => unknown) | undefined
  /** Converts a wire value to a value of the base type. It throws to reject the value. */
  readonly parse?: ((value: unknown) => unknown) | undefined
  readonly parseLiteral?: ((ast: unknown) => unknown) | undefined
}

/** A tree of rows by their paths. */
export interface Hierarchy {
  readonly type: ObjectType
  readonly path: string
  readonly id: string
}

export interface FieldModel {
  /** As declared. */
  readonly name: string
  readonly wireName: string
  readonly type: TypeRef
  /** The named type inside lists. */
  readonly named: NamedType
  readonly list: boolean
  readonly description: string | undefined
  readonly deprecated: string | undefined
  readonly requiresScope: string | undefined
  /** One of these roles is required; empty: no role is. */
  readonly requiresRole: readonly string[]
  readonly onDeny: 'mask' | 'reject'
  readonly filterable: boolean
  readonly orderable: boolean
  readonly searchable: boolean
  /** Wire names of operators (`_eq`), or `null` for all that apply. */
  readonly filterOperators: readonly string[] | null
  readonly filterType: string | undefined
  /** Ids of operators that the database does not have; one set for all fields of a schema. */
  readonly lackingOperators: ReadonlySet<string>
  /** Of a path: the rows that its path can be compared with by their ids; the names are on the wire. */
  readonly hierarchy: Hierarchy | null
  /** Of a vector, where they are known: those of each value. */
  readonly dimensions: number | null
  /** Of a place in a column of PostGIS: what that column is. */
  readonly place: Place | null
  readonly authorize: string | undefined
  readonly read: CompiledRead | null
  /** SQL that computes it of values that come with a representation, which stand in it as `{name}`. */
  readonly sql: string | undefined
}

export interface InputFieldModel {
  readonly name: string
  readonly wireName: string
  readonly type: TypeRef
  readonly named: NamedType
  readonly description: string | undefined
  readonly deprecated: string | undefined
  /** `undefined` = none. A JSON literal in wire form. */
  readonly default: unknown
  /** What its value has to pass, besides being of its type. */
  readonly rules: readonly Rule[]
}
