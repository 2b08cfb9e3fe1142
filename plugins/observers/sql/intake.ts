import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { Database } from '../../../core/doors/plugin.ts'
import { OutboxReader } from './outbox-reader.ts'
import type { OutboxReads } from './outbox-reads.ts'

/** An event that the relay has taken, and is to say when it is taken care of. */
export interface TakenEvent {
  readonly event: ChangeEvent
  readonly done: () => void
}

/** Where a relay gets its events from, for one turn. */
export interface Intake {
  /** @returns `waitMs`: worth another look after so long; `null`: when it is woken. @throws what ends the turn */
  read(limit: number): Promise<{ readonly taken: readonly TakenEvent[]; readonly waitMs: number | null }>
  close(): Promise<void>
}

/** From the outbox itself. */
export function readOutbox(database: () => Database, reads: OutboxReads, from: string): Intake {
  const reader = new OutboxReader(database, reads, from)
  return {
    async read(limit) {
      const { events, waitMs } = await reader.read(limit)
      // How far all is done is kept with the lease.
      return { taken: events.map((event) => ({ event, done() {} })), waitMs }
    },
    async close() {},
  }
}
