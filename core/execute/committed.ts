import type { CommittedWrite } from '../contract/committed-write.ts'
import type { Exchange } from '../contract/exchange.ts'
import type { Operation } from '../contract/operation.ts'
import type { WriteStamp } from '../contract/slot.ts'
import type { Row } from '../contract/statement.ts'
import type { WriteColumn } from '../dialects/prepared-write.ts'
import { isArrayText, readItems, stringOf } from '../json/json-text.ts'
import type { WritePlan } from '../plan/write/plan-write.ts'
import { kindOfWrite } from '../plan/write/write-kind.ts'
import { nextUuid, uuidV7 } from '../util/uuid-v7.ts'

/** A row of the result, as far as whoever is told of the write is concerned. */
export interface ToldRow {
  /** Which row of the result it is: those that failed or had nothing to do are not told, and keep their places. */
  readonly index: number
  readonly status: string | null
  readonly entityType: string | null
  readonly entityId: string | null
  readonly entity: string | null
  readonly before: string | null
  /** JSON text of a list. */
  readonly updatedFields: string | null
  readonly cascade: string | null
}

/** The write of a function that says nothing but that it ran. */
export const NOTHING_TOLD: ToldRow = Object.freeze({
  index: 0,
  status: null,
  entityType: null,
  entityId: null,
  entity: null,
  before: null,
  updatedFields: null,
  cascade: null,
})

/** What is known of a write before it is made. */
export function stampOf(exchange: Exchange, operation: Operation): WriteStamp {
  const now = Date.now()
  return { id: uuidV7(now), time: new Date(now).toISOString(), exchange, operation }
}

/** What the columns of a result row tell. */
export function toldBy(row: Row, index: number, read: (row: Row, column: WriteColumn) => string | null): ToldRow {
  return {
    index,
    status: read(row, 'status'),
    entityType: read(row, 'entity_type'),
    entityId: read(row, 'entity_id'),
    entity: read(row, 'entity'),
    before: read(row, 'before'),
    updatedFields: read(row, 'updated_fields'),
    cascade: read(row, 'cascade'),
  }
}

/**
 * The rows of a call as plugins and fronts are told of them. Where the database writes such rows itself, it makes them in
 * the same way (core/dialects/postgres/mutation/contributed.ts).
 */
export function toCommitted({ root, types }: WritePlan, rows: readonly ToldRow[], stamp: WriteStamp): CommittedWrite[] {
  const { wireName, operation } = root.operation
  const only = types.length === 1 ? types[0]!.name : null
  return rows.map((row) => {
    const kind = kindOfWrite(operation, row.status)
    const isDelete = kind === 'DELETE'
    return {
      id: nextUuid(stamp.id, row.index),
      time: stamp.time,
      mutation: wireName,
      kind,
      entityType: row.entityType ?? only,
      entityId: row.entityId,
      entity: isDelete ? null : row.entity,
      before: row.before ?? (isDelete ? row.entity : null),
      updatedFields: row.updatedFields === null ? null : namesIn(row.updatedFields),
      cascade: row.index === 0 ? row.cascade : null,
    }
  })
}

/** A value that is no list of names says nothing; that the row was written is announced all the same. */
function namesIn(list: string): readonly string[] | null {
  return isArrayText(list) ? readItems(list).map((item) => stringOf(item) ?? item) : null
}
