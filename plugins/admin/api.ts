import type { HttpExchange, MaybePromise, Scope } from '../../core/doors/plugin.ts'

/** An HTTP endpoint that a plugin adds to the admin API with `AdminApi.route`. */
export interface AdminRoute {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Path below `/api/v1/admin`, such as `/cache/stats`. */
  readonly path: string
  /** `true` if the endpoint changes something: requests with the read-only admin token are then rejected. */
  readonly writes: boolean
  /**
   * Handles a request whose admin token is already checked.
   * @returns a JSON value, which is sent as `data` of the reply
   * @throws SvcError the error to send; the operator also sees the messages of `SVC_…` errors
   */
  readonly handler: (ctx: HttpExchange) => MaybePromise<unknown>
  /**
   * `true`: the handler's return value is the whole reply body, without `{ "status", "data" }` around it. Default
   * `false`.
   */
  readonly bare?: boolean
}

/**
 * Selects the entries that `POST /cache/clear` removes: all, those of one entity type, or those whose view name matches
 * a pattern.
 */
export type ClearedScope =
  | { readonly scope: 'all' }
  | { readonly scope: 'entity'; readonly entityType: string }
  /** `*` stands for any characters. */
  | { readonly scope: 'pattern'; readonly pattern: string }

/** Size, limits and hit counts of a cache in this process, for `GET /cache/stats`. */
export interface CacheStats {
  readonly entries: number
  readonly hits: number
  readonly misses: number
  /** Lifetime of entries in seconds; `null`: entries do not expire. */
  readonly ttlSecs: number | null
  /** Maximum number of entries; `null` when the cache is limited by bytes instead. */
  readonly maxEntries: number | null
  readonly bytes?: number
  readonly maxBytes?: number
}

/** A cache of a plugin that operators can inspect (`GET /cache/stats`) and clear (`POST /cache/clear`). */
export interface AdminCache {
  /** Unique name of the cache in replies of the admin API: `query_plan`, `response`, `apq`. */
  readonly name: string
  stats(): CacheStats
  /**
   * Removes entries in this process. The admin API calls it in every worker.
   * @returns the number of removed entries; `null` when this cache does not support the kind of scope, such as
   * `pattern`
   */
  clear(what: ClearedScope): MaybePromise<number | null>
}

/**
 * API of the admin plugin for other plugins, which add endpoints and caches for operators. Call its functions during
 * set-up.
 */
export interface AdminApi {
  /** Path prefix of all admin endpoints: `/api/v1/admin`. */
  readonly path: string
  /** Adds an endpoint to the admin API. @param scope the scope of the plugin that adds the endpoint */
  route(scope: Scope, route: AdminRoute): void
  /**
   * Adds a cache to the endpoints `/cache/stats` and `/cache/clear`.
   * @throws SvcError SVC_PROVIDE_DUPLICATE when another cache has the same name
   */
  cache(cache: AdminCache): void
}

declare module '../../core/doors/plugin.ts' {
  interface Provided {
    admin: AdminApi
  }
}
