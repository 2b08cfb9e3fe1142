import type { Exchange } from '../../contract/exchange.ts'

const uses = new WeakMap<Exchange, boolean>()

/** Records whether a request was answered from a cache. A request with several operations counts when all of them were. */
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
