import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { Database } from '../../../core/doors/plugin.ts'
import { OutboxReader } from './outbox-reader.ts'
import type { OutboxReads } from './outbox-reads.ts'

/** An event to deliver to observers. Call `done` when it has been handled. */
export interface TakenEvent {
  readonly event: ChangeEvent
  readonly done: () => void
}

/** The events that a process delivers to observers while it is the active one. */
export interface Intake {
  /**
   * Reads the next events.
   * @param limit maximum number of events
   * @returns `waitMs`: milliseconds after which to read again; `null`: when a notification arrives
   * @throws an error, after which this process stops being the active one
   */
  read(limit: number): Promise<{ readonly taken: readonly TakenEvent[]; readonly waitMs: number | null }>
  close(): Promise<void>
}

/**
 * Creates the source of events to deliver that reads the event table directly, without a message bus.
 * @param from position after which to begin
 */
export function readOutbox(database: () => Database, reads: OutboxReads, from: string): Intake {
  const reader = new OutboxReader(database, reads, from)
  return {
    async read(limit) {
      const { events, waitMs } = await reader.read(limit)
      // The position of handled events is stored with the lease.
      return { taken: events.map((event) => ({ event, done() {} })), waitMs }
    },
    async close() {},
  }
}
