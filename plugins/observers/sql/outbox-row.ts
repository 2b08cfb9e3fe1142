import { type ChangeEvent, changes } from '../../../core/doors/front.ts'
import type { Row } from '../../../core/doors/plugin.ts'

/** Columns to select from the event table, for {@link toEvent}. */
export const OUTBOX_COLUMNS = `position::text, id::text, kind, mutation, entity_type, entity_id, new_row::text, old_row::text,
    updated_fields::text, user_id, tenant_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), traceparent`

export function toEvent(row: Row): ChangeEvent {
  const [position, id, kind, mutation, entityType, entityId, entity, before, updated, user, tenant, time, trace] = row
  return {
    position: position!,
    id: id!,
    kind: changes.toKind(kind!),
    mutation: mutation ?? null,
    entityType: entityType ?? null,
    entityId: entityId ?? null,
    entity: entity ?? null,
    before: before ?? null,
    updatedFields: updated == null ? null : (JSON.parse(updated) as readonly string[]),
    user: user ?? null,
    tenant: tenant ?? null,
    time: time!,
    ...(trace != null && { trace }),
  }
}
