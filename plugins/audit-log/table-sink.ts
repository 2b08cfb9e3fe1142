import { randomUUID } from 'node:crypto'
import type { Database, Parameter, Statement } from '../../core/doors/plugin.ts'
import type { AuditEvent } from './audit-event.ts'
import type { Sink } from './event-queue.ts'

const BATCH = 50
/** An event that is given again, because another of its batch failed, is there once. */
const INSERT = `INSERT INTO svc_audit_log
  (id, occurred_at, level, actor, action, resource, outcome, reason, entity_type, entity_id, ip, request_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (id) DO NOTHING`

/** Rows of `svc_audit_log`, in the database that is served. */
export function tableSink(database: () => Database, ready: () => Promise<void>): Sink {
  const ids = new WeakMap<AuditEvent, string>()
  let statement: Statement | null = null

  function idOf(event: AuditEvent): string {
    const id = ids.get(event) ?? randomUUID()
    ids.set(event, id)
    return id
  }

  return {
    batch: BATCH,
    async write(events) {
      await ready()
      const db = database()
      if (statement === null) {
        const text = INSERT.replace(/\$(\d+)/g, (_, number) => db.dialect.placeholder(Number(number)))
        statement = { name: 'svc_audit_log_insert', text }
      }
      const insert = statement
      const written = events.map((event) => db.query(insert, [idOf(event), ...valuesOf(event)], null))
      // All of them are over before some are tried again.
      const failed = (await Promise.allSettled(written)).find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
    },
    async close() {},
  }
}

function valuesOf(event: AuditEvent): readonly Parameter[] {
  const { timestamp, level, actor, action, resource, outcome, reason, entity_type, entity_id, ip, request_id } = event
  return [timestamp, level, actor, action, resource, outcome, reason, entity_type, entity_id, ip, request_id]
}
