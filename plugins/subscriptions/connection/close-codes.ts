import type { PublicError } from '../../../core/doors/plugin.ts'

/**
 * Codes with which svc closes WebSockets: those of RFC 6455 and its registry (1xxx), and of `graphql-transport-ws`
 * (44xx).
 */
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

/** Returns the WebSocket close code for a connection that is rejected with an error. */
export function closeCodeOf({ status }: Pick<PublicError, 'status'>): number {
  if (status === 401) return CLOSE.unauthorized
  if (status === 403) return CLOSE.forbidden
  if (status === 429 || status === 503 || status === 504) return CLOSE.tryAgainLater
  return status >= 500 ? CLOSE.failed : CLOSE.badMessage
}

/** Bytes of a close reason (RFC 6455, section 5.5). */
const LONGEST_REASON = 123

/** Shortens a text to the maximum length of a WebSocket close reason, without splitting a character. */
export function closeReason(text: string): string {
  // Each UTF-16 unit takes at least one byte, so the rest of a longer text cannot fit.
  const bytes = Buffer.from(text.slice(0, LONGEST_REASON + 1))
  if (bytes.length <= LONGEST_REASON) return text
  let end = LONGEST_REASON
  // A byte 10xxxxxx continues a character.
  while ((bytes[end]! & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}
