import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { SchemaModel } from '../../../core/doors/plugin.ts'

/**
 * Events of committed changes, from this process and from others with the same backend. Each process receives each event
 * once.
 */
export interface CommittedEvents {
  /**
   * `true` if events can be read after a restart and from all processes; `false`: only by this process, until it ends.
   */
  readonly isDurable: boolean
  /**
   * Declares types whose changes the plugin needs, with the row before the change. Without a declaration, no changes
   * are recorded. Call this during set-up.
   * @param choose returns names of types; called once per generation
   */
  want(choose: (schema: SchemaModel) => Iterable<string>): void
  /** Position of the last event that this process has received. */
  readonly position: string
  /**
   * Subscribes to the events of all types, in the order of positions. The listener is called synchronously, so it must
   * be fast and must limit what it queues.
   * @returns a function that unsubscribes
   */
  follow(listener: EventListener): () => void
  /**
   * Reads events after a position, from memory if they are still there, otherwise from the backend.
   * @param limit default 500, at most 5000
   * @throws SvcError SERVICE_UNAVAILABLE; BAD_USER_INPUT when `after` is no position
   */
  read(after: string, limit?: number): Promise<EventPage>
  /**
   * Reads events after a position, then new ones as they occur, without gaps or duplicates. Events are read when the
   * iterator is advanced, and not queued. A page has events, or says that the position is too old, or both.
   * @param after `null`: only new events
   * @throws as `read`
   */
  stream(after: string | null, signal: AbortSignal): AsyncIterable<EventPage>
  /**
   * Returns the position of an event (`Last-Event-ID`).
   * @returns `null` when the event is unknown, or no longer stored
   * @throws SvcError SERVICE_UNAVAILABLE
   */
  positionOf(eventId: string): Promise<string | null>
  /**
   * Subscribes to messages of all senders on a subject of the message bus, which are not stored. Absent when the backend has
   * no such subjects.
   * @returns the function that unsubscribes
   * @throws while the bus cannot be reached
   */
  readonly hear?:
    | ((subject: string, heard: (text: string) => void, gap?: () => void) => Promise<() => Promise<void>>)
    | undefined
}

export interface EventListener {
  /** Receives an event. An exception is logged, and the other listeners are still called. */
  event(event: ChangeEvent): void
  /** Called when the backend becomes unreachable, or reachable again. No event is lost by that. */
  state?(isUp: boolean): void
  /** Events after `after` were deleted before this process read them. A listener that needs all events has to reload its data. */
  lost?(after: string): void
}

export interface EventPage {
  readonly events: readonly ChangeEvent[]
  /** The position after which the next page starts. */
  readonly position: string
  /** `true` if no further events existed when the page was read. */
  readonly isEnd: boolean
  /**
   * `true` if events directly after the requested position were deleted. Then `events` start with the oldest stored
   * event.
   */
  readonly isTooOld: boolean
}
