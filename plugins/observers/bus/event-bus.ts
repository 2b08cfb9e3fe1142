import type { ChangeEvent } from '../../../core/doors/front.ts'
import { type BusEntry, writeEntry } from './bus-entry.ts'

/**
 * A log outside the database. The relay carries the outbox to it, and processes read from it. Entries that the bus loses are
 * carried again: no event leaves the outbox before it is delivered.
 */
export interface EventBus {
  /**
   * Returns the position of the last entry; `0`: none.
   * @throws while the bus cannot be reached, as all functions here
   */
  last(): Promise<string>
  /**
   * Appends events to the bus.
   * @param previous position of the event before the first of `events`
   * @param isFirst `true` for the first call of a turn. The bus may have lost entries before it
   * @throws BusBehind when the last entry of the bus has a position other than `previous`
   */
  append(previous: string, events: readonly ChangeEvent[], isFirst: boolean): Promise<void>
  /** Follows new entries until the signal is aborted. */
  tail(to: BusListener, signal: AbortSignal): Promise<void>
  /**
   * Reads entries that the group of observers has not acknowledged, first those that another process took without acknowledging.
   * @param floor position up to which all events are delivered
   * @param arrived called when there are entries to read
   */
  consume(floor: string, arrived: () => void): Promise<BusConsumer>
  /** Removes entries up to this position, which are no longer needed. */
  trim(position: string): Promise<void>
  /**
   * Subscribes to messages on a subject, which are not stored: only connected clients receive them. Absent: not supported by the bus.
   * @param gap called when the subscription is active again after an interruption: messages may be missing
   * @returns the function that unsubscribes
   */
  hear?(subject: string, heard: (text: string) => void, gap?: () => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

export interface BusListener {
  /** Called once. New entries follow after this position. */
  begin(last: string): Promise<void>
  take(entries: readonly BusEntry[]): Promise<void>
}

export interface BusConsumer {
  /** Takes up to `limit` arrived entries. @throws the error of the connection */
  read(limit: number): readonly BusEntry[]
  /** Acknowledges the entry at a position. */
  done(position: string): void
  close(): Promise<void>
}

/**
 * Error: the bus has lost entries, or another process writes to it. The relay starts again from the present end of the
 * bus.
 */
export class BusBehind extends Error {
  constructor(last: string, previous: string) {
    super(`the bus has events up to ${last}, where ${previous} was expected`)
    this.name = 'BusBehind'
  }
}

/** Number of entries in one fetch. Even if all are large, they do not exceed the limit on unread entries by much. */
export const MOST_FETCHED = 64

/** Longest text in one call of `append`. Escaped, it is half of MariaDB's limit for a statement. */
const MOST_AT_ONCE = 4_000_000

export interface Appended {
  readonly event: ChangeEvent
  readonly text: string
}

/** Splits events into groups that a bus accepts in one call, even if events are large. */
export function* groupEntries(
  previous: string,
  events: readonly ChangeEvent[],
): Generator<{ readonly previous: string; readonly entries: readonly Appended[] }> {
  let entries: Appended[] = []
  let bytes = 0
  let start = previous
  let before = previous
  for (const event of events) {
    const text = writeEntry(before, event)
    const size = Buffer.byteLength(text)
    if (entries.length > 0 && bytes + size > MOST_AT_ONCE) {
      yield { previous: start, entries }
      entries = []
      bytes = 0
      start = before
    }
    entries.push({ event, text })
    bytes += size
    before = event.position
  }
  if (entries.length > 0) yield { previous: start, entries }
}
