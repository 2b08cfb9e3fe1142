import type { PublicError } from '../../../core/index.ts'

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
export function closeReason(text: string): string {
  let reason = text
  while (Buffer.byteLength(reason) > 123) reason = reason.slice(0, -1)
  return reason
}
