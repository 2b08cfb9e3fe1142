import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { WriteInsert } from '../../../core/doors/plugin.ts'
import type { DeliveryStore } from '../deliver/delivery.ts'
import type { EventSource } from '../feed/event-source.ts'

/** The receiver of events. One process at a time receives events, of all that share a backend. */
export interface EventConsumer {
  /** This process delivers from now on. */
  start(): Promise<void>
  /** @throws when the event is not taken care of: it comes again */
  deliver(event: ChangeEvent): Promise<void>
  /** This process delivers no more; another one may. */
  stop(): Promise<void>
}

export interface BackendStatus {
  /** Does this process deliver? */
  readonly active: boolean
  /** The last event that was taken care of, and the last one there is. */
  readonly position: string
  readonly last: string
  /** Committed and not taken care of. */
  readonly pending: number
  /** Since the oldest of them was committed; 0 = there is none. */
  readonly lagSeconds: number
}

/**
 * Where committed changes wait until somebody has dealt with them (`observers.backend`). All give the same events to the
 * same consumer; a test holds them to one behaviour.
 */
export interface EventBackend {
  /** The row that each write leaves in its own statement; `null`: events are told after COMMIT alone. */
  readonly insert: Pick<WriteInsert, 'table'> | null
  readonly store: DeliveryStore
  /** The same events for subscribers of this process, whoever delivers to observers. */
  readonly source: EventSource
  /** Aborted when it is not, or no longer, this process' turn to deliver. */
  readonly turn: () => AbortSignal
  /** Begins to give events to the consumer, as soon as it is this process' turn. */
  start(consumer: EventConsumer): void
  /** This process has committed these; a backend that has them already only hurries, and does not ask what they are. */
  committed(events: () => readonly ChangeEvent[]): void
  /** @throws while it cannot be reached */
  status(): Promise<BackendStatus>
  /** Gives no more events and ends what runs, within the time of a shutdown. */
  stop(): Promise<void>
}
