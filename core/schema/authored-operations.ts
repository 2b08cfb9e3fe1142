import type { MutationKeys, OperationKeys, QueryKeys } from './key-interfaces.ts'
import type { AuthoredRules } from './rules.ts'
import type { LocatedElement } from './source-location.ts'

export interface AutoParamFlags {
  readonly where: boolean
  readonly order_by: boolean
  readonly limit: boolean
  readonly offset: boolean
}

/** Options of an argument that is a full-text search in a `tsvector` column. */
export interface AuthoredFullText {
  readonly column: string
  /** Syntax of the client's text. Default `plain`: rows must contain all words. */
  readonly query?: 'plain' | 'phrase' | 'websearch'
  /** Configuration of text search. Default `english`. */
  readonly config?: string
  /** Sort by rank, best match first, when the client sends no `orderBy`. Default `false`. */
  readonly rank?: boolean
}

export interface AuthoredArgument {
  readonly name: string
  readonly type: string
  readonly description?: string
  readonly deprecated?: string
  readonly default?: unknown
  /** Rules that the value must pass before any SQL runs. */
  readonly validate?: AuthoredRules
  /**
   * Name of the column with search words, for a query argument that is a full-text search; or the name with options.
   */
  readonly full_text?: string | AuthoredFullText
}

interface AuthoredOperation extends LocatedElement, OperationKeys {
  readonly name: string
  /** GraphQL notation of the result: `"[Post!]!"`, `"Post"` (nullable). */
  readonly type: string
  readonly description?: string
  readonly deprecated?: string
  readonly arguments?: readonly AuthoredArgument[]
  /** Rules about several arguments together. */
  readonly validate?: AuthoredRules
  readonly sql_source?: string
  /** Parameter name → `jwt:<claim>`. */
  readonly inject?: Readonly<Record<string, string>>
  readonly requires_role?: string | readonly string[]
  readonly requires_scope?: string
  /** Name of the policy in `[[security.policies]]` that allows or refuses calls. */
  readonly requires_policy?: string
  readonly authenticated?: boolean
  readonly api_key_required?: boolean
  /** Callable without a credential, even when `security.default_policy` requires one. */
  readonly public?: boolean
  readonly database?: string
}

export interface AuthoredQuery extends AuthoredOperation, QueryKeys {
  readonly auto_params?: boolean | (Partial<AutoParamFlags> & { readonly total_count?: boolean })
  readonly relay?: boolean
  readonly jsonb_column?: string
  readonly type_column?: string
  readonly additional_views?: readonly string[]
  readonly id_arg?: string
  readonly row_filter?: string
  /** Data plane of the operation. `arrow`: only the columnar transport serves it. */
  readonly dataplane?: 'graphql' | 'arrow'
  /** `false`: no aggregate query for the rows of the query, even when their type allows aggregates. */
  readonly aggregate?: boolean
}

export interface AuthoredMutation extends AuthoredOperation, MutationKeys {
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE' | 'CUSTOM'
  readonly input_style?: 'flatten' | 'jsonb'
  /** Binds the arguments to the parameters by position, in the order of their declaration, instead of by name. */
  readonly call?: 'positional'
  readonly cascade?: boolean
  readonly upsert_function?: string
}

/** A condition on a field, or on a key within its JSON value. All conditions of a list must hold. */
export interface SubscriptionTest {
  /** Path of the tested value: a field, and keys of its value: `address.city`. */
  readonly path: string
  /** Comparison operator. Default `eq`. */
  readonly operator?: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'contains'
  readonly value: unknown
}

/** Compares an argument with the value at `path`, instead of with the field that has the argument's name. */
export interface SubscriptionArgumentPath {
  readonly argument: string
  readonly path: string
}

export type SubscriptionCondition = SubscriptionTest | SubscriptionArgumentPath

/** An expression, a test, or a list of conditions. */
export type SubscriptionFilter = string | SubscriptionTest | { readonly conditions: readonly SubscriptionCondition[] }

export interface AuthoredSubscription extends AuthoredOperation {
  readonly entity_type?: string
  readonly topic?: string
  readonly operation?: string | readonly string[]
  readonly filter?: SubscriptionFilter
  readonly durable?: boolean
  readonly replay?: boolean
}
