import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { DeliveryStore } from '../deliver/delivery.ts'
import type { EventSource } from '../feed/event-source.ts'

/**
 * The receiver of committed events in a process. Of all processes that share a backend, only one receives events at a
 * time.
 */
export interface EventConsumer {
  /** Called when this process becomes the active one, which delivers events. */
  start(): Promise<void>
  /** Delivers an event to the observers. @throws when the event was not handled; the backend then passes it again */
  deliver(event: ChangeEvent): Promise<void>
  /** Called when this process stops delivering. Another process may become active. */
  stop(): Promise<void>
}

export interface BackendStatus {
  /** `true` if this process is the active one, which delivers events. */
  readonly active: boolean
  /** Position of the last event that was handled, and of the last event. */
  readonly position: string
  readonly last: string
  /** Number of committed events that were not handled yet. */
  readonly pending: number
  /** Age in seconds of the oldest pending event; 0: none. */
  readonly lagSeconds: number
}

/**
 * A queue of committed changes until they are handled (`observers.backend`). All backends pass the same events to a consumer; a
 * shared test checks their behaviour.
 */
export interface EventBackend {
  /**
   * Table into which each write inserts its event, in the same statement; `null`: events are only reported after
   * COMMIT.
   */
  readonly insert: { readonly table: string } | null
  readonly store: DeliveryStore
  /** Source of the same events for subscribers of this process, whichever process delivers to observers. */
  readonly source: EventSource
  /** Returns a signal that is aborted while this process is not the active one. */
  readonly turn: () => AbortSignal
  /** Starts passing events to the consumer, once this process is the active one. */
  start(consumer: EventConsumer): void
  /** Reports events that this process has committed. A backend that stores them already only wakes up, without calling `events`. */
  committed(events: () => readonly ChangeEvent[]): void
  /** Reads the status. @throws while the backend cannot be reached */
  status(): Promise<BackendStatus>
  /** Passes no more events, and waits for running deliveries, within the time of a shutdown. */
  stop(): Promise<void>
}
