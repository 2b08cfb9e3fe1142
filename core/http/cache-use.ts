import type { Exchange } from '../contract/exchange.ts'

const uses = new WeakMap<Exchange, boolean>()

/** Says whether a kept answer was found for a request; of several operations in one, whether it was for all of them. */
export function noteCacheUse(ctx: Exchange, wasHit: boolean): void {
  uses.set(ctx, wasHit && uses.get(ctx) !== false)
}

/** @returns `null`: it asked for nothing that is kept */
export function cacheUseOf(ctx: Exchange): boolean | null {
  return uses.get(ctx) ?? null
}
