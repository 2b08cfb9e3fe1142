import type { AuthoredRules } from './rules.ts'

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
  /** Where the functions that stay in the authoring module live (custom scalars, hooks, middleware). */
  readonly modules?: readonly AuthoredModule[]
  /** The author's functions that plugins run. Those of a scalar stand with their scalar. */
  readonly author_functions?: readonly AuthoredFunction[]
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

/** A place in the author's source, for compile messages. Never part of the artifact. */
export interface SourcePlace {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Every element may carry the place it was written at; the compiler strips it. */
interface Placed {
  readonly $place?: SourcePlace
}

export interface AuthoredType extends Placed {
  readonly name: string
  readonly description?: string
  readonly sql_source?: string
  /** Name of the JSON column of an `id` + `data` source. Default `data`. */
  readonly jsonb_column?: string
  readonly implements?: readonly string[]
  readonly relay?: boolean
  /** Lives in its parent's document and has no source of its own. */
  readonly embedded?: boolean
  readonly database?: string
  readonly dataplane?: 'graphql' | 'arrow'
  /** Any of them lets the caller see the type. */
  readonly requires_role?: string | readonly string[]
  readonly is_error?: boolean
  readonly key_fields?: readonly string[]
  readonly extends?: boolean
  /** Column of its source → `jwt:<claim>` that it has to hold, wherever a row of the type is opened. */
  readonly inject?: Readonly<Record<string, string>>
  /** Condition in SQL over the columns of its source, which holds wherever a row of the type is opened. */
  readonly row_filter?: string
  /** Its rows may be seen where the rules of its queries (`inject`, `row_filter`) do not hold. */
  readonly open?: boolean
  /** May clients ask for numbers about its rows (`postsAggregate`, `postsGroups`)? `true`: all that there are. */
  readonly aggregate?: boolean | AuthoredAggregate
  readonly fields: readonly AuthoredField[]
}

/** The only fields that a function is of; a function that is left out is of all that it can be of, `[]` of none. */
export interface AuthoredAggregate {
  readonly group_by?: readonly string[]
  readonly count_distinct?: readonly string[]
  readonly sum?: readonly string[]
  readonly avg?: readonly string[]
  readonly min?: readonly string[]
  readonly max?: readonly string[]
}

export interface AuthoredField extends Placed {
  readonly name: string
  readonly type: string
  readonly description?: string
  readonly deprecated?: string
  readonly default?: unknown
  readonly requires_scope?: string
  /** Any of them lets the caller see the field. */
  readonly requires_role?: string | readonly string[]
  readonly on_deny?: 'mask' | 'reject'
  readonly filterable?: boolean
  readonly orderable?: boolean
  readonly computed?: boolean
  readonly searchable?: boolean
  readonly filter_type?: string
  readonly filter_operators?: readonly string[]
  /** Native column, when it is not the snake_case name. */
  readonly column?: string
  readonly relation?: AuthoredRelation
  readonly authorize?: string
}

/** `from` names a column of this type's source, `to` one of the target's. */
export interface AuthoredRelation {
  readonly from: string
  readonly to: string
}

export interface AuthoredEnum extends Placed {
  readonly name: string
  readonly description?: string
  readonly values: readonly AuthoredEnumValue[]
}

/** `name` is what GraphQL and REST speak, `value` what SQL holds (default: the same). */
export interface AuthoredEnumValue {
  readonly name: string
  readonly value?: string
  readonly description?: string
  readonly deprecated?: string
}

export interface AuthoredInterface extends Placed {
  readonly name: string
  readonly description?: string
  readonly sql_source?: string
  readonly type_column?: string
  /** As of a type: numbers about the rows of all its types. */
  readonly aggregate?: boolean | AuthoredAggregate
  readonly fields: readonly AuthoredField[]
}

export interface AuthoredUnion extends Placed {
  readonly name: string
  readonly description?: string
  readonly members: readonly string[]
  readonly sql_source?: string
  readonly type_column?: string
}

export interface AuthoredInput extends Placed {
  readonly name: string
  readonly description?: string
  /** Rules about its fields together. */
  readonly validate?: AuthoredRules
  readonly fields: readonly AuthoredInputField[]
}

export interface AuthoredInputField extends Placed {
  readonly name: string
  readonly type: string
  readonly description?: string
  readonly deprecated?: string
  readonly default?: unknown
  /** Rules that its value has to pass before any SQL runs. */
  readonly validate?: AuthoredRules
}

export interface AuthoredScalar extends Placed {
  readonly name: string
  readonly description?: string
  readonly specified_by_url?: string
  /** The built-in scalar whose wire form, operators and column type it takes. Default `String`. */
  readonly base_type?: string
  /** Rules that a value which clients send has to pass. */
  readonly validation_rules?: AuthoredRules
  /** A condition about `value`, asked after the rules. */
  readonly elo_expression?: string
  /** Module and export of the object with `serialize`, `parse`, `parse_literal`. */
  readonly module?: string
  readonly export?: string
}

export interface AutoParamFlags {
  readonly where: boolean
  readonly order_by: boolean
  readonly limit: boolean
  readonly offset: boolean
}

export interface AuthoredArgument {
  readonly name: string
  readonly type: string
  readonly description?: string
  readonly deprecated?: string
  readonly default?: unknown
  /** Rules that its value has to pass before any SQL runs. */
  readonly validate?: AuthoredRules
}

interface AuthoredOperation extends Placed {
  readonly name: string
  /** GraphQL notation of the result: `"[Post!]!"`, `"Post"` (nullable). */
  readonly type: string
  readonly description?: string
  readonly deprecated?: string
  readonly arguments?: readonly AuthoredArgument[]
  /** Rules about its arguments together. */
  readonly validate?: AuthoredRules
  readonly sql_source?: string
  /** Parameter name → `jwt:<claim>`. */
  readonly inject?: Readonly<Record<string, string>>
  readonly requires_role?: string | readonly string[]
  readonly requires_scope?: string
  /** Name of a policy of `[[security.policies]]` that decides who may call it. */
  readonly requires_policy?: string
  readonly authenticated?: boolean
  readonly api_key_required?: boolean
  /** Callable without a credential whatever `security.default_policy` says. */
  readonly public?: boolean
  readonly rest_path?: string
  readonly rest_method?: string
  readonly database?: string
}

export interface AuthoredQuery extends AuthoredOperation {
  readonly auto_params?: boolean | (Partial<AutoParamFlags> & { readonly total_count?: boolean })
  readonly relay?: boolean
  readonly jsonb_column?: string
  readonly type_column?: string
  readonly cache_ttl?: number
  readonly cache?: boolean
  readonly additional_views?: readonly string[]
  readonly id_arg?: string
  readonly row_filter?: string
  /** `false`: no numbers about its rows, whatever the type says. */
  readonly aggregate?: boolean
}

export interface AuthoredMutation extends AuthoredOperation {
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE' | 'CUSTOM'
  readonly input_style?: 'flatten' | 'jsonb'
  /** Binds the values in the order they are declared, whatever the parameters are called. */
  readonly call?: 'positional'
  readonly invalidates?: readonly string[]
  readonly cache_update?: boolean
  readonly cascade?: boolean
  readonly upsert_function?: string
}

export interface AuthoredSubscription extends AuthoredOperation {
  readonly entity_type?: string
  readonly topic?: string
  readonly operation?: string | readonly string[]
  readonly filter?: string
  readonly durable?: boolean
  readonly replay?: boolean
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
