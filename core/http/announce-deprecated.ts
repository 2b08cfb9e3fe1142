import type { Exchange } from '../contract/exchange.ts'

/** A day in front of the reason is when it was, or will be, deprecated: `2026-03-01: use posts`. */
const DAY = /^\d{4}-\d{2}-\d{2}(?!\d)/

/**
 * Says on the answer, whatever it is, that the request used what is deprecated (RFC 9745). Of several the first counts.
 * @param reason why; nothing is said of `undefined`
 */
export function announceDeprecated(ctx: Exchange, reason: string | undefined): void {
  if (reason === undefined) return
  ctx.replyHeaders ??= {}
  ctx.replyHeaders.deprecation ??= deprecationDate(reason)
}

/** The header wants a date. Of a reason without one it is the earliest that there is: it has been for as long as anybody knows. */
function deprecationDate(reason: string): string {
  const day = Date.parse(DAY.exec(reason)?.[0] ?? '')
  return `@${Number.isNaN(day) ? 0 : day / 1000}`
}
