import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { Database } from '../../../core/doors/plugin.ts'
import { OutboxReader } from './outbox-reader.ts'
import type { OutboxReads } from './outbox-reads.ts'

/** An event that the relay has read. The relay calls `done` after handling the event. */
export interface TakenEvent {
  readonly event: ChangeEvent
  readonly done: () => void
}

/** The source of events for one turn of the relay. */
export interface Intake {
  /**
   * Reads the next events.
   * @returns `waitMs`: delay before the next read is worthwhile; `null`: wait for a wake-up
   * @throws the error that ends the turn
   */
  read(limit: number): Promise<{ readonly taken: readonly TakenEvent[]; readonly waitMs: number | null }>
  close(): Promise<void>
}

/** Creates an intake that reads events directly from the outbox. */
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
