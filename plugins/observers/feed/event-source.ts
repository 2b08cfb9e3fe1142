import type { ChangeEvent } from '../../../core/doors/front.ts'

/** Receives events from an {@link EventSource}, in the order of positions. */
export interface EventSink {
  /** Called before the first event. The events of `take` follow after this position. */
  begin(position: string): void
  /**
   * Receives new events.
   * @param position position up to which all events are now known: that of the last event, or a later one
   */
  take(events: readonly ChangeEvent[], position: string): void
  /**
   * Called when events after the last position were deleted before they could be read. The events of `take` continue
   * after `position`.
   */
  lost(position: string): void
}

export interface History {
  readonly events: readonly ChangeEvent[]
  /**
   * `true` if events directly after the requested position were deleted. `events` then start with the oldest stored
   * event.
   */
  readonly isTooOld: boolean
}

/** A source from which every process reads committed events, independently of their delivery to observers. */
export interface EventSource {
  /** `true` if the source provides events of other processes, and events from before this process started. */
  readonly isDurable: boolean
  /**
   * Passes events to the sink until the signal is aborted. After an error, the caller calls it again.
   * @param from last position that the caller has received; `null`: only new events
   * @throws an error while the backend is unreachable
   */
  follow(from: string | null, sink: EventSink, signal: AbortSignal): Promise<void>
  /**
   * Reads stored events after the position `after`, up to `upTo`. All events up to `upTo` must be known, as from
   * `EventSink.take`.
   * @throws errors of {@link EventSource.follow}
   */
  history(after: string, upTo: string, limit: number): Promise<History>
  /** Returns the position of the event with an id. @returns `null`: no event with this id is stored */
  positionOf(id: string): Promise<string | null>
}
