/** Limits of the pages, filters and embedded lists that one request may ask for. */
export interface RequestLimits {
  readonly default_page_size: number
  readonly max_page_size: number
  readonly max_filter_bytes: number
  readonly max_embedding_depth: number
}
