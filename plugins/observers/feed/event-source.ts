import type { ChangeEvent } from '../../../core/doors/front.ts'

/** Receives the events that a process reads, in the order of positions. */
export interface EventSink {
  /** Live begins behind this position. */
  begin(position: string): void
  /** @param position up to which all is decided: that of the last event, or beyond it */
  take(events: readonly ChangeEvent[], position: string): void
  /** What stood behind the last position was removed before it was read; live goes on behind this one. */
  lost(position: string): void
}

export interface History {
  readonly events: readonly ChangeEvent[]
  /** The events right behind the requested position are not stored any more. */
  readonly isTooOld: boolean
}

/** The events of a backend as each process reads them for itself, whoever delivers them to observers. */
export interface EventSource {
  /** Is there more than this process has heard of? */
  readonly isDurable: boolean
  /**
   * Gives events until the signal; somebody else calls it again when it failed.
   * @param from where it was; `null`: from now on
   * @throws while the backend cannot be reached
   */
  follow(from: string | null, sink: EventSink, signal: AbortSignal): Promise<void>
  /** Events behind `after` up to `upTo`, which is decided. @throws as `follow` */
  history(after: string, upTo: string, limit: number): Promise<History>
  /** @returns `null`: there is no event of this id, or no more */
  positionOf(id: string): Promise<string | null>
}
