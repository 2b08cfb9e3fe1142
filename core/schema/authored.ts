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
 * `schema.json`, the contract between authoring languages and the compiler (docs/reference/schema-json.md): arrays of named objects,
 * keys in snake_case, `type` in GraphQL notation, an absent option is an absent key. Names of fields and operations are as declared, in
 * snake_case or camelCase; the compiler derives the wire name.
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
  /** Trees of rows, which the option `hierarchy` of a field refers to. */
  readonly hierarchies?: readonly AuthoredHierarchy[]
  /** Modules that export the author's functions: custom scalars, hooks, middleware. */
  readonly modules?: readonly AuthoredModule[]
  /** Functions of the author that plugins run. Functions of a custom scalar are listed with the scalar. */
  readonly author_functions?: readonly AuthoredFunction[]
}

/** A tree of rows by an `ltree` column (docs/guides/query.md#trees). */
export interface AuthoredHierarchy extends LocatedElement {
  readonly name: string
  /** Type of the rows. */
  readonly type: string
  /** Field of the type that contains the path, an `LTree`. Default: the only `LTree` field. */
  readonly path?: string
  /** Field of the type by which clients identify a row. Default `id`. */
  readonly id?: string
}

/** A function in a module of the author, which the server imports. */
export interface AuthoredFunction extends LocatedElement {
  /** Kind of the function, which determines the plugin that runs it: `middleware`, `hook`, `validator`. */
  readonly kind: string
  readonly name: string
  /** Path of the module, relative to svc.toml. */
  readonly module: string
  readonly export: string
}

/** A module whose exports the server loads at run time. */
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
