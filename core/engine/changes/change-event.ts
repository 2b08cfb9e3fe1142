import type { CommittedWrite } from '../../contract/committed-write.ts'

/**
 * What a change did to the row, for observers and subscriptions. `CUSTOM`: the mutation does not declare `operation:
 * CREATE`, `UPDATE` or `DELETE`.
 */
export type ChangeKind = 'INSERT' | 'UPDATE' | 'DELETE' | 'CUSTOM'

/**
 * One committed change of one row. The content is the same, whether the event comes from this process, from the outbox
 * table or from a message bus.
 */
export interface ChangeEvent {
  /** UUID of the change. If an event is delivered several times, the id is the same. */
  readonly id: string
  readonly kind: ChangeKind
  /**
   * Name of the mutation as clients see it. `null`: another program wrote the row, and a trigger reported the change.
   */
  readonly mutation: string | null
  readonly entityType: string | null
  readonly entityId: string | null
  /** JSON text of the row after the change; `null`: the row was deleted, or the function did not return it. */
  readonly entity: string | null
  /** JSON text of the row before the change; `null`: unknown, or there was none. */
  readonly before: string | null
  /** Names of the changed fields, as the mutation's function reported them; `null`: it reported none. */
  readonly updatedFields: readonly string[] | null
  readonly user: string | null
  readonly tenant: string | null
  /** Time of the change: ISO 8601, UTC. */
  readonly time: string
  /**
   * Position of the event in the order of its source, such as the outbox table, as decimal digits. {@link UNORDERED}:
   * none.
   */
  readonly position: string
  /** W3C `traceparent` of the span that committed the change; absent or `null` when tracing is off. */
  readonly trace?: string | null
}

/**
 * Value of `ChangeEvent.position` for events without an order, such as messages of a topic. A stream cannot resume
 * after such an event.
 */
export const UNORDERED = '0'

const KINDS: Readonly<Record<CommittedWrite['kind'], ChangeKind>> = {
  CREATE: 'INSERT',
  UPDATE: 'UPDATE',
  DELETE: 'DELETE',
  CUSTOM: 'CUSTOM',
}

/**
 * Converts the `operation` of a mutation to the kind of its change event: `CREATE` becomes `INSERT`. Other values are
 * returned unchanged.
 */
export function toChangeKind(kind: string): ChangeKind {
  return KINDS[kind as CommittedWrite['kind']] ?? (kind as ChangeKind)
}

/**
 * Converts a write that this process committed into an event for observers and subscriptions.
 * @param position decimal number that orders the events
 */
export function eventOfWrite(
  write: CommittedWrite,
  { user, tenant, trace = null }: Pick<ChangeEvent, 'user' | 'tenant' | 'trace'>,
  position: string,
): ChangeEvent {
  const { id, kind, mutation, entityType, entityId, entity, before, updatedFields, time } = write
  return {
    id,
    kind: toChangeKind(kind),
    mutation,
    entityType,
    entityId,
    entity,
    before,
    updatedFields,
    user,
    tenant,
    time,
    position,
    ...(trace !== null && { trace }),
  }
}
