import {
  declareOperation,
  OPERATION_RULES,
  type OperationArguments,
  type OperationForm,
  type OperationOptions,
  type OperationResult,
} from './operation.ts'
import type { OperationKeyOptions } from './option-interfaces.ts'
import { either, flag, type OptionRule, record, text } from './options.ts'
import { placeAbove } from './place.ts'
import { type AutoParamOptions, autoParamRules } from './query.ts'
import type { TypeSource } from './type-source.ts'

/**
 * Options of `arrowQuery()`. It has fewer than `query()`, because an Arrow query has no JSON documents, Relay pages or
 * cached results.
 */
export interface ArrowQueryOptions extends Omit<OperationOptions, keyof OperationKeyOptions> {
  /**
   * `true`: the query has the arguments `where`, `orderBy`, `limit` and `offset`; `false`: none. An object switches
   * them one by one.
   */
  readonly autoParams?: boolean | Omit<AutoParamOptions, 'totalCount'>
  /** Column that contains the row as a JSON document, if the view has the columns `id` and `data`. Default `data`. */
  readonly jsonbColumn?: string
  /**
   * SQL condition on the rows. Each `{name}` placeholder is filled with the value of that name in the request's
   * context, which middleware sets.
   */
  readonly rowFilter?: string
}

const { totalCount: _count, ...PARAMS } = autoParamRules

const ARROW_QUERY_RULES = {
  ...OPERATION_RULES,
  autoParams: either(flag, record(PARAMS))('auto_params'),
  jsonbColumn: text('jsonb_column'),
  rowFilter: text('row_filter'),
} satisfies Record<keyof Required<ArrowQueryOptions>, OptionRule>

/** What `arrowQuery()` adds to the declaration that all operations share: options and fixed keys. */
export const ARROW_QUERY: OperationForm = {
  collection: 'queries',
  word: 'arrowQuery',
  rules: ARROW_QUERY_RULES,
  keys: { dataplane: 'arrow' },
}

/**
 * Declares a query whose result clients receive as Arrow columns; only the Arrow transport serves it
 * (docs/plugins/arrow.md): `@arrowQuery(() => list(Sale), { sqlSource: 'va_sale' }) sales!: unknown`, or
 * `arrowQuery('sales', list(Sale), { sqlSource: 'va_sale' })`.
 */
export function arrowQuery<First extends TypeSource | string>(
  ...args: OperationArguments<First, ArrowQueryOptions>
): OperationResult<First> {
  return declareOperation(ARROW_QUERY, args, placeAbove(arrowQuery)) as OperationResult<First>
}
