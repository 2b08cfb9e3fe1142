import type { CommittedWrite } from '../../contract/committed-write.ts'

/** Kind of a change, as observers name it. `CUSTOM`: the mutation declares no other `operation`. */
export type ChangeKind = 'INSERT' | 'UPDATE' | 'DELETE' | 'CUSTOM'

/** One committed change of one row. The content is the same from memory, from the outbox table and from a message bus. */
export interface ChangeEvent {
  /** UUID. Repeated deliveries of one change carry the same id. */
  readonly id: string
  readonly kind: ChangeKind
  /** Wire name of the mutation. `null`: another program wrote the row, and a trigger reported it. */
  readonly mutation: string | null
  readonly entityType: string | null
  readonly entityId: string | null
  /** JSON text of the row after the change. */
  readonly entity: string | null
  /** JSON text of the row before the change. */
  readonly before: string | null
  /** Names of changed fields, as the mutation's function reported them. */
  readonly updatedFields: readonly string[] | null
  readonly user: string | null
  readonly tenant: string | null
  /** Time of the change: ISO 8601, UTC. */
  readonly time: string
  /** Position in the event order of the backend, as decimal digits. */
  readonly position: string
  /** W3C `traceparent` of the span that committed the change; absent or `null` when tracing is off. */
  readonly trace?: string | null
}

/** Position of an event without an order, such as a topic message. A stream cannot resume after it. */
export const UNORDERED = '0'

const KINDS: Readonly<Record<CommittedWrite['kind'], ChangeKind>> = {
  CREATE: 'INSERT',
  UPDATE: 'UPDATE',
  DELETE: 'DELETE',
  CUSTOM: 'CUSTOM',
}

/** Maps the kind of a mutation to the kind of a change: `CREATE` becomes `INSERT`. Unknown kinds pass unchanged. */
export function toChangeKind(kind: string): ChangeKind {
  return KINDS[kind as CommittedWrite['kind']] ?? (kind as ChangeKind)
}

/** Converts a write that this process committed into an event. @param position decimal number that orders the events */
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
