import type { AuthoredMutation, AuthoredQuery, AuthoredSubscription, AutoParamFlags } from './authored-operations.ts'
import type {
  AuthoredEnum,
  AuthoredInput,
  AuthoredInterface,
  AuthoredScalar,
  AuthoredType,
  AuthoredUnion,
} from './authored-types.ts'
import type { Placed } from './source-place.ts'

export type * from './authored-federation.ts'
export type * from './authored-operations.ts'
export type * from './authored-types.ts'
export type * from './source-place.ts'

/**
 * `schema.json`: the contract between authoring languages and the compiler (decisions.md "schema.json",
 * behaviours 1.1). Arrays of named objects, keys snake_case, `type` in GraphQL notation, an absent option is an
 * absent key. Names of fields and operations are as declared (snake_case or camelCase); the wire name is derived.
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
  /** Trees of rows by their paths, which fields of paths speak of. */
  readonly hierarchies?: readonly AuthoredHierarchy[]
  /** Where the functions that stay in the authoring module live (custom scalars, hooks, middleware). */
  readonly modules?: readonly AuthoredModule[]
  /** The author's functions that plugins run. Those of a scalar stand with their scalar. */
  readonly author_functions?: readonly AuthoredFunction[]
}

/** Rows of a type whose paths (ltree) make a tree: what a field's `hierarchy` names. */
export interface AuthoredHierarchy extends Placed {
  readonly name: string
  /** The type whose rows have the paths. */
  readonly type: string
  /** Its field of `LTree`. Default: the only one. */
  readonly path?: string
  /** Its field that clients name a row by. Default `id`. */
  readonly id?: string
}

/** A function that stays in the author's module. */
export interface AuthoredFunction extends Placed {
  /** Says which plugin runs it: `middleware`, `hook`, `validator`. */
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

export interface AuthoredObserver extends Placed {
  readonly name: string
  readonly entity: string
  readonly event: string
  readonly condition?: string
  readonly actions: readonly Readonly<Record<string, unknown>>[]
  readonly retry?: Readonly<Record<string, unknown>>
  readonly sync?: boolean
}
