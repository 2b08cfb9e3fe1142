import type { HttpExchange, MaybePromise, Scope } from '../../core/doors/plugin.ts'

/** One endpoint of the admin API. */
export interface AdminRoute {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below `/api/v1/admin`: `/cache/stats`. */
  readonly path: string
  /** Does it change anything? Then the token that only reads is not enough. */
  readonly writes: boolean
  /**
   * @returns what stands under `data`; JSON
   * @throws SvcError what the operator is told; messages of operator errors are shown, too
   */
  readonly handler: (ctx: HttpExchange) => MaybePromise<unknown>
  /** The answer is what the handler returns, without `status` and `data` around it. Default `false`. */
  readonly bare?: boolean
}

/** What is cleared of a cache. */
export type ClearedScope =
  | { readonly scope: 'all' }
  | { readonly scope: 'entity'; readonly entityType: string }
  /** `*` stands for any characters. */
  | { readonly scope: 'pattern'; readonly pattern: string }

/** What a cache holds, in this process. */
export interface CacheStats {
  readonly entries: number
  readonly hits: number
  readonly misses: number
  /** `null`: its entries do not end with time. */
  readonly ttlSecs: number | null
  /** `null`: it is bounded by bytes. */
  readonly maxEntries: number | null
  readonly bytes?: number
  readonly maxBytes?: number
}

/** A cache that operators may look at and clear. */
export interface AdminCache {
  /** As it stands in the answers: `query_plan`, `response`, `apq`. */
  readonly name: string
  stats(): CacheStats
  /**
   * In this process; the admin API calls it in each.
   * @returns how many entries went; `null`: it cannot be cleared by this scope
   */
  clear(what: ClearedScope): MaybePromise<number | null>
}

/** For plugins that have something for operators. Call it during set-up. */
export interface AdminApi {
  /** Where its endpoints stand: `/api/v1/admin`. */
  readonly path: string
  /** @param scope of the plugin whose route it is */
  route(scope: Scope, route: AdminRoute): void
  cache(cache: AdminCache): void
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    admin: AdminApi
  }
}
