import type { Database } from '../../../core/index.ts'
import type { EventSource } from '../feed/event-source.ts'
import type { Intake, TakenEvent } from '../sql/intake.ts'
import { OutboxReader } from '../sql/outbox-reader.ts'
import { STATUS } from '../sql/statements.ts'
import { Wake } from '../sql/wake.ts'
import { wholeEvent } from './bus-source.ts'
import type { EventBus } from './event-bus.ts'

const BATCH = 500
const POLL_MS = 1000

export interface BusIntakeOptions {
  readonly bus: EventBus
  readonly database: () => Database
  readonly outbox: EventSource
  /** Everything up to here is delivered. */
  readonly floor: string
  /** Called when the outbox may have something new. @returns ends it */
  readonly hear: (heard: () => void) => () => void
  /** There is something to read. */
  readonly arrived: () => void
}

/** One turn of the relay: carries the outbox to the bus, and takes from the bus what observers have not had. */
export async function openBusIntake(options: BusIntakeOptions): Promise<Intake> {
  const { bus, floor, outbox, hear, arrived } = options
  const wake = new Wake()
  const last = await checkedLast(options)
  const consumer = await bus.consume(floor, arrived)
  const unhear = hear(() => wake.now())
  let isOpen = true
  let failure: unknown = null

  async function carry(): Promise<void> {
    // What the bus has lost is carried again; before the floor everything is delivered.
    let previous = BigInt(last) > BigInt(floor) ? last : floor
    const reader = new OutboxReader(options.database, previous)
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
    }
  }
  const carrying = carry().catch((error: unknown) => {
    failure = error
    arrived()
  })

  return {
    async read(limit) {
      if (failure !== null) throw failure
      const taken: TakenEvent[] = []
      for (const entry of consumer.read(limit)) {
        const { position } = entry.event
        const done = (): void => consumer.done(position)
        if (BigInt(position) <= BigInt(floor)) done()
        else taken.push({ event: await wholeEvent(entry, outbox), done })
      }
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

/** @throws Error where the bus has what this database never wrote: nothing of it would be carried */
async function checkedLast({ bus, database }: BusIntakeOptions): Promise<string> {
  const last = await bus.last()
  const [position, written] = (await database().query(STATUS, [], null)).rows[0]!
  if (BigInt(last) <= BigInt(position!) || BigInt(last) <= BigInt(written!)) return last
  throw new Error(
    `the bus has events up to ${last}, the outbox up to ${written}: another service writes to it, or the database is not the one that it was; \`stream\` of [observers] names another one`,
  )
}
