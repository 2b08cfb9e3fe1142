import { randomUUID } from 'node:crypto'
import type { Database, Parameter, Statement } from '../../core/index.ts'
import type { AuditEvent } from './audit-event.ts'
import type { Sink } from './event-queue.ts'
import { COLUMNS } from './table.ts'

const BATCH = 50

/** Rows of `svc_audit_log`, in the database that is served. */
export function tableSink(database: () => Database, ready: () => Promise<void>): Sink {
  const statements = new Map<number, Statement>()

  function statementFor(rows: number): Statement {
    let statement = statements.get(rows)
    if (statement === undefined) {
      const { dialect } = database()
      const row = (index: number): string =>
        `(${COLUMNS.map((_, column) => dialect.placeholder(index * COLUMNS.length + column + 1)).join(', ')})`
      const values = Array.from({ length: rows }, (_, index) => row(index)).join(', ')
      statement = { name: null, text: `INSERT INTO svc_audit_log (${COLUMNS.join(', ')}) VALUES ${values}` }
      statements.set(rows, statement)
    }
    return statement
  }

  return {
    batch: BATCH,
    async write(events) {
      await ready()
      await database().query(statementFor(events.length), events.flatMap(rowOf), null)
    },
    async close() {},
  }
}

function rowOf(event: AuditEvent): readonly Parameter[] {
  const { timestamp, level, actor, action, resource, outcome, reason, entity_type, entity_id, ip, request_id } = event
  return [
    randomUUID(),
    timestamp,
    level,
    actor,
    action,
    resource,
    outcome,
    reason,
    entity_type,
    entity_id,
    ip,
    request_id,
  ]
}
