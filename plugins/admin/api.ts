import type { HttpExchange, MaybePromise, Scope } from '../../core/doors/plugin.ts'

/** One endpoint of the admin API. */
export interface AdminRoute {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Path below `/api/v1/admin`: `/cache/stats`. */
  readonly path: string
  /** `true` if the endpoint changes something. Then the read-only token is rejected. */
  readonly writes: boolean
  /**
   * Handles a request.
   * @returns the value of `data` in the reply; JSON
   * @throws SvcError the error to send. The operator sees its message, even for operator errors
   */
  readonly handler: (ctx: HttpExchange) => MaybePromise<unknown>
  /** `true`: the reply is the return value of the handler, without `status` and `data` around it. Default `false`. */
  readonly bare?: boolean
}

/** The part of a cache to clear. */
export type ClearedScope =
  | { readonly scope: 'all' }
  | { readonly scope: 'entity'; readonly entityType: string }
  /** `*` stands for any characters. */
  | { readonly scope: 'pattern'; readonly pattern: string }

/** Size and hits of a cache in this process. */
export interface CacheStats {
  readonly entries: number
  readonly hits: number
  readonly misses: number
  /** Lifetime of entries in seconds; `null`: unlimited. */
  readonly ttlSecs: number | null
  /** Maximum number of entries; `null` when the limit is in bytes. */
  readonly maxEntries: number | null
  readonly bytes?: number
  readonly maxBytes?: number
}

/** A cache that operators can inspect and clear. */
export interface AdminCache {
  /** The name in replies: `query_plan`, `response`, `apq`. */
  readonly name: string
  stats(): CacheStats
  /**
   * Removes entries in this process. The admin API calls it in every worker.
   * @returns the number of removed entries; `null` when the cache cannot be cleared by this scope
   */
  clear(what: ClearedScope): MaybePromise<number | null>
}

/** API for plugins that add endpoints for operators. Call its functions during set-up. */
export interface AdminApi {
  /** Path of the endpoints: `/api/v1/admin`. */
  readonly path: string
  /** Adds an endpoint. @param scope the scope of the plugin that adds it */
  route(scope: Scope, route: AdminRoute): void
  /** Adds a cache to the endpoints `/cache/…`. */
  cache(cache: AdminCache): void
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    admin: AdminApi
  }
}
