import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import {
  type Database,
  definePlugin,
  type Exchange,
  ownTable,
  type Parameter,
  type Scope,
  type Statement,
  SvcError,
} from '../../core/doors/plugin.ts'
import type {} from '../rate-limiting/api.ts'
import { type AuditEvent, type AuditLevel, clean, isKept, toEvent } from './audit-event.ts'
import { EventQueue, type Sink } from './event-queue.ts'
import { fileSink, streamSink } from './line-sink.ts'
import manifest from './manifest.ts'
import type { AuditOptions } from './options.ts'
import { AUDIT_TABLE } from './table.ts'
import { type Tell, watch } from './watch.ts'

/**
 * The audit log plugin (docs/plugins/audit-log.md). Requests never wait for a write to the log; lost events are counted
 * and logged.
 */
export default definePlugin<AuditOptions>(manifest, async (scope, options) => {
  const events = scope.metrics.counter('audit_log_events_total')
  const lost = scope.metrics.counter('audit_log_lost_total')
  const sink = await openSink(scope, options)
  const queue = new EventQueue(sink, {
    maxQueued: options.max_queued,
    lost(count) {
      lost.add(count)
      scope.signals.emit({
        type: 'audit-log:lost',
        level: 'error',
        message: 'events of the audit log were lost',
        count,
      })
    },
    failed(error) {
      scope.signals.emit({
        type: 'audit-log:failed',
        level: 'error',
        message: 'the audit log cannot be written',
        error,
      })
    },
  })
  scope.onClose(() => queue.close())

  const keeps = (level: AuditLevel): boolean => isKept(level, options.level)
  const clientAddress = scope.use('clientAddress', { optional: true })
  const ipOf = (exchange: Exchange): string => clientAddress?.of(exchange) ?? exchange.address
  const tell: Tell = (exchange, facts, actor) => {
    if (keeps(facts.level) && queue.add(toEvent(exchange, ipOf(exchange), facts, actor))) events.add()
  }
  watch(scope, keeps, tell)

  if (!keeps('info')) return
  if (options.sink === 'table') keepWithWrite(scope, ipOf)
  else {
    scope.on('afterCommit', ({ exchange, writes }) => {
      for (const { mutation, entityType, entityId } of writes) {
        tell(exchange, {
          level: 'info',
          action: 'mutate',
          resource: mutation,
          outcome: 'success',
          entityType,
          entityId,
        })
      }
    })
  }
})

/** Stores the event of a write in the transaction of the write, so that no write is missing in the log. */
function keepWithWrite(scope: Scope, ipOf: (exchange: Exchange) => string): void {
  scope.writes({
    insert: {
      table: AUDIT_TABLE.name,
      columns: {
        id: 'id',
        occurred_at: 'time',
        level: () => 'info',
        actor: ({ auth }) => (auth === null || auth.subject === null ? null : clean(auth.subject)),
        action: () => 'mutate',
        resource: 'mutation',
        outcome: () => 'success',
        entity_type: 'entityType',
        entity_id: 'entityId',
        ip: (exchange) => clean(ipOf(exchange)),
        request_id: ({ id }) => clean(id),
      },
    },
  })
}

async function openSink(scope: Scope, { sink, file }: AuditOptions): Promise<Sink> {
  if (sink === 'file') {
    if (file === undefined) throw invalid('has the sink "file" and no file')
    try {
      return await fileSink(resolve(scope.process.baseDir, file))
    } catch (cause) {
      throw invalid(`cannot open its file "${file}": ${(cause as Error).message}`)
    }
  }
  if (file !== undefined) throw invalid(`has a file, and its sink is "${sink}"`)
  return sink === 'stdout' ? streamSink(process.stdout) : tableSink(scope.database, ownTable(scope, AUDIT_TABLE).ready)
}

function invalid(why: string): SvcError {
  return new SvcError('SVC_CONFIG_INVALID', `[security.audit_log] ${why}.`)
}

declare module '../../core/doors/plugin.ts' {
  interface PluginSignals {
    'audit-log:lost': { readonly count: number }
    'audit-log:failed': { readonly error: unknown }
  }
}

const BATCH = 50
/** Inserts an event once, even if it is written again because another event of its batch failed. */
const INSERT = `INSERT INTO svc_audit_log
  (id, occurred_at, level, actor, action, resource, outcome, reason, entity_type, entity_id, ip, request_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (id) DO NOTHING`

const MYSQL_INSERT = INSERT.replace('ON CONFLICT (id) DO NOTHING', 'ON DUPLICATE KEY UPDATE id = id')

/** Creates the sink that writes to the table `svc_audit_log` of the default database. */
function tableSink(database: () => Database, ready: () => Promise<void>): Sink {
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
        const insertOnce = db.dialect.name === 'mysql' ? MYSQL_INSERT : INSERT
        const text = insertOnce.replace(/\$(\d+)/g, (_, number) => db.dialect.placeholder(Number(number)))
        statement = { name: 'svc_audit_log_insert', text }
      }
      const insert = statement
      const written = events.map((event) => db.query(insert, [idOf(event), ...valuesOf(event)], null))
      // Waits for all inserts before the batch is written again.
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
