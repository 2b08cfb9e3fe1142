import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { DeliveryStore } from '../deliver/delivery.ts'
import type { EventSource } from '../feed/event-source.ts'

/**
 * Handles committed events in a process. Of all processes that share a backend, only one is active and receives events
 * at a time.
 */
export interface EventConsumer {
  /** Called when this process becomes the active one. */
  start(): Promise<void>
  /**
   * Runs the actions of the observers for an event.
   * @throws an error when the event was not handled; the backend then delivers it again
   */
  deliver(event: ChangeEvent): Promise<void>
  /** Called when this process is no longer the active one. Another process may become active. */
  stop(): Promise<void>
}

export interface BackendStatus {
  /** `true` if this process is the active one, which delivers events to observers. */
  readonly active: boolean
  /** Position of the last event that was delivered to observers. `last` is the position of the last committed event. */
  readonly position: string
  readonly last: string
  /** Number of committed events that were not yet delivered to observers. */
  readonly pending: number
  /** Age in seconds of the oldest event that was not yet delivered; 0: none. */
  readonly lagSeconds: number
}

/**
 * Queue between committed changes and the observers, as `observers.backend` configures. One process at a time is active
 * and delivers events.
 */
export interface EventBackend {
  /**
   * Table into which each write inserts its event with the same statement; `null`: the writing process reports events
   * after COMMIT.
   */
  readonly insert: { readonly table: string } | null
  readonly store: DeliveryStore
  /** Source of the same events for subscriptions in this process, whether or not it is the active one. */
  readonly source: EventSource
  /** Returns a signal that is aborted when this process is no longer the active one. */
  readonly turn: () => AbortSignal
  /** Starts to deliver events to the consumer, as soon as this process is the active one. */
  start(consumer: EventConsumer): void
  /**
   * Reports events that this process has committed. A backend with a table only takes it as a wake-up and does not call
   * `events`.
   */
  committed(events: () => readonly ChangeEvent[]): void
  /** Returns the current state of the queue. @throws while the backend is unreachable */
  status(): Promise<BackendStatus>
  /** Stops delivering events and waits for running deliveries, for a limited time. */
  stop(): Promise<void>
}
