import type { ChangeEvent } from '../../core/doors/front.ts'
import type { SchemaModel } from '../../core/doors/plugin.ts'

/** Calls out: public addresses alone, no redirects, bounded. */
export { createHttpSender, type HttpSender, type HttpSenderOptions, type Outcome } from './outgoing/http-sender.ts'

/** Committed changes, of this process and of others that share the backend: each process hears of each once. */
export interface CommittedEvents {
  /** Can be read on after a restart, and from any process of the backend. `false`: this process alone, while it lives. */
  readonly isDurable: boolean
  /**
   * Types whose changes are needed, with the row before. Without it nothing is captured. Only during set-up.
   * @param choose asked once per generation; names of types
   */
  want(choose: (schema: SchemaModel) => Iterable<string>): void
  /** The last position that this process has seen; live goes on behind it. */
  readonly position: string
  /**
   * Every event, of whatever type, in the order of positions. The listener is called synchronously and has to be quick; what
   * it queues, it bounds.
   * @returns ends it
   */
  follow(listener: EventListener): () => void
  /**
   * Events behind a position: of memory where it reaches back so far, else of the backend.
   * @param limit default 500, at most 5000
   * @throws SvcError SERVICE_UNAVAILABLE, BAD_USER_INPUT (this is no position)
   */
  read(after: string, limit?: number): Promise<EventPage>
  /**
   * History behind a position, then live, without gap or duplicate. Nothing is queued for whoever reads: it is read when it is
   * pulled. A page has events, or says that the position is too old, or both.
   * @param after `null`: from now on
   * @throws as `read`
   */
  stream(after: string | null, signal: AbortSignal): AsyncIterable<EventPage>
  /**
   * Where an event stands (`Last-Event-ID`).
   * @returns `null`: it is not known, or not kept any more
   * @throws SvcError SERVICE_UNAVAILABLE
   */
  positionOf(eventId: string): Promise<string | null>
  /**
   * Messages on a subject of the bus, whoever sends them; nobody keeps them. Absent: the backend has no such.
   * @returns ends it
   * @throws while it cannot be reached
   */
  readonly hear?:
    | ((subject: string, heard: (text: string) => void, gap?: () => void) => Promise<() => Promise<void>>)
    | undefined
}

export interface EventListener {
  /** A throw is logged; the others are called. */
  event(event: ChangeEvent): void
  /** The backend cannot be reached, or can be again: nothing is lost by it. */
  state?(isUp: boolean): void
  /** Events behind `after` were removed before this process had read them: whoever needs all reads its data again. */
  lost?(after: string): void
}

export interface EventPage {
  readonly events: readonly ChangeEvent[]
  /** Read on from here. */
  readonly position: string
  /** There was nothing behind it when this was read. */
  readonly isEnd: boolean
  /** What stood right behind the position is not kept any more; `events` begin with the oldest that is. */
  readonly isTooOld: boolean
}

// Where everybody extends it: of two modules that extend one interface under two paths, TypeScript sees one.
declare module '../../core/doors/plugin.ts' {
  interface Provided {
    events: CommittedEvents
  }
}
