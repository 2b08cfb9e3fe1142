import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { SchemaModel } from '../../../core/doors/plugin.ts'

/**
 * API of the observers plugin for plugins that need committed changes. Each process receives each event once, whichever
 * process committed the change.
 */
export interface CommittedEvents {
  /**
   * `true` if events of all processes can be read, even after a restart. `false`: only events of this process, until it
   * ends.
   */
  readonly isDurable: boolean
  /**
   * Requests events for changes of some types, with the row before the change. Without a request no changes are
   * recorded. Call it during set-up.
   * @param choose returns names of types; called once per loaded schema
   */
  want(choose: (schema: SchemaModel) => Iterable<string>): void
  /** Position of the last event that this process has received, for `read` and `stream`. */
  readonly position: string
  /**
   * Subscribes to the events of all types, in the order of positions. The listener is called synchronously, so it must
   * be fast and must limit what it queues.
   * @returns a function that unsubscribes
   */
  follow(listener: EventListener): () => void
  /**
   * Reads events after a position, from memory if possible, otherwise from the backend of `observers.backend`.
   * @param limit maximum number of events; default 500, at most 5000
   * @throws SvcError SERVICE_UNAVAILABLE; BAD_USER_INPUT when `after` is not a position
   */
  read(after: string, limit?: number): Promise<EventPage>
  /**
   * Reads the events after a position and then new ones, without gaps or duplicates. Events are read when the iterator
   * advances. A page without events only says that the position is too old.
   * @param after `null`: only new events
   * @throws errors of {@link CommittedEvents.read}
   */
  stream(after: string | null, signal: AbortSignal): AsyncIterable<EventPage>
  /**
   * Returns the position of the event with an id, such as that in the header `Last-Event-ID`.
   * @returns `null` when the event is unknown or no longer stored
   * @throws SvcError SERVICE_UNAVAILABLE
   */
  positionOf(eventId: string): Promise<string | null>
  /**
   * Subscribes to messages that any program publishes on a subject of the message bus. They are not stored. Absent: the
   * backend has no such subjects.
   * @param gap called when the subscription works again after an interruption, because messages may be missing
   * @returns a function that unsubscribes
   * @throws while the bus is unreachable
   */
  readonly hear?:
    | ((subject: string, heard: (text: string) => void, gap?: () => void) => Promise<() => Promise<void>>)
    | undefined
}

export interface EventListener {
  /** Receives an event. An exception is logged, and the other listeners are still called. */
  event(event: ChangeEvent): void
  /** Called when the event backend becomes unreachable (`false`) or reachable again (`true`). No event is lost. */
  state?(isUp: boolean): void
  /**
   * Called when events after the position `after` were deleted before this process read them. A listener that needs all
   * events must reload its data.
   */
  lost?(after: string): void
}

export interface EventPage {
  readonly events: readonly ChangeEvent[]
  /** Position from which to read the next page. */
  readonly position: string
  /** `true` if no further events existed when the page was read. */
  readonly isEnd: boolean
  /**
   * `true` if the events directly after the requested position were deleted. `events` then start with the oldest stored
   * event.
   */
  readonly isTooOld: boolean
}
