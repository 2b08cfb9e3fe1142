import { SvcError } from '../../../core/doors/plugin.ts'
import { Stale } from './stale.ts'

/**
 * Creates the error EVENTS_LOST for a subscription that missed events.
 * @param lastEventId id of the last event that the client received; `null`: none
 */
export function eventsLost(lastEventId: string | null): SvcError {
  const message =
    'Events were lost to this subscription: it was too slow, or they are not kept any more. Read the data again, and subscribe anew.'
  return new SvcError('EVENTS_LOST', message, { details: { lastEventId, resync: true } })
}

/** Tests whether an error is an outage or a timeout, so that a repeated attempt may succeed. */
export function isOutage(error: unknown): boolean {
  return error instanceof SvcError && (error.code === 'SERVICE_UNAVAILABLE' || error.code === 'TIMEOUT')
}

/** SQLSTATE classes of a server that is stopping, starting, or out of resources. */
const SERVER_AWAY = /^(?:08|53|57P|58)[0-9A-Z]{2,3}$/

/**
 * Tests whether a failed read of a subscription may succeed when it is repeated: after an outage, a deadlock, or a
 * change of the schema.
 */
export function passes(error: unknown): boolean {
  if (error instanceof Stale || isOutage(error)) return true
  if (!(error instanceof SvcError)) return false
  const { code } = (error.cause ?? {}) as { readonly code?: unknown }
  return error.code === 'TRANSACTION_FAILED' || (typeof code === 'string' && SERVER_AWAY.test(code))
}
