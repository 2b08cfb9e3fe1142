/** Options of the section `[graphql]`, validated and with defaults. */
export interface GraphQLOptions {
  readonly introspection: boolean
  readonly document_cache_bytes: number
  readonly failed_document_cache_bytes: number
  /** Maximum number of requests in a batch. 0: batches are rejected. */
  readonly max_batch: number
  readonly request_id_in_errors: boolean
}

declare module '../../core/doors/plugin.ts' {
  interface Config {
    readonly graphql?: GraphQLOptions
  }
}
