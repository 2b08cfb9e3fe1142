import type { Exchange } from '../../contract/exchange.ts'

/** A reason may start with the day of the deprecation: `2026-03-01: use posts`. */
const DAY = /^\d{4}-\d{2}-\d{2}(?!\d)/

/**
 * Sets the header `Deprecation` (RFC 9745) of the HTTP reply, also for errors. The first call for a request takes
 * effect.
 * @param reason deprecation reason of the schema element that the request used, which may begin with a date;
 * `undefined`: set no header
 */
export function announceDeprecated(ctx: Exchange, reason: string | undefined): void {
  if (reason === undefined) return
  ctx.replyHeaders ??= {}
  ctx.replyHeaders.deprecation ??= deprecationDate(reason)
}

/** Returns the date for the header. A reason without a date gives the earliest possible one: `@0`, 1 January 1970. */
function deprecationDate(reason: string): string {
  const day = Date.parse(DAY.exec(reason)?.[0] ?? '')
  return `@${Number.isNaN(day) ? 0 : day / 1000}`
}
