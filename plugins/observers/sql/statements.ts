import type { Database } from '../../../core/doors/plugin.ts'

/**
 * Statement about undelivered events: the position of delivery, the last position, the number of events between them,
 * and the age of the oldest in seconds.
 */
export const STATUS = {
  name: 'svc_outbox_status',
  text: `WITH p AS (SELECT coalesce((SELECT position FROM svc_event_relay WHERE name = 'observers'), 0) AS position)
    SELECT p.position::text, coalesce((SELECT max(position) FROM svc_outbox), 0)::text,
      (SELECT count(*) FROM svc_outbox o WHERE o.position > p.position)::text,
      coalesce((SELECT greatest(0, extract(epoch FROM clock_timestamp() - o.created_at))
        FROM svc_outbox o WHERE o.position > p.position ORDER BY o.position LIMIT 1), 0)::text
    FROM p`,
  readOnly: true,
} as const

/** Removes events, and stores the last removed position, so that readers that resume before it are informed. */
const REMOVE = {
  name: 'svc_outbox_remove',
  text: `WITH gone AS (DELETE FROM svc_outbox WHERE position IN (SELECT position FROM svc_outbox
      WHERE position <= $1::bigint AND created_at < now() - $2::float8 * interval '1 ms' ORDER BY position LIMIT 10000)
      RETURNING position),
    kept AS (UPDATE svc_event_relay SET removed = greatest(removed, (SELECT max(position) FROM gone))
      WHERE name = 'observers' AND EXISTS (SELECT FROM gone))
    SELECT count(*)::text, max(position)::text FROM gone`,
} as const

/**
 * Deletes delivered events from the event table when their retention time has passed.
 * @param position position up to which all events are delivered
 * @returns the last deleted position; `null`: none was deleted
 */
export async function removeOld(database: Database, position: string, retentionMs: number): Promise<string | null> {
  let count: number
  let removed: string | null = null
  do {
    const [row] = (await database.query(REMOVE, [position, String(retentionMs)], null)).rows
    count = Number(row![0])
    removed = row![1] ?? removed
  } while (count === 10_000)
  return removed
}
