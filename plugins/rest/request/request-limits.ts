/** Options of `[rest]` that limit pages, filters and embedded lists of one request. */
export interface RequestLimits {
  readonly default_page_size: number
  readonly max_page_size: number
  readonly max_filter_bytes: number
  readonly max_embedding_depth: number
}
