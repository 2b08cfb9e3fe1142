import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { FollowedEvents } from '../events/local-events.ts'
import type { ReaderParts } from './reader.ts'
import type { Watch } from './watch.ts'

/** The functions that the hub needs from the plugin. */
export interface HubParts {
  readonly events: Pick<FollowedEvents, 'position' | 'read' | 'positionOf'>
  /** Authorizes a subscriber. @returns a key that is equal for equal access @throws the error that denies the subscription */
  readonly accessKey: (watch: Watch) => Promise<string>
  /** Tests whether a watch was prepared for an older generation of the schema. */
  readonly isStale: (watch: Watch) => boolean
  /** Reads the response texts of events. @throws Stale when the generation has changed */
  readonly read: ReaderParts['read']
  readonly failed: (error: unknown) => void
  readonly sent: (event: ChangeEvent) => void
  readonly lost: () => void
  /** Maximum number of concurrent reads for all subscriptions together. */
  readonly readsAtOnce?: number
  /** Milliseconds to wait for the end of an outage when subscriptions are renewed. */
  readonly patienceMs?: number
}
