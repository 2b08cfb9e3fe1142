import type { Database } from '../../../core/doors/plugin.ts'
import type { EventSource } from '../feed/event-source.ts'
import type { Intake, TakenEvent } from '../sql/intake.ts'
import { OutboxReader } from '../sql/outbox-reader.ts'
import type { OutboxReads } from '../sql/outbox-reads.ts'
import { STATUS } from '../sql/statements.ts'
import { Wake } from '../sql/wake.ts'
import type { BusEntry } from './bus-entry.ts'
import { wholeEvent } from './bus-source.ts'
import type { EventBus } from './event-bus.ts'

const BATCH = 500
const POLL_MS = 1000
/** How long a bus may take to return entries that were carried to it. */
const LATE_MS = 5000

export interface BusIntakeOptions {
  readonly bus: EventBus
  readonly database: () => Database
  readonly outbox: EventSource
  readonly reads: OutboxReads
  /** Position up to which all events are already delivered. */
  readonly floor: string
  /**
   * Registers a callback for hints that the event table may have new rows.
   * @returns a function that removes the callback
   */
  readonly hear: (heard: () => void) => () => void
  /** Called when `Intake.read` has new events to return. */
  readonly arrived: () => void
  /** Milliseconds after which an entry that the bus has not returned is read from the event table. */
  readonly lateMs?: number
}

/**
 * Copies events from the event table to the message bus while this process is active, and reads the entries that
 * observers have not received.
 */
export async function openBusIntake(options: BusIntakeOptions): Promise<Intake> {
  const { bus, floor, outbox, hear, arrived, lateMs = LATE_MS } = options
  const wake = new Wake()
  const last = await checkedLast(options)
  const consumer = await bus.consume(floor, arrived)
  const unhear = hear(() => wake.now())
  let isOpen = true
  let failure: unknown = null
  /** Position up to which all events were read in this turn, from the bus or from the outbox, or were delivered before. */
  let position = floor
  /** Position of the last event on the bus. */
  let carried = last
  let waiting: readonly BusEntry[] = []
  /** Time since which an entry on the bus is overdue. */
  let lateSince: number | null = null

  async function carry(): Promise<void> {
    // Entries that the bus has lost are carried again; events up to the floor are delivered.
    let previous = BigInt(last) > BigInt(floor) ? last : floor
    const reader = new OutboxReader(options.database, options.reads, previous)
    let isFirst = true
    while (isOpen) {
      const { events, waitMs } = await reader.read(BATCH)
      if (events.length === 0) {
        await wake.wait(waitMs ?? POLL_MS)
        continue
      }
      await bus.append(previous, events, isFirst)
      isFirst = false
      previous = events.at(-1)!.position
      carried = previous
    }
  }
  const carrying = carry().catch((error: unknown) => {
    failure = error
    arrived()
  })

  /** Reads events that the bus has lost from the outbox. Some of them may have been handled in an earlier turn. */
  async function missed(upTo: string, limit: number): Promise<readonly TakenEvent[]> {
    const { events } = await outbox.history(position, upTo, limit)
    position = events.length < limit ? upTo : events.at(-1)!.position
    return events.map((event) => ({ event, done() {} }))
  }

  return {
    async read(limit) {
      if (failure !== null) throw failure
      if (waiting.length === 0) waiting = consumer.read(limit)
      if (waiting.length > 0) lateSince = null
      const taken: TakenEvent[] = []
      while (waiting.length > 0 && taken.length < limit) {
        const entry = waiting[0]!
        const at = entry.event.position
        const done = (): void => consumer.done(at)
        if (BigInt(entry.previous) > BigInt(position)) {
          taken.push(...(await missed(entry.previous, limit)))
          // Read the rest of a large gap first.
          if (BigInt(entry.previous) > BigInt(position)) return { taken, waitMs: 0 }
        }
        waiting = waiting.slice(1)
        if (BigInt(at) <= BigInt(position)) done()
        else {
          taken.push({ event: await wholeEvent(entry, outbox), done })
          position = at
        }
      }
      if (taken.length === 0 && BigInt(carried) > BigInt(position)) {
        lateSince ??= performance.now()
        if (performance.now() - lateSince >= lateMs) taken.push(...(await missed(carried, limit)))
      } else lateSince = null
      return { taken, waitMs: null }
    },
    async close() {
      isOpen = false
      unhear()
      wake.now()
      await Promise.all([carrying, consumer.close()])
    },
  }
}

/** @throws Error when the bus is ahead of this database, so that no event would be carried */
async function checkedLast({ bus, database }: BusIntakeOptions): Promise<string> {
  const last = await bus.last()
  const [position, written] = (await database().query(STATUS, [], null)).rows[0]!
  if (BigInt(last) <= BigInt(position!) || BigInt(last) <= BigInt(written!)) return last
  throw new Error(
    `the bus has events up to ${last}, the outbox up to ${written}: another service writes to it, or the database is not the one that it was; \`stream\` of [observers] names another one`,
  )
}
