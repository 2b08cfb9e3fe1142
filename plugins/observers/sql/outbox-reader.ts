import type { Database, Row } from '../../../core/index.ts'
import { type ChangeEvent, toChangeKind } from '../change/change-event.ts'

const READ = {
  name: 'svc_outbox_read',
  text: `SELECT position::text, id::text, kind, mutation, entity_type, entity_id, new_row::text, old_row::text,
    updated_fields::text, user_id, tenant_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    pg_snapshot_xmin(pg_current_snapshot())::text
    FROM svc_outbox WHERE position > $1::bigint ORDER BY position LIMIT $2::int`,
} as const
/** A number above that of every transaction that has one by now. */
const FENCE = { name: 'svc_outbox_fence', text: 'SELECT pg_current_xact_id()::text' } as const

/** A gap that did not close by itself: below `upTo` nothing more comes once all transactions before `tx` have ended. */
interface Fence {
  readonly upTo: bigint
  readonly tx: bigint
}

/**
 * Reads the outbox in the order of positions, and goes past a position only when it is decided: its row is there, or can
 * never come, because every transaction that might have taken it has ended. Positions are taken while the row is locked
 * that was written, so that their order is that of the changes of a row, whichever transaction began first.
 */
export class OutboxReader {
  readonly #database: () => Database
  #position: bigint
  /** The position before a gap, when the last read ended at one. */
  #gap: bigint | null = null
  #fence: Fence | null = null

  constructor(database: () => Database, position: string) {
    this.#database = database
    this.#position = BigInt(position)
  }

  /** @returns `isWaiting`: there is more, behind a gap that is not decided yet */
  async read(limit: number): Promise<{ readonly events: readonly ChangeEvent[]; readonly isWaiting: boolean }> {
    const { rows } = await this.#database().query(READ, [String(this.#position), String(limit)], null)
    const events: ChangeEvent[] = []
    const oldestOpen = BigInt(rows[0]?.[12] ?? 0)
    const decided = this.#fence !== null && oldestOpen >= this.#fence.tx ? this.#fence.upTo : -1n
    let position = this.#position
    for (const row of rows) {
      const next = BigInt(row[0]!)
      if (next !== position + 1n && next > decided) break
      position = next
      events.push(toEvent(row))
    }
    const isWaiting = events.length < rows.length
    if (isWaiting) await this.#mindGap(position, BigInt(rows.at(-1)![0]!), decided)
    else this.#gap = null
    this.#position = position
    return { events, isWaiting }
  }

  /** Most gaps are transactions that are about to commit; what is left when it is looked at again gets a fence. */
  async #mindGap(at: bigint, upTo: bigint, decided: bigint): Promise<void> {
    const isKnown = this.#gap === at
    this.#gap = at
    if (!isKnown || (this.#fence !== null && decided === -1n && at < this.#fence.upTo)) return
    const { rows } = await this.#database().query(FENCE, [], null)
    this.#fence = { upTo, tx: BigInt(rows[0]![0]!) }
  }
}

function toEvent(row: Row): ChangeEvent {
  const [position, id, kind, mutation, entityType, entityId, entity, before, updated, user, tenant, time] = row
  return {
    position: position!,
    id: id!,
    kind: toChangeKind(kind!),
    mutation: mutation ?? null,
    entityType: entityType ?? null,
    entityId: entityId ?? null,
    entity: entity ?? null,
    before: before ?? null,
    updatedFields: updated == null ? null : (JSON.parse(updated) as readonly string[]),
    user: user ?? null,
    tenant: tenant ?? null,
    time: time!,
  }
}
