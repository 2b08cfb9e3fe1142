import { randomUUID } from 'node:crypto'
import type { Database } from '../../../core/doors/plugin.ts'
import { openBusIntake } from '../bus/bus-intake.ts'
import { createBusSource } from '../bus/bus-source.ts'
import type { EventBus } from '../bus/event-bus.ts'
import { NotActive } from '../deliver/not-active.ts'
import { type Intake, readOutbox } from '../sql/intake.ts'
import { Lease } from '../sql/lease.ts'
import { Notifier } from '../sql/notifier.ts'
import { haveEnded, openWriters } from '../sql/open-writers.ts'
import { OutboxReads } from '../sql/outbox-reads.ts'
import { Progress } from '../sql/progress.ts'
import { createSqlDeliveries } from '../sql/sql-deliveries.ts'
import { createSqlSource } from '../sql/sql-source.ts'
import { removeOld, STATUS } from '../sql/statements.ts'
import { Wake } from '../sql/wake.ts'
import type { BackendStatus, EventBackend, EventConsumer } from './backend.ts'

export interface SqlBackendOptions {
  readonly database: () => Database
  /** Resolves when the tables of the backend exist. */
  readonly ready: () => Promise<void>
  readonly retentionMs: number
  /**
   * Message bus to which the active process copies events from the table; `null`: processes read the table directly.
   */
  readonly bus: EventBus | null
  /** Returns `true` if this process itself needs events, for example for subscriptions. */
  readonly isRead: () => boolean
  /**
   * Called when the state of deliveries changes: an error; `null`: an event was delivered; `idle`: no event waits;
   * `elsewhere`: another process delivers.
   */
  readonly onState: (state: unknown | null | 'idle' | 'elsewhere') => void
}

const LEASE_MS = 3000
const RENEW_MS = 1000
/** Interval of saving the position. A process that is killed repeats at most the deliveries of this time. */
const KEEP_MS = 250
/** Interval of polling. Wake-ups of the relay may be lost. */
const POLL_MS = 1000
/** Interval at which an inactive process checks whether another one delivers. */
const ASK_MS = 250
/** Pause after a failed turn, longer than that interval, so that another process takes over. */
const STAND_BACK_MS = 600
/** Delay before reading again when too many events are in progress. */
const FULL_MS = 10
/** Limit on waiting for the last writes of the preceding relay, so that an open transaction of an operator blocks nothing. */
const LAST_WRITES_MS = 500
const DELIVERIES = 'svc_event_deliveries'
/** Time after which a process reports that another one delivers. */
const STANDS_BY_MS = 10_000
const BATCH = 500
/** Limit on events in progress. Nothing more is read at the limit. */
const MOST_OPEN = 2000
const LEAST_ROOM = 200
/** Limit that includes handled events behind one in progress, since a slow target must not block other targets too soon. */
const MOST_HELD = 50_000
const SWEEP_MS = 60_000

/**
 * PostgreSQL channel for ids of delivered events. Mutations that wait for `sync` observers listen to it in every
 * process.
 */
export const DONE_CHANNEL = 'svc_events_done'
const TELL_DONE = { name: 'svc_events_tell_done', text: `SELECT pg_notify('svc_events_done', $1)` } as const

export function announceDone(database: Database, id: string): void {
  void database.query(TELL_DONE, [id], null).catch(() => {})
}

/**
 * Creates the backend that stores events about changed rows in tables of PostgreSQL. Of all processes of the service, one
 * at a time handles the events: it delivers them to the observers or, with a message bus, copies them to the bus.
 */
export function createSqlBackend(options: SqlBackendOptions): EventBackend {
  const { database, bus } = options
  const lease = new Lease(database, randomUUID(), LEASE_MS)
  const wake = new Wake()
  const stopping = new Wake()
  const notifier = new Notifier(database)
  notifier.hear(() => wake.now())
  const reads = new OutboxReads(database)
  const outbox = createSqlSource({ database, ready: options.ready, notifier, reads })
  let isStopping = false
  let running: Promise<void> = Promise.resolve()
  let sweptAt = performance.now()
  let troubledAt = sweptAt
  /** Position that this process has reached; it may not be saved yet. */
  let reached = '0'

  /** Delivers while this process holds the lease. */
  async function relay(consumer: EventConsumer, from: string): Promise<void> {
    const intake = await openIntake(from)
    const progress = new Progress(from)
    let renewedAt = performance.now()
    let kept = from
    let failure: unknown = null
    try {
      await awaitLastWrites()
      await consumer.start()
      while (!isStopping && failure === null) {
        reached = progress.position
        const age = performance.now() - renewedAt
        if (age >= RENEW_MS || (age >= KEEP_MS && reached !== kept)) {
          kept = reached
          if ((await lease.hold(kept)) === null) return
          renewedAt = performance.now()
          await sweep(kept)
        }
        const room = Math.min(MOST_OPEN - progress.open, MOST_HELD - progress.held)
        // Wait for more room: reading a few rows at a time costs more than the calls for them.
        const { taken, waitMs } =
          room >= LEAST_ROOM || progress.open === 0 ? await intake.read(Math.min(room, BATCH)) : FULL
        if (taken.length === 0 && progress.open === 0) options.onState('idle')
        for (const { event, done } of taken) {
          const isDone = progress.begin(event.position)
          const end = (): void => {
            isDone()
            done()
            options.onState(null)
          }
          consumer.deliver(event).then(end, (error: unknown) => {
            failure ??= error
            wake.now()
          })
        }
        if (taken.length === 0)
          await wake.wait(Math.min(waitMs ?? POLL_MS, progress.position === kept ? POLL_MS : KEEP_MS))
      }
      if (failure !== null && !(failure instanceof NotActive)) throw failure
    } finally {
      await consumer.stop()
      reached = progress.position
      // Events in progress end, or are passed again in the next turn.
      for (let left = 50; left > 0 && progress.open > 0 && failure === null && lease.isHeld; left--) await wake.wait(20)
      reached = progress.position
      await intake.close()
      await lease.release(reached).catch(() => {})
    }
  }

  /** Waits until the writes that the preceding relay has begun are stored or rejected. */
  async function awaitLastWrites(): Promise<void> {
    const writers = await openWriters(database(), DELIVERIES)
    for (let left = LAST_WRITES_MS; left > 0 && !(await haveEnded(database(), DELIVERIES, writers)); left -= FULL_MS)
      await rest(FULL_MS)
  }

  async function sweep(position: string): Promise<void> {
    if (performance.now() - sweptAt < SWEEP_MS) return
    sweptAt = performance.now()
    const removed = await removeOld(database(), position, options.retentionMs)
    if (removed !== null) await bus?.trim(removed)
  }

  async function openIntake(floor: string): Promise<Intake> {
    if (bus === null) return readOutbox(database, reads, floor)
    const arrived = (): void => wake.now()
    return openBusIntake({ bus, database, outbox, reads, floor, hear: (heard) => notifier.hear(heard), arrived })
  }

  async function run(consumer: EventConsumer): Promise<void> {
    while (!isStopping) {
      let waitMs = ASK_MS
      try {
        await options.ready()
        await notifier.listen()
        const from = await lease.hold(reached)
        if (from !== null) await relay(consumer, from)
        else if (performance.now() - troubledAt >= STANDS_BY_MS) options.onState('elsewhere')
      } catch (error) {
        troubledAt = performance.now()
        options.onState(error)
        // Another process may be able to reach the bus.
        if (lease.isHeld) await lease.release(reached).catch(() => {})
        waitMs = STAND_BACK_MS
      }
      await rest(waitMs)
    }
  }

  /** Pauses. Commits do not end the pause, because each of them would make all processes request the lease. */
  async function rest(ms: number): Promise<void> {
    if (!isStopping) await stopping.wait(ms)
  }

  return {
    insert: { table: 'svc_outbox' },
    store: createSqlDeliveries(database, lease.holder),
    source: bus === null ? outbox : createBusSource(bus, outbox),
    turn: () => lease.turn,
    start(consumer) {
      running = run(consumer)
    },
    committed() {
      notifier.heard()
      // The delivering process knows of the commit already; other processes read for their subscribers.
      if (!lease.isHeld || (bus === null && options.isRead())) notifier.tell()
    },
    async status(): Promise<BackendStatus> {
      await options.ready()
      const [row] = (await database().query(STATUS, [], null)).rows
      await bus?.last()
      const [position, last, pending, lag] = row!
      return {
        active: lease.isHeld,
        position: position!,
        last: last!,
        pending: Number(pending),
        lagSeconds: Number(lag),
      }
    },
    async stop() {
      isStopping = true
      wake.now()
      stopping.now()
      await running
      await notifier.close()
      await bus?.close()
    },
  }
}

const FULL = { taken: [], waitMs: FULL_MS } as const
