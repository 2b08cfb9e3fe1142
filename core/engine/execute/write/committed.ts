import { nextUuid, uuidV7 } from '../../../base/util/uuid-v7.ts'
import type { CommittedWrite } from '../../../contract/committed-write.ts'
import type { Exchange } from '../../../contract/exchange.ts'
import type { Operation } from '../../../contract/operation.ts'
import type { WritePlan } from '../../../contract/plan/write-plan.ts'
import type { WriteColumn } from '../../../contract/prepared-write.ts'
import type { WriteStamp } from '../../../contract/slot.ts'
import type { Row } from '../../../contract/statement.ts'
import { isArrayText, readItems, stringOf } from '../../json/json-text.ts'
import { kindOfWrite } from '../../plan/write/write-kind.ts'

/**
 * One written row as a mutation's function reported it, before it is converted to a `CommittedWrite`. `entity`,
 * `before` and `cascade` are JSON texts; `null`: not reported.
 */
export interface ReportedRow {
  /** Index of the row in the function's result. Rows that failed or were a `noop` are left out, but count. */
  readonly index: number
  readonly status: string | null
  readonly entityType: string | null
  readonly entityId: string | null
  readonly entity: string | null
  readonly before: string | null
  /** JSON list with the names of the changed fields; `null`: not reported. */
  readonly updatedFields: string | null
  readonly cascade: string | null
}

/** The row that is reported for a mutation whose function returns nothing. */
export const NOTHING_REPORTED: ReportedRow = Object.freeze({
  index: 0,
  status: null,
  entityType: null,
  entityId: null,
  entity: null,
  before: null,
  updatedFields: null,
  cascade: null,
})

/** Creates the id and time that a write is reported with. Call it before the write runs. */
export function stampOf(exchange: Exchange, operation: Operation): WriteStamp {
  const now = Date.now()
  return { id: uuidV7(now), time: new Date(now).toISOString(), exchange, operation }
}

/**
 * Reads what a mutation's function reported about one row.
 * @param index index of the row in the function's result
 * @param read returns the value of a column in the row
 */
export function readReported(
  row: Row,
  index: number,
  read: (row: Row, column: WriteColumn) => string | null,
): ReportedRow {
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
 * Converts the rows that a mutation's function reported to the form that hooks and events receive.
 * `core/dialects/postgres/mutation/contributed.ts` does the same in SQL and must stay equivalent.
 * @param stamp id and time of the write
 */
export function toCommitted(
  { root, types }: WritePlan,
  rows: readonly ReportedRow[],
  stamp: WriteStamp,
): CommittedWrite[] {
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

/** Parses `updated_fields`. A value that is no JSON array is ignored, and the write is reported without it. */
function namesIn(list: string): readonly string[] | null {
  return isArrayText(list) ? readItems(list).map((item) => stringOf(item) ?? item) : null
}
