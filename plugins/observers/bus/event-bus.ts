import type { ChangeEvent } from '../../../core/doors/front.ts'
import { type BusEntry, writeEntry } from './bus-entry.ts'

/**
 * A message bus outside the database, to which one process copies the event table and from which all processes read.
 * The event table keeps an event until it is delivered, so entries that the bus loses are copied again.
 */
export interface EventBus {
  /**
   * Returns the position of the last entry; `0`: the bus is empty.
   * @throws while the bus is unreachable, as all methods do
   */
  last(): Promise<string>
  /**
   * Appends events to the bus.
   * @param previous position of the event before the first of `events`
   * @param isFirst `true` for the first call since this process became active: the bus may have lost earlier entries
   * @throws BusBehind when the last entry on the bus has a position other than `previous`
   */
  append(previous: string, events: readonly ChangeEvent[], isFirst: boolean): Promise<void>
  /** Passes new entries to a listener until the signal is aborted. */
  tail(to: BusListener, signal: AbortSignal): Promise<void>
  /**
   * Starts reading entries that no process has acknowledged for the observers. Entries come first that another process
   * read and did not acknowledge.
   * @param floor position up to which all events are delivered
   * @param arrived called when entries can be read
   */
  consume(floor: string, arrived: () => void): Promise<BusConsumer>
  /** Removes entries up to a position, which no process needs any more. */
  trim(position: string): Promise<void>
  /**
   * Subscribes to messages that other programs publish on a subject and that are not stored. Absent: the bus does not
   * support it.
   * @param gap called when the subscription works again after an interruption, because messages may be missing
   * @returns a function that unsubscribes
   */
  hear?(subject: string, heard: (text: string) => void, gap?: () => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

export interface BusListener {
  /** Called once, before entries arrive. Entries follow after this position. */
  begin(last: string): Promise<void>
  take(entries: readonly BusEntry[]): Promise<void>
}

export interface BusConsumer {
  /**
   * Returns up to `limit` entries that have arrived, and removes them from the buffer.
   * @throws the error of the connection
   */
  read(limit: number): readonly BusEntry[]
  /** Acknowledges that the event at a position was delivered. */
  done(position: string): void
  close(): Promise<void>
}

/**
 * Error when the bus has lost entries or another process writes to it. The writer continues from the present end of the
 * bus.
 */
export class BusBehind extends Error {
  constructor(last: string, previous: string) {
    super(`the bus has events up to ${last}, where ${previous} was expected`)
    this.name = 'BusBehind'
  }
}

/**
 * Number of entries in one fetch from a bus. It is small, so that large entries hardly exceed the memory limit for
 * unread ones.
 */
export const MOST_FETCHED = 64

/** Longest text in one call of `append`. Escaped, it is half of MariaDB's limit for a statement. */
const MOST_AT_ONCE = 4_000_000

export interface Appended {
  readonly event: ChangeEvent
  readonly text: string
}

/**
 * Splits events into groups that are small enough for one call of a message bus.
 * @param previous position of the event before the first
 */
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
