import type { PublicError } from '../../../core/doors/plugin.ts'

/** Of the protocols (behaviours 8.1), and of RFC 6455. */
export const CLOSE = {
  goingAway: 1001,
  restart: 1012,
  tryAgainLater: 1013,
  failed: 1011,
  badMessage: 4400,
  unauthorized: 4401,
  forbidden: 4403,
  subprotocol: 4406,
  initTimeout: 4408,
  duplicate: 4409,
  tooManyInits: 4429,
} as const

/** How a connection ends that is refused. */
export function closeCodeOf({ status }: Pick<PublicError, 'status'>): number {
  if (status === 401) return CLOSE.unauthorized
  if (status === 403) return CLOSE.forbidden
  if (status === 429 || status === 503 || status === 504) return CLOSE.tryAgainLater
  return status >= 500 ? CLOSE.failed : CLOSE.badMessage
}

/** A reason has 123 bytes at most. */
const LONGEST_REASON = 123

/** The longest beginning of a text that fits into a reason; it ends in no half of a character. */
export function closeReason(text: string): string {
  // A character has one byte at least, so the rest need not be looked at.
  const bytes = Buffer.from(text.slice(0, LONGEST_REASON + 1))
  if (bytes.length <= LONGEST_REASON) return text
  let end = LONGEST_REASON
  // A byte 10xxxxxx goes on with a character that began before.
  while ((bytes[end]! & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}
