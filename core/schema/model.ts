import type { CompiledFunction, CompiledSchema, CompiledSource } from './compiled.ts'
import type { MutationModel, QueryModel, SubscriptionModel } from './operation-model.ts'
import type { NamedType, ObjectType } from './type-model.ts'

export type * from './operation-model.ts'
export type * from './type-model.ts'

/**
 * The loaded schema as the service uses it: references between elements are resolved, and elements can be looked up by
 * name. It is immutable; `linkSchema` creates it once for each loaded schema.
 */
export interface SchemaModel {
  readonly hash: string
  readonly version: string
  readonly requires: readonly string[]
  /** Name of the SQL dialect that the schema was compiled for. */
  readonly dialect: string
  /**
   * SQL dialect of each further database that the schema uses, by name of the database. The default database is not
   * included.
   */
  readonly databases: ReadonlyMap<string, string>
  /** Named types of all kinds, built-in scalars included, by GraphQL name. */
  readonly types: ReadonlyMap<string, NamedType>
  /** Queries by their name in the API. Mutations and subscriptions have such maps, too. */
  readonly queries: ReadonlyMap<string, QueryModel>
  /** Queries that only the Arrow transport serves, by their name in the API. `queries` does not contain them. */
  readonly arrowQueries: ReadonlyMap<string, QueryModel>
  readonly mutations: ReadonlyMap<string, MutationModel>
  readonly subscriptions: ReadonlyMap<string, SubscriptionModel>
  readonly sources: ReadonlyMap<string, CompiledSource>
  readonly functions: ReadonlyMap<string, CompiledFunction>
  /** Object types with `relay: true`, which implement the Relay interface `Node`, in declared order. */
  readonly relayTypes: readonly ObjectType[]
  readonly modules: readonly { readonly path: string }[]
  /** Functions of the schema's author, imported from their modules. */
  readonly authorFunctions: readonly AuthorFunction[]
  /** The compiled schema from which the model was made, for keys that only plugins read. */
  readonly compiled: CompiledSchema
}

/** A function of the schema's author, such as middleware, imported from its module. */
export interface AuthorFunction {
  readonly kind: string
  readonly name: string
  /** Path of the module that exports the function, relative to the compiled schema. */
  readonly module: string
  readonly export: string
  /** The exported value; never `undefined`. */
  readonly value: unknown
}
