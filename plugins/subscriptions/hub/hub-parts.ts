import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { FollowedEvents } from '../events/local-events.ts'
import type { ReaderParts } from './reader.ts'
import type { Watch } from './watch.ts'

/** What the hub takes from its surroundings. */
export interface HubParts {
  readonly events: Pick<FollowedEvents, 'position' | 'read' | 'positionOf'>
  /** Who sees the same has the same key. @throws who may not ask any more */
  readonly accessKey: (watch: Watch) => Promise<string>
  /** Was it made for another schema than the one that is served now? */
  readonly isStale: (watch: Watch) => boolean
  /** @throws Stale */
  readonly read: ReaderParts['read']
  readonly failed: (error: unknown) => void
  readonly told: (event: ChangeEvent) => void
  readonly lost: () => void
  /** Reads at once, of all subscriptions together. */
  readonly readsAtOnce?: number
  /** So long an outage is waited for when subscriptions are made anew, in milliseconds. */
  readonly patienceMs?: number
}
