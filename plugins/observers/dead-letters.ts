import type { Database, Parameter, Row } from '../../core/doors/plugin.ts'

/**
 * A dead letter, as `svc events dead` shows it: an observer's action that failed for an event and is not tried again.
 */
export interface DeadLetter {
  readonly id: string
  readonly observer: string
  readonly action: string
  readonly event_id: string
  readonly entity: string | null
  readonly entity_id: string | null
  readonly attempts: number
  readonly error: string | null
  readonly died_at: string
}

const LETTERS = `SELECT id::text, observer, action_type, event_id::text, event ->> 'entityType', event ->> 'entityId',
  attempts::text, error, to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), event::text
  FROM svc_event_deliveries d WHERE status = 'dead'`
const RETRY = `UPDATE svc_event_deliveries SET status = 'waiting', attempts = 0, next_at = now(), updated_at = now()
  WHERE status = 'dead'`

/** Returns the newest dead letters (deliveries that finally failed), the newest first. */
export async function listDeadLetters(database: Database, limit: number): Promise<readonly DeadLetter[]> {
  const text = `${LETTERS} ORDER BY d.id DESC LIMIT $1::int`
  return (await run(database, text, String(limit))).map(toLetter)
}

/**
 * Returns a dead letter (a delivery that finally failed) with its event.
 * @returns `null`: no dead letter has this id
 */
export async function showDeadLetter(
  database: Database,
  id: string,
): Promise<(DeadLetter & { readonly event: unknown }) | null> {
  const text = `${LETTERS} AND id = $1::bigint`
  const [row] = await run(database, text, id)
  return row === undefined ? null : { ...toLetter(row), event: JSON.parse(row[9]!) as unknown }
}

/**
 * Schedules dead letters (deliveries that finally failed) for new attempts, as many as for a new delivery.
 * @param id `null`: all dead letters
 * @returns number of scheduled deliveries
 */
export async function retryDeadLetters(database: Database, id: string | null): Promise<number> {
  if (id === null) return (await run(database, `${RETRY} RETURNING id`)).length
  return (await run(database, `${RETRY} AND id = $1::bigint RETURNING id`, id)).length
}

/** Deletes a dead letter (a delivery that finally failed). @returns `true` if it existed */
export async function dropDeadLetter(database: Database, id: string): Promise<boolean> {
  const text = `DELETE FROM svc_event_deliveries WHERE status = 'dead' AND id = $1::bigint RETURNING id`
  return (await run(database, text, id)).length === 1
}

async function run(database: Database, text: string, ...parameters: readonly Parameter[]): Promise<readonly Row[]> {
  return (await database.query({ name: null, text }, parameters, null)).rows
}

function toLetter([id, observer, action, eventId, entity, entityId, attempts, error, at]: Row): DeadLetter {
  return {
    id: id!,
    observer: observer!,
    action: action!,
    event_id: eventId!,
    entity: entity ?? null,
    entity_id: entityId ?? null,
    attempts: Number(attempts),
    error: error ?? null,
    died_at: at!,
  }
}
