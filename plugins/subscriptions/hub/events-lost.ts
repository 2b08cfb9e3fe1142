import { SvcError } from '../../../core/index.ts'

/** What a subscriber is told: which event it has seen last, and what to do. */
export function eventsLost(lastEventId: string | null): SvcError {
  const message =
    'Events were lost to this subscription: it was too slow, or they are not kept any more. Read the data again, and subscribe anew.'
  return new SvcError('EVENTS_LOST', message, { details: { lastEventId, resync: true } })
}

/** Is it worth another attempt? */
export function isOutage(error: unknown): boolean {
  return error instanceof SvcError && (error.code === 'SERVICE_UNAVAILABLE' || error.code === 'TIMEOUT')
}
