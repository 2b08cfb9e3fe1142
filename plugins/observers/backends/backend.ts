import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { DeliveryStore } from '../deliver/delivery.ts'
import type { EventSource } from '../feed/event-source.ts'

/** The receiver of events. Of all processes that share a backend, one at a time receives events. */
export interface EventConsumer {
  /** This process becomes the one that delivers. */
  start(): Promise<void>
  /** Delivers an event. @throws when the event was not handled; it is then passed again */
  deliver(event: ChangeEvent): Promise<void>
  /** This process stops delivering. Another process may take over. */
  stop(): Promise<void>
}

export interface BackendStatus {
  /** Does this process deliver? */
  readonly active: boolean
  /** Position of the last event that was handled, and of the last event. */
  readonly position: string
  readonly last: string
  /** Number of committed events that were not handled yet. */
  readonly pending: number
  /** Age of the oldest of them; 0: none. */
  readonly lagSeconds: number
}

/**
 * A queue of committed changes until they are handled (`observers.backend`). All backends pass the same events to a consumer; a
 * shared test checks their behaviour.
 */
export interface EventBackend {
  /** The row that each write inserts in its own statement; `null`: events are only reported after COMMIT. */
  readonly insert: { readonly table: string } | null
  readonly store: DeliveryStore
  /** The same events for subscribers of this process, regardless of the process that delivers to observers. */
  readonly source: EventSource
  /** A signal that is aborted while this process is not the one that delivers. */
  readonly turn: () => AbortSignal
  /** Begins to pass events to the consumer, as soon as this process is the one that delivers. */
  start(consumer: EventConsumer): void
  /** Reports events that this process has committed. A backend that stores them already only wakes up, without calling `events`. */
  committed(events: () => readonly ChangeEvent[]): void
  /** Reads the status. @throws while the backend cannot be reached */
  status(): Promise<BackendStatus>
  /** Passes no more events, and waits for running deliveries, within the time of a shutdown. */
  stop(): Promise<void>
}
