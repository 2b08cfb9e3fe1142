import type { CommittedWrite } from '../contract/committed-write.ts'

/** What became of a row, in the words of observers. */
export type ChangeKind = 'INSERT' | 'UPDATE' | 'DELETE' | 'CUSTOM'

/** One committed change (behaviours 9.1). It reads the same from memory, from the outbox, or from a bus. */
export interface ChangeEvent {
  /** UUID. Whoever hears of the change twice hears the same. */
  readonly id: string
  readonly kind: ChangeKind
  /** Wire name of the mutation; `null`: written past svc, and told by a trigger. */
  readonly mutation: string | null
  readonly entityType: string | null
  readonly entityId: string | null
  /** JSON text of the row as it is now. */
  readonly entity: string | null
  /** JSON text of the row as it was. */
  readonly before: string | null
  /** What the function said that it changed. */
  readonly updatedFields: readonly string[] | null
  readonly user: string | null
  readonly tenant: string | null
  /** ISO 8601, UTC. */
  readonly time: string
  /** Where it stands in the order of the backend: digits. */
  readonly position: string
  /** The span that it was committed in, a `traceparent`, where requests are traced. */
  readonly trace?: string | null
}

/** Position of what stands in no order, such as a message: nobody can go on behind it. */
export const UNORDERED = '0'

const KINDS: Readonly<Record<CommittedWrite['kind'], ChangeKind>> = {
  CREATE: 'INSERT',
  UPDATE: 'UPDATE',
  DELETE: 'DELETE',
  CUSTOM: 'CUSTOM',
}

/** `CREATE` of a mutation is the `INSERT` of a row. */
export function toChangeKind(kind: string): ChangeKind {
  return KINDS[kind as CommittedWrite['kind']] ?? (kind as ChangeKind)
}

/** What a process hears of its own writes. */
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
