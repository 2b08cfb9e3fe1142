import type { ChangeEvent } from '../../../core/doors/front.ts'

/** Receives the events that a process reads, in the order of positions. */
export interface EventSink {
  /** Live events follow after this position. */
  begin(position: string): void
  /** @param position all events up to it are known: the position of the last event, or a later one */
  take(events: readonly ChangeEvent[], position: string): void
  /** Events after the last position were deleted before they were read. Live events continue after this position. */
  lost(position: string): void
}

export interface History {
  readonly events: readonly ChangeEvent[]
  /** Were events directly after the requested position deleted? */
  readonly isTooOld: boolean
}

/** The events of a backend as each process reads them, regardless of the process that delivers to observers. */
export interface EventSource {
  /** Does it provide events of other processes, and events from before this process started? */
  readonly isDurable: boolean
  /**
   * Passes events until the signal is aborted. After an error the caller calls it again.
   * @param from position that was reached; `null`: only new events
   * @throws while the backend cannot be reached
   */
  follow(from: string | null, sink: EventSink, signal: AbortSignal): Promise<void>
  /** Reads events after `after` up to `upTo`, when all events up to there are known. @throws as `follow` */
  history(after: string, upTo: string, limit: number): Promise<History>
  /** Returns the position of an event. @returns `null`: no event with this id is stored */
  positionOf(id: string): Promise<string | null>
}
