import type { Exchange } from '../../contract/exchange.ts'

const uses = new WeakMap<Exchange, boolean>()

/**
 * Records for the access log whether a cache answered an operation of a request (`wasHit`). A request with several
 * operations counts as a hit if all of them were hits.
 */
export function noteCacheUse(ctx: Exchange, wasHit: boolean): void {
  uses.set(ctx, wasHit && uses.get(ctx) !== false)
}

/**
 * Returns how the request used a cache.
 * @returns `true` for a cache hit, `false` for a miss, `null` when the request used no cache
 */
export function cacheUseOf(ctx: Exchange): boolean | null {
  return uses.get(ctx) ?? null
}
