import { withKeyOptions } from './key-options.ts'
import {
  declareOperation,
  OPERATION_RULES,
  type OperationArguments,
  type OperationForm,
  type OperationOptions,
  type OperationResult,
} from './operation.ts'
import type { OperationKeyOptions, QueryKeyOptions } from './option-interfaces.ts'
import { either, flag, type OptionRule, record, text, texts } from './options.ts'
import { placeAbove } from './place.ts'
import type { TypeSource } from './type-source.ts'

/** Switches for the arguments of a list query. An absent switch has the value of `[query_defaults]` in svc.toml. */
export interface AutoParamOptions {
  readonly where?: boolean
  readonly orderBy?: boolean
  readonly limit?: boolean
  readonly offset?: boolean
  /** `true`: the result is an object with the rows and their number without `limit`: `{ items, totalCount }`. */
  readonly totalCount?: boolean
}

/** Options of a query (docs/reference/authoring.md#query). */
export interface QueryOptions extends OperationOptions, QueryKeyOptions {
  /**
   * `true`: the query has the arguments `where`, `orderBy`, `limit` and `offset`; `false`: none. An object switches
   * them one by one.
   */
  readonly autoParams?: boolean | AutoParamOptions
  /**
   * `true`: the result is a Relay connection with cursors, sorted by a key. The result type needs the option `relay`
   * too.
   */
  readonly relay?: boolean
  /** Column that contains the row as a JSON document, if the view has the columns `id` and `data`. Default `data`. */
  readonly jsonbColumn?: string
  /**
   * Column whose value is the name of the row's object type, if the result is a union or interface. Default
   * `__typename`.
   */
  readonly typeColumn?: string
  /**
   * Further views that the result depends on. When one of these views changes, svc evicts the result from its caches.
   */
  readonly additionalViews?: readonly string[]
  /** Name of the query's argument that selects a row by its id. */
  readonly idArg?: string
  /**
   * SQL condition on the rows. Each `{name}` placeholder is filled with the value of that name in the request's
   * context, which middleware sets.
   */
  readonly rowFilter?: string
  /**
   * `false`: svc generates no aggregate queries over the rows of this query, although its type has the option
   * `aggregate`.
   */
  readonly aggregate?: boolean
}

/** Conversion of the properties of {@link AutoParamOptions} to keys of `schema.json`. */
export const autoParamRules = {
  where: flag('where'),
  orderBy: flag('order_by'),
  limit: flag('limit'),
  offset: flag('offset'),
  totalCount: flag('total_count'),
} satisfies Record<keyof Required<AutoParamOptions>, OptionRule>

const QUERY_RULES = {
  ...OPERATION_RULES,
  autoParams: either(flag, record(autoParamRules))('auto_params'),
  relay: flag('relay'),
  jsonbColumn: text('jsonb_column'),
  typeColumn: text('type_column'),
  additionalViews: texts('additional_views'),
  idArg: text('id_arg'),
  rowFilter: text('row_filter'),
  aggregate: flag('aggregate'),
} satisfies Record<Exclude<keyof QueryOptions, keyof (OperationKeyOptions & QueryKeyOptions)>, OptionRule>

/** What `query()` adds to the common declaration of operations: its list in `schema.json` and its options. */
export const QUERY: OperationForm = {
  collection: 'queries',
  word: 'query',
  rules: withKeyOptions(QUERY_RULES, ['operation', 'query']),
}

/**
 * Declares a query: `@query(() => list(User), { sqlSource: 'v_user' }) users!: unknown`, or
 * `query('users', list(User), { sqlSource: 'v_user' })`.
 */
export function query<First extends TypeSource | string>(
  ...args: OperationArguments<First, QueryOptions>
): OperationResult<First> {
  return declareOperation(QUERY, args, placeAbove(query)) as OperationResult<First>
}
