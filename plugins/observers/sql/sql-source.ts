import type { Database } from '../../../core/doors/plugin.ts'
import type { EventSink, EventSource } from '../feed/event-source.ts'
import type { Notifier } from './notifier.ts'
import { OutboxReader } from './outbox-reader.ts'
import type { OutboxReads } from './outbox-reads.ts'
import { OUTBOX_COLUMNS, toEvent } from './outbox-row.ts'
import { Wake } from './wake.ts'

/** Position up to which all rows are decided: from the delivered position, over consecutive ones, to the first gap that may be filled. */
const TAIL = {
  name: 'svc_outbox_tail',
  text: `WITH decided AS (SELECT coalesce((SELECT greatest(position, removed) FROM svc_event_relay WHERE name = 'observers'), 0) AS position),
    last AS (SELECT position, lead(position) OVER (ORDER BY position) AS next FROM svc_outbox
      WHERE position > (SELECT coalesce(max(position), 0) - 5000 FROM svc_outbox))
    SELECT greatest((SELECT position FROM decided), coalesce((SELECT min(position) FROM last WHERE next <> position + 1),
      (SELECT max(position) FROM last), 0))::text`,
  readOnly: true,
} as const
const HISTORY = {
  name: 'svc_outbox_history',
  text: [
    'SELECT',
    OUTBOX_COLUMNS,
    'FROM svc_outbox o WHERE o.position > $1::bigint AND o.position <= $2::bigint ORDER BY o.position LIMIT $3::int',
  ].join(' '),
  readOnly: true,
} as const
const REMOVED = {
  name: 'svc_outbox_removed',
  text: `SELECT coalesce((SELECT removed FROM svc_event_relay WHERE name = 'observers'), 0)::text`,
  readOnly: true,
} as const
const POSITION = {
  name: 'svc_outbox_position',
  text: 'SELECT position::text FROM svc_outbox WHERE id = $1::uuid',
  readOnly: true,
} as const

const BATCH = 500
/** Interval of polling. Wake-ups of the reader may be lost. */
const POLL_MS = 1000

export interface SqlSourceOptions {
  readonly database: () => Database
  readonly ready: () => Promise<void>
  readonly notifier: Notifier
  readonly reads: OutboxReads
}

/**
 * Creates the event source that reads the event table `svc_outbox`, in every process.
 * @returns the source; `tail` returns the position of the last visible event
 */
export function createSqlSource(options: SqlSourceOptions): EventSource & { readonly tail: () => Promise<string> } {
  const { database, ready, notifier, reads } = options
  return {
    isDurable: true,
    async follow(from, sink, signal) {
      const wake = new Wake()
      const stop = (): void => wake.now()
      await ready()
      const unhear = notifier.hear(stop)
      signal.addEventListener('abort', stop)
      try {
        await notifier.listen()
        await follow(database, reads, wake, from, sink, signal)
      } finally {
        unhear()
        signal.removeEventListener('abort', stop)
      }
    },
    async tail() {
      await ready()
      return tailOf(database())
    },
    async history(after, upTo, limit) {
      const { rows } = await database().query(HISTORY, [after, upTo, String(limit)], null)
      // Read after the rows, so that rows that are removed meanwhile are reported too.
      return { events: rows.map(toEvent), isTooOld: BigInt(after) < (await removed(database())) }
    },
    async positionOf(id) {
      return (await database().query(POSITION, [id], null)).rows[0]?.[0] ?? null
    },
  }
}

async function follow(
  database: () => Database,
  reads: OutboxReads,
  wake: Wake,
  from: string | null,
  sink: EventSink,
  signal: AbortSignal,
): Promise<void> {
  let position = from ?? (await tailOf(database()))
  if (from === null) sink.begin(position)
  let reader = new OutboxReader(database, reads, position)
  while (!signal.aborted) {
    const { events, waitMs } = await reader.read(BATCH)
    const [first] = events
    if (first === undefined) {
      await wake.wait(waitMs ?? POLL_MS)
      continue
    }
    // The gap is a rollback, or rows that were removed.
    const gone = BigInt(first.position) === BigInt(position) + 1n ? 0n : await removed(database())
    if (gone > BigInt(position)) {
      position = String(gone)
      sink.lost(position)
      reader = new OutboxReader(database, reads, position)
      continue
    }
    position = events.at(-1)!.position
    sink.take(events, position)
  }
}

async function tailOf(database: Database): Promise<string> {
  return (await database.query(TAIL, [], null)).rows[0]![0]!
}

async function removed(database: Database): Promise<bigint> {
  return BigInt((await database.query(REMOVED, [], null)).rows[0]![0]!)
}
