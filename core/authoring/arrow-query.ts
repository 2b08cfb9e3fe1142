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

/** Options of a columnar query. Options for documents, pages and caches do not apply. */
export interface ArrowQueryOptions extends Omit<OperationOptions, keyof OperationKeyOptions> {
  /** `true`: where, orderBy, limit and offset; `false`: none. */
  readonly autoParams?: boolean | Omit<AutoParamOptions, 'totalCount'>
  /** JSON column of an `id` + `data` source. Default `data`. */
  readonly jsonbColumn?: string
  /** SQL condition with `{name}` placeholders filled from the request's context. */
  readonly rowFilter?: string
}

const { totalCount: _count, ...PARAMS } = autoParamRules

const ARROW_QUERY_RULES = {
  ...OPERATION_RULES,
  autoParams: either(flag, record(PARAMS))('auto_params'),
  jsonbColumn: text('jsonb_column'),
  rowFilter: text('row_filter'),
} satisfies Record<keyof Required<ArrowQueryOptions>, OptionRule>

const ARROW_QUERY: OperationForm = {
  collection: 'queries',
  word: 'arrowQuery',
  rules: ARROW_QUERY_RULES,
  keys: { dataplane: 'arrow' },
}

/**
 * Declares a columnar query, which only the Arrow transport serves (docs/plugins/arrow.md):
 * `@arrowQuery(() => list(Sale), { sqlSource: 'va_sale' }) sales!: unknown`, or
 * `arrowQuery('sales', list(Sale), { sqlSource: 'va_sale' })`.
 */
export function arrowQuery<First extends TypeSource | string>(
  ...args: OperationArguments<First, ArrowQueryOptions>
): OperationResult<First> {
  return declareOperation(ARROW_QUERY, args, placeAbove(arrowQuery)) as OperationResult<First>
}
