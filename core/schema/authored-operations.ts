import type { MutationKeys, OperationKeys, QueryKeys } from './key-interfaces.ts'
import type { AuthoredRules } from './rules.ts'
import type { LocatedElement } from './source-location.ts'

export interface AutoParamFlags {
  readonly where: boolean
  readonly order_by: boolean
  readonly limit: boolean
  readonly offset: boolean
}

/** Options of a query argument whose text selects rows by full-text search in a `tsvector` column. */
export interface AuthoredFullText {
  readonly column: string
  /** How the database reads the search text of the client. Default `plain`: rows must contain all words. */
  readonly query?: 'plain' | 'phrase' | 'websearch'
  /** Text search configuration of PostgreSQL, which determines stemming and stop words. Default `english`. */
  readonly config?: string
  /** `true`: sorts the rows by relevance, best match first, if the client sends no `orderBy`. Default `false`. */
  readonly rank?: boolean
}

export interface AuthoredArgument {
  readonly name: string
  readonly type: string
  readonly description?: string
  readonly deprecated?: string
  readonly default?: unknown
  /** Validation rules for the argument's value, checked before any SQL runs. */
  readonly validate?: AuthoredRules
  /**
   * Makes a query argument a full-text search: the name of the `tsvector` column, or an object with that name and
   * options.
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
  /**
   * `arrow`: only the Arrow transport serves the query, as columns. `graphql` (default): all other protocols serve it.
   */
  readonly dataplane?: 'graphql' | 'arrow'
  /** `false`: no aggregate queries over the rows of this query, even if its type has the option `aggregate`. */
  readonly aggregate?: boolean
}

export interface AuthoredMutation extends AuthoredOperation, MutationKeys {
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE' | 'CUSTOM'
  readonly input_style?: 'flatten' | 'jsonb'
  /**
   * Binds arguments to the parameters of the SQL function by position, in the order of their declaration. Absent: by
   * name.
   */
  readonly call?: 'positional'
  readonly cascade?: boolean
  readonly upsert_function?: string
}

/**
 * A condition in the filter of a subscription, on a field of the changed row or on a key within its JSON value. All
 * conditions of a list must hold.
 */
export interface SubscriptionTest {
  /** Path of the compared value in the changed row: a field, then keys of its JSON value: `address.city`. */
  readonly path: string
  /** Comparison operator. Default `eq`. */
  readonly operator?: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'contains'
  readonly value: unknown
}

/**
 * Makes a subscription compare an argument with the value at `path` in the changed row, instead of with the field that
 * has the argument's name.
 */
export interface SubscriptionArgumentPath {
  readonly argument: string
  readonly path: string
}

export type SubscriptionCondition = SubscriptionTest | SubscriptionArgumentPath

/**
 * Which events a subscription sends: an expression as text, one condition, or a list of conditions that must all hold.
 */
export type SubscriptionFilter = string | SubscriptionTest | { readonly conditions: readonly SubscriptionCondition[] }

export interface AuthoredSubscription extends AuthoredOperation {
  readonly entity_type?: string
  readonly topic?: string
  readonly operation?: string | readonly string[]
  readonly filter?: SubscriptionFilter
  readonly durable?: boolean
  readonly replay?: boolean
}
