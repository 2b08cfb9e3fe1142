import type { AuthoredMutation, AuthoredQuery, AuthoredSubscription, AutoParamFlags } from './authored-operations.ts'
import type {
  AuthoredEnum,
  AuthoredInput,
  AuthoredInterface,
  AuthoredScalar,
  AuthoredType,
  AuthoredUnion,
} from './authored-types.ts'
import type { LocatedElement } from './source-location.ts'

export type * from './authored-operations.ts'
export type * from './authored-types.ts'
export type * from './key-interfaces.ts'
export type * from './source-location.ts'

/**
 * Content of `schema.json`, the contract between authoring languages and the compiler (docs/reference/schema-json.md).
 * Keys are in snake_case, types in GraphQL notation, and an absent option is an absent key. Names of fields and
 * operations are as declared; the compiler derives their camelCase names for the API.
 */
export interface AuthoredSchema {
  readonly $schema?: string
  readonly version: string
  readonly types?: readonly AuthoredType[]
  readonly enums?: readonly AuthoredEnum[]
  readonly interfaces?: readonly AuthoredInterface[]
  readonly unions?: readonly AuthoredUnion[]
  readonly input_types?: readonly AuthoredInput[]
  readonly custom_scalars?: readonly AuthoredScalar[]
  readonly queries?: readonly AuthoredQuery[]
  readonly mutations?: readonly AuthoredMutation[]
  readonly subscriptions?: readonly AuthoredSubscription[]
  readonly observers?: readonly AuthoredObserver[]
  readonly query_defaults?: Partial<AutoParamFlags>
  /** Types whose rows form a tree. The option `hierarchy` of a field refers to one by name. */
  readonly hierarchies?: readonly AuthoredHierarchy[]
  /** Modules that export functions of the schema author: custom scalars, mutation hooks, middleware. */
  readonly modules?: readonly AuthoredModule[]
  /**
   * Functions of the schema author that plugins run, such as middleware. Functions of a custom scalar are part of
   * `custom_scalars` instead.
   */
  readonly author_functions?: readonly AuthoredFunction[]
}

/** A type whose rows form a tree, described by the paths in an `ltree` column (docs/guides/query.md#trees). */
export interface AuthoredHierarchy extends LocatedElement {
  readonly name: string
  /** Name of the type whose rows form the tree. */
  readonly type: string
  /** The `LTree` field of the type that contains a row's path in the tree. Default: the only `LTree` field. */
  readonly path?: string
  /** Field of the type whose value clients send to name a row. Default `id`. */
  readonly id?: string
}

/** A function that a module of the schema author exports, and that the server imports when it loads the schema. */
export interface AuthoredFunction extends LocatedElement {
  /** Kind of function, which determines the plugin that runs it: `middleware`, `before_mutation`, `validator`. */
  readonly kind: string
  readonly name: string
  /** Path of the module that exports the function, relative to svc.toml. */
  readonly module: string
  readonly export: string
}

/** A JavaScript module of the schema author that the server imports when it loads the schema. */
export interface AuthoredModule {
  readonly path: string
}

export interface AuthoredObserver extends LocatedElement {
  readonly name: string
  readonly entity: string
  readonly event: string
  readonly condition?: string
  readonly actions: readonly Readonly<Record<string, unknown>>[]
  readonly retry?: Readonly<Record<string, unknown>>
  readonly sync?: boolean
}
