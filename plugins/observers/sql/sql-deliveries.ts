import type { ChangeEvent } from '../../../core/doors/front.ts'
import type { Database, Parameter, Row } from '../../../core/doors/plugin.ts'
import type { DeliveryStore, PendingDelivery, StoredDelivery } from '../deliver/delivery.ts'
import { NotActive } from '../deliver/not-active.ts'

/** Inserts only while the relay holds the lease by the database's clock, because the next relay delivers the same events again. */
const INSERT = `WITH held AS MATERIALIZED (SELECT 1 FROM svc_event_relay WHERE name = 'observers' AND holder = $13), put AS (
  INSERT INTO svc_event_deliveries
  (event_id, position, observer, action, action_type, lane, event, status, attempts, max_attempts, next_at, error)
  SELECT $1::uuid, $2::bigint, $3, $4::int, $5, $6, $7::jsonb, $8, $9::int, $10::int,
    CASE WHEN $11::float8 IS NOT NULL THEN now() + $11::float8 * interval '1 ms'
      WHEN EXISTS (SELECT FROM svc_event_deliveries WHERE lane = $6 AND status = 'waiting') THEN 'infinity'::timestamptz
      ELSE now() END, $12 FROM held
  ON CONFLICT (event_id, observer, action) DO NOTHING) SELECT 1 FROM held`

/**
 * Removes a delivery from its lane, and makes the next one due. A statement does not see its own changes. Whether deliveries are left
 * is read from the lane, because the removed delivery may be gone already.
 */
const leave = (write: string): string =>
  [
    `WITH held AS MATERIALIZED (SELECT 1 FROM svc_event_relay WHERE name = 'observers' AND holder = $3), gone AS (`,
    write,
    `WHERE id = $1::bigint AND EXISTS (SELECT FROM held) RETURNING id), woken AS (
  UPDATE svc_event_deliveries SET next_at = now() WHERE id = (
    SELECT n.id FROM svc_event_deliveries n WHERE EXISTS (SELECT FROM gone) AND n.lane = $2 AND n.id <> $1::bigint AND n.status = 'waiting'
    ORDER BY n.position, n.id LIMIT 1))
  SELECT EXISTS (SELECT FROM svc_event_deliveries WHERE lane = $2 AND id <> $1::bigint AND status = 'waiting')::text FROM held`,
  ].join(' ')

const STATEMENTS = {
  insert: INSERT,
  lanes: `SELECT DISTINCT lane FROM svc_event_deliveries WHERE status = 'waiting' LIMIT $1::int`,
  isWaiting: `SELECT FROM svc_event_deliveries WHERE lane = $1 AND status = 'waiting' LIMIT 1`,
  // The preceding relay may have ended between two statements.
  wakeHeads: `UPDATE svc_event_deliveries SET next_at = now() WHERE next_at = 'infinity' AND id IN (
    SELECT DISTINCT ON (lane) id FROM svc_event_deliveries WHERE status = 'waiting' ORDER BY lane, position, id)`,
  due: `SELECT id, event::text, observer, action, action_type, lane, attempts, max_attempts, error FROM svc_event_deliveries WHERE status = 'waiting' AND next_at <= now()
    ORDER BY next_at, position, id LIMIT $1::int`,
  nextDue: `SELECT greatest(0, extract(epoch FROM min(next_at) - now()) * 1000)::text FROM svc_event_deliveries
    WHERE status = 'waiting' AND next_at < 'infinity'`,
  done: leave('DELETE FROM svc_event_deliveries'),
  again: `UPDATE svc_event_deliveries SET attempts = $2::int, error = $3, next_at = now() + $4::float8 * interval '1 ms',
    updated_at = now() WHERE id = $1::bigint AND status = 'waiting'
    AND EXISTS (SELECT FROM svc_event_relay WHERE name = 'observers' AND holder = $5)`,
  bury: leave(`UPDATE svc_event_deliveries SET status = 'dead', attempts = $4::int, error = $5, updated_at = now()`),
  counts: `SELECT count(*) FILTER (WHERE status = 'waiting'), count(*) FILTER (WHERE status = 'dead'),
    count(*) FILTER (WHERE status = 'dead' AND action_type = 'webhook') FROM svc_event_deliveries`,
  trim: `DELETE FROM svc_event_deliveries WHERE status = 'dead' AND id <= (
    SELECT id FROM svc_event_deliveries WHERE status = 'dead' ORDER BY id DESC OFFSET $1::int LIMIT 1) RETURNING id`,
} as const

/**
 * Creates the delivery store in the table `svc_event_deliveries`.
 * @param holder id of this process; its writes fail unless it holds the lease
 */
export function createSqlDeliveries(database: () => Database, holder: string): DeliveryStore {
  /** Pending writes by lane: a delivery must not be stored while the preceding one is being removed. */
  const turns = new Map<string, Promise<unknown>>()

  async function run(name: keyof typeof STATEMENTS, ...parameters: readonly Parameter[]): Promise<readonly Row[]> {
    const statement = { name: `svc_events_${name}`, text: STATEMENTS[name] }
    return (await database().query(statement, parameters, null)).rows
  }

  function inTurn<T>(lane: string, work: () => Promise<T>): Promise<T> {
    const before = turns.get(lane) ?? Promise.resolve()
    const own = before.then(work, work)
    turns.set(lane, own)
    const end = (): void => {
      if (turns.get(lane) === own) turns.delete(lane)
    }
    own.then(end, end)
    return own
  }

  /** @throws NotActive when another relay has the lease */
  async function leaveLane(
    name: 'done' | 'bury',
    { id, lane }: StoredDelivery,
    ...more: readonly Parameter[]
  ): Promise<boolean> {
    const [row] = await run(name, id, lane, holder, ...more)
    if (row === undefined) throw new NotActive()
    return row[0] === 'true'
  }

  async function insert(delivery: PendingDelivery, status: string, delayMs: number | null): Promise<void> {
    const { event, observer, action, actionType, lane, attempts, maxAttempts, error } = delivery
    const place = [event.id, event.position, observer, String(action), actionType, lane]
    const state = [status, String(attempts), String(maxAttempts), delayMs === null ? null : String(delayMs), error]
    const held = await run('insert', ...place, JSON.stringify(event), ...state, holder)
    if (held.length === 0) throw new NotActive()
  }

  return {
    async waitingLanes(limit) {
      await run('wakeHeads')
      return (await run('lanes', String(limit))).map(([lane]) => lane!)
    },
    isWaiting: async (lane) => (await run('isWaiting', lane)).length > 0,
    park: (delivery, delayMs) => inTurn(delivery.lane, () => insert(delivery, 'waiting', delayMs)),
    due: async (limit) => (await run('due', String(limit))).map(toDelivery),
    async nextDueMs() {
      const ms = (await run('nextDue'))[0]?.[0] ?? null
      return ms === null ? null : Number(ms)
    },
    done: (delivery) => inTurn(delivery.lane, () => leaveLane('done', delivery)),
    async again({ id, attempts, error }, delayMs) {
      await run('again', id, String(attempts), error, String(delayMs), holder)
    },
    bury: (delivery) =>
      inTurn(delivery.lane, async () => {
        const { attempts, error } = delivery
        if ('id' in delivery) return leaveLane('bury', delivery, String(attempts), error)
        await insert(delivery, 'dead', 0)
        return false
      }),
    async counts() {
      const [waiting, dead, deadWebhooks] = (await run('counts'))[0]!
      return { waiting: Number(waiting), dead: Number(dead), deadWebhooks: Number(deadWebhooks) }
    },
    trim: async (most) => (await run('trim', String(most))).length,
  }
}

function toDelivery([
  id,
  event,
  observer,
  action,
  actionType,
  lane,
  attempts,
  maxAttempts,
  error,
]: Row): StoredDelivery {
  return {
    id: id!,
    event: JSON.parse(event!) as ChangeEvent,
    observer: observer!,
    action: Number(action),
    actionType: actionType!,
    lane: lane!,
    attempts: Number(attempts),
    maxAttempts: Number(maxAttempts),
    error: error ?? null,
  }
}
