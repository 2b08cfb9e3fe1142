import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { FollowedEvents } from '../events/local-events.ts'
import type { ReaderParts } from './reader.ts'
import type { Watch } from './watch.ts'

/** Dependencies of the {@link Hub}. */
export interface HubParts {
  readonly events: Pick<FollowedEvents, 'position' | 'read' | 'positionOf'>
  /**
   * Checks the access of a subscriber.
   * @returns a key that is equal for subscribers with equal access
   * @throws the error with which to end the subscription
   */
  readonly accessKey: (watch: Watch) => Promise<string>
  /** Tests whether a subscription was prepared for a schema that is no longer the loaded one. */
  readonly isStale: (watch: Watch) => boolean
  /** Reads the texts to send for events. @throws Stale when another schema was loaded */
  readonly read: ReaderParts['read']
  readonly failed: (error: unknown) => void
  readonly sent: (event: ChangeEvent) => void
  readonly lost: () => void
  /** Maximum number of concurrent reads of all subscriptions together. Default 8. */
  readonly readsAtOnce?: number
  /**
   * Milliseconds to wait for the end of an outage when subscriptions are prepared anew after a reload. Default 10,000.
   */
  readonly patienceMs?: number
}
