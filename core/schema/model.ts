import type { CompiledFunction, CompiledSchema, CompiledSource } from './compiled.ts'
import type { MutationModel, QueryModel, SubscriptionModel } from './operation-model.ts'
import type { NamedType, ObjectType } from './type-model.ts'

export type * from './operation-model.ts'
export type * from './type-model.ts'

/**
 * The linked schema: every name is resolved to its element, with lookup by wire name. Immutable. `linkSchema` builds it once per
 * generation.
 */
export interface SchemaModel {
  readonly hash: string
  readonly version: string
  readonly requires: readonly string[]
  /** Name of the SQL dialect for which the schema was compiled. */
  readonly dialect: string
  /** Dialects of the additional databases that the schema needs, by name of the database. The default database is not included. */
  readonly databases: ReadonlyMap<string, string>
  /** Named types of all kinds, built-in scalars included, by GraphQL name. */
  readonly types: ReadonlyMap<string, NamedType>
  /** Queries by wire name. The same holds for mutations and subscriptions. */
  readonly queries: ReadonlyMap<string, QueryModel>
  /** Queries of the columnar transport, by wire name. Only that transport serves them, and `queries` does not contain them. */
  readonly arrowQueries: ReadonlyMap<string, QueryModel>
  readonly mutations: ReadonlyMap<string, MutationModel>
  readonly subscriptions: ReadonlyMap<string, SubscriptionModel>
  readonly sources: ReadonlyMap<string, CompiledSource>
  readonly functions: ReadonlyMap<string, CompiledFunction>
  /** Object types with `relay: true`, in declared order: they implement `Node`. */
  readonly relayTypes: readonly ObjectType[]
  readonly modules: readonly { readonly path: string }[]
  /** Functions of the schema's author, loaded from their modules. */
  readonly authorFunctions: readonly AuthorFunction[]
  /** The compiled schema, for options that only plugins read. */
  readonly compiled: CompiledSchema
}

/** A function of the author, loaded from its module. */
export interface AuthorFunction {
  readonly kind: string
  readonly name: string
  /** Path of the module, relative to the compiled schema. */
  readonly module: string
  readonly export: string
  /** The exported value; never `undefined`. */
  readonly value: unknown
}
