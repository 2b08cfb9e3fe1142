import type { ChangeEvent } from '../../../core/doors/front.ts'
import { type BusEntry, writeEntry } from './bus-entry.ts'

/**
 * A log outside of the database, to which the relay carries the outbox and from which processes read. What a bus has lost is
 * carried again: nothing leaves the outbox before it is delivered.
 */
export interface EventBus {
  /** Position of the last event that it has; `0`: none. @throws while it cannot be reached, as all of these */
  last(): Promise<string>
  /**
   * Appends behind what it has.
   * @param previous position of the event before the first of these
   * @param isFirst of this turn: it may have lost what was there
   * @throws BusBehind: its last is another one than `previous`
   */
  append(previous: string, events: readonly ChangeEvent[], isFirst: boolean): Promise<void>
  /** Follows new entries until the signal is aborted. */
  tail(to: BusListener, signal: AbortSignal): Promise<void>
  /**
   * What the group of observers has not acknowledged, beginning with what another process took and did not.
   * @param floor everything up to here is delivered
   * @param arrived called when there is something to read
   */
  consume(floor: string, arrived: () => void): Promise<BusConsumer>
  /** Nothing up to this position is needed any more. */
  trim(position: string): Promise<void>
  /**
   * Messages on a subject, which nobody keeps: whoever is connected hears them. Absent: the bus has none.
   * @param gap called when the subject is heard again after an interruption: messages may be missing
   * @returns ends it
   */
  hear?(subject: string, heard: (text: string) => void, gap?: () => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

export interface BusListener {
  /** Live begins behind this position; called once. */
  begin(last: string): Promise<void>
  take(entries: readonly BusEntry[]): Promise<void>
}

export interface BusConsumer {
  /** Takes up to `limit` arrived entries. @throws the error of the connection */
  read(limit: number): readonly BusEntry[]
  /** It is taken care of. */
  done(position: string): void
  close(): Promise<void>
}

/** The bus has lost something, or somebody else writes to it: the turn begins anew, from what it has. */
export class BusBehind extends Error {
  constructor(last: string, previous: string) {
    super(`the bus has events up to ${last}, where ${previous} was expected`)
    this.name = 'BusBehind'
  }
}

/** Entries that are fetched at once: as many as may be large ones without going far beyond what may be unread. */
export const MOST_FETCHED = 64

/** Longest text of what is appended at once: escaped, it is half of what MariaDB takes in one statement. */
const MOST_AT_ONCE = 4_000_000

export interface Appended {
  readonly event: ChangeEvent
  readonly text: string
}

/** Entries in groups that a bus takes at once, so that large ones do not go beyond what it takes. */
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
