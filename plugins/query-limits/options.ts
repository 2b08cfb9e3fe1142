/** Options of the section `[validation]`, validated and with defaults. 0: no limit. */
export interface QueryLimits {
  readonly max_query_depth: number
  readonly max_query_complexity: number
  readonly max_query_aliases: number
  readonly max_query_root_fields: number
  readonly max_query_directives: number
  readonly scalar_weight: number
  readonly object_weight: number
  readonly list_weight: number
}
