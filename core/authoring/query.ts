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

/** Switches of `autoParams`. An absent switch has the value of `[query_defaults]` in svc.toml. */
export interface AutoParamOptions {
  readonly where?: boolean
  readonly orderBy?: boolean
  readonly limit?: boolean
  readonly offset?: boolean
  /** Wraps the result as `{ items, totalCount }`. */
  readonly totalCount?: boolean
}

/** Options of a query (docs/reference/authoring.md#query). */
export interface QueryOptions extends OperationOptions, QueryKeyOptions {
  /** `true`: the query has the arguments where, orderBy, limit and offset; `false`: none of them. */
  readonly autoParams?: boolean | AutoParamOptions
  /** A connection with keyset cursors; the type needs `relay` too. */
  readonly relay?: boolean
  /** JSON column of an `id` + `data` source. Default `data`. */
  readonly jsonbColumn?: string
  /** Column that names the type of a row, when the result is a union or interface. Default `__typename`. */
  readonly typeColumn?: string
  /** Further views that the result depends on. Caches evict the result when one of these views changes. */
  readonly additionalViews?: readonly string[]
  /** Name of the argument that contains the id of the row. */
  readonly idArg?: string
  /** SQL condition with `{name}` placeholders filled from the request's context. */
  readonly rowFilter?: string
  /** `false`: generates no aggregate queries of its rows, although its type has `aggregate`. */
  readonly aggregate?: boolean
}

/** Rules for the options of {@link AutoParamOptions}. */
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

const QUERY: OperationForm = {
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
