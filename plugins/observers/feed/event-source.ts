import type { ChangeEvent } from '../../../core/doors/front.ts'

/** Receives the events that a process reads, in the order of positions. */
export interface EventSink {
  /** Called before the first event. Live events follow after this position. */
  begin(position: string): void
  /**
   * Receives new events.
   * @param position all events up to it are known: the position of the last event, or a later one
   */
  take(events: readonly ChangeEvent[], position: string): void
  /**
   * Called when events after the last position were deleted before they were read. Live events continue after this
   * position.
   */
  lost(position: string): void
}

export interface History {
  readonly events: readonly ChangeEvent[]
  /** `true` if events directly after the requested position were deleted. */
  readonly isTooOld: boolean
}

/** The events of a backend as each process reads them, whichever process delivers to observers. */
export interface EventSource {
  /** `true` if the source provides events of other processes, and events from before this process started. */
  readonly isDurable: boolean
  /**
   * Passes events to the sink until the signal is aborted. After an error, the caller calls it again.
   * @param from last position that the caller has received; `null`: only new events
   * @throws while the backend cannot be reached
   */
  follow(from: string | null, sink: EventSink, signal: AbortSignal): Promise<void>
  /** Reads events after `after` up to `upTo`, when all events in this range are known. @throws as `follow` */
  history(after: string, upTo: string, limit: number): Promise<History>
  /** Returns the position of an event. @returns `null`: no event with this id is stored */
  positionOf(id: string): Promise<string | null>
}
