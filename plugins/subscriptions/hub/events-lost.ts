import { SvcError } from '../../../core/doors/plugin.ts'
import { Stale } from './stale.ts'

/** Makes the EVENTS_LOST error, with the id of the last event that the client received. */
export function eventsLost(lastEventId: string | null): SvcError {
  const message =
    'Events were lost to this subscription: it was too slow, or they are not kept any more. Read the data again, and subscribe anew.'
  return new SvcError('EVENTS_LOST', message, { details: { lastEventId, resync: true } })
}

/** Tests whether an error is an outage or a timeout, so that another attempt may succeed. */
export function isOutage(error: unknown): boolean {
  return error instanceof SvcError && (error.code === 'SERVICE_UNAVAILABLE' || error.code === 'TIMEOUT')
}

/** SQLSTATE classes of a server that is stopping, starting, or out of resources. */
const SERVER_AWAY = /^(?:08|53|57P|58)[0-9A-Z]{2,3}$/

/**
 * Tests whether a failed read may succeed when it is repeated: after an outage or a deadlock, or once the subscription
 * is renewed.
 */
export function passes(error: unknown): boolean {
  if (error instanceof Stale || isOutage(error)) return true
  if (!(error instanceof SvcError)) return false
  const { code } = (error.cause ?? {}) as { readonly code?: unknown }
  return error.code === 'TRANSACTION_FAILED' || (typeof code === 'string' && SERVER_AWAY.test(code))
}
