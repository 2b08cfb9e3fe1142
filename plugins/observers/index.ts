import { type ChangeEvent, changes } from '../../core/doors/front.ts'
import { definePlugin, type Exchange, type MutationModel, type Scope, SvcError } from '../../core/doors/plugin.ts'
import type {} from '../health/api.ts'
import type {} from '../tracing/api.ts'
import { findTarget } from './actions/handler.ts'
import type { EventConsumer } from './backends/backend.ts'
import { openBackend } from './backends/open-backend.ts'
import { announceDone } from './backends/sql-backend.ts'
import { openBus } from './bus/open-bus.ts'
import { createReport } from './deliver/delivery-report.ts'
import { Dispatcher } from './deliver/dispatcher.ts'
import { EventFeed } from './feed/event-feed.ts'
import manifest from './manifest.ts'
import { Monitor } from './monitor.ts'
import type { ObserverOptions } from './options.ts'
import { createHttpSender } from './outgoing/http-sender.ts'
import { createMailer } from './outgoing/mailer.ts'
import { readCa } from './outgoing/read-ca.ts'
import { traceSender } from './outgoing/trace-sender.ts'
import { SyncWaits } from './sync-waits.ts'
import { WatchList } from './watch-list.ts'

const TRIM_MS = 60_000

/**
 * The plugin that runs observers: webhooks, chat messages, emails and SQL functions after committed changes
 * (docs/plugins/observers.md).
 */
export default definePlugin<ObserverOptions>(manifest, async (scope, options) => {
  const tracing = scope.use('tracing', { optional: true })
  const http = await createHttpSender({
    allowHosts: options.allow_hosts,
    connectTimeoutMs: options.connect_timeout_ms,
    requestTimeoutMs: options.request_timeout_ms,
    maxPayloadBytes: options.max_payload_bytes,
    ...(await readCa('webhook_ca_file', options.webhook_ca_file, scope.process.baseDir)),
  })
  const sender = traceSender(http, tracing)
  const mailer = await createMailer(options, scope.process.baseDir)
  scope.onClose(async () => {
    mailer?.close()
    await sender.close()
  })

  const Bus = await changes.loadInProcessBus()
  const bus = await openBus(options)
  const backend = openBackend(scope, options, bus, () => feed.isWanted, Bus)
  const feed = new EventFeed({
    source: backend.source,
    hear: bus?.hear,
    Bus,
    failed: (error, what) => scope.log.error({ error: String(error) }, what),
  })
  scope.provide('events', feed)

  const captured = new WeakSet<MutationModel>()
  const wanted = new WeakSet<MutationModel>()
  const watchLists = scope.perGeneration((schema) => {
    const list = new WatchList(schema, {
      env: (name) => process.env[name],
      sender,
      mailer,
      signingSecret: options.signing_secret ?? null,
      chatUrl: options.chat_url ?? null,
      handlers: options.handlers,
      database: scope.database,
      failed: (observer, error) =>
        scope.log.error(
          { observer, error: String(error) },
          'the condition of an observer cannot be answered; it is not fulfilled',
        ),
    })
    const heard = feed.wantedOf(schema)
    if (list.isEmpty && heard.size === 0) return list
    for (const mutation of schema.mutations.values()) {
      // All mutations are captured, because the entity that a function reports is known only after its call.
      captured.add(mutation)
      if (typesOf(mutation).some((type) => list.watches(type) || heard.has(type))) wanted.add(mutation)
    }
    return list
  })
  const current = (): WatchList => watchLists.of(scope.process.generation)

  const report = createReport(scope)
  const monitor = new Monitor(scope, backend)
  const processed = scope.metrics.counter('svc_observer_events_processed_total')
  const failed = scope.metrics.counter('svc_observer_events_failed_total')
  const overflow = scope.metrics.counter('svc_observer_dlq_overflow_total')
  const waits = new SyncWaits(options.sync_timeout_ms)
  const dispatcher = new Dispatcher({
    watch: (event) => current().of(event),
    find: (name, event) => current().find(name, event),
    store: backend.store,
    report,
    concurrency: options.max_concurrent_per_target,
    turn: backend.turn,
  })

  let trimmer: NodeJS.Timeout | null = null
  const consumer: EventConsumer = {
    async start() {
      await dispatcher.start()
      trimmer = setInterval(() => {
        void backend.store.trim(options.max_dead_letters).then((count) => overflow.add(count), report.failed)
      }, TRIM_MS)
      trimmer.unref()
    },
    async deliver(event) {
      const isSync = current().hasSync && current().syncOf([event]).length > 0
      try {
        await dispatcher.deliver(event)
      } catch (error) {
        failed.add()
        throw error
      }
      processed.add()
      if (!isSync) return
      waits.done(event.id)
      if (backend.insert !== null) announceDone(scope.database(), event.id)
    },
    async stop() {
      if (trimmer !== null) clearInterval(trimmer)
      await dispatcher.stop()
    },
  }

  scope.writes({ mutations: (mutation) => wanted.has(mutation), before: true, entity: true })
  if (backend.insert !== null) {
    scope.writes({
      mutations: (mutation) => captured.has(mutation),
      insert: {
        ...backend.insert,
        columns: {
          id: 'id',
          created_at: 'time',
          kind: 'kind',
          mutation: 'mutation',
          entity_type: 'entityType',
          entity_id: 'entityId',
          old_row: 'before',
          new_row: 'entity',
          updated_fields: 'updatedFields',
          user_id: userOf,
          tenant_id: tenantOf,
          ...(tracing !== undefined && { traceparent: () => tracing.origin() }),
        },
      },
    })
  }

  scope.on('afterCommit', ({ exchange, writes }) => {
    const list = watchLists.of(exchange.generation)
    if (list.isEmpty && !feed.isWanted) return
    const told = (): readonly ChangeEvent[] => {
      const of = { user: userOf(exchange), tenant: tenantOf(exchange), trace: tracing?.origin() ?? null }
      return writes.map((write) => changes.eventOfWrite(write, of, '0'))
    }
    if (list.hasSync) waits.expect(exchange, list.syncOf(told()))
    backend.committed(told)
  })

  scope.on(
    'resolve',
    (exchange, { template }, next) => {
      const result = next()
      if (template.kind !== 'mutation' || !watchLists.of(exchange.generation).hasSync) return result
      return waits.after(exchange, result)
    },
    { position: 'measure' },
  )

  scope.use('health', { optional: true })?.add('observers', async () => {
    const isUp = await monitor.look()
    const { status, waiting, dead } = monitor.found
    const lag = Math.round(monitor.lagSeconds * 1000) / 1000
    return {
      ok: isUp,
      backend: options.backend,
      lag_seconds: lag,
      pending: status?.pending ?? null,
      waiting,
      dead_letters: dead,
    }
  })

  scope.onReady(async () => {
    await checkHandlers(scope, options)
    if (backend.insert !== null && current().hasSync) await waits.listen(scope)
    backend.start(consumer)
    if (feed.isWanted) await feed.start()
    monitor.start()
  })
  scope.onDrain(() => backend.stop())
  scope.onClose(async () => {
    monitor.stop()
    await feed.stop()
  })
})

/** Fails the start for a missing target, but not for an unreachable database. */
async function checkHandlers(scope: Scope, { handlers }: ObserverOptions): Promise<void> {
  try {
    for (const { target } of handlers) await findTarget(target, scope.database())
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'SERVICE_UNAVAILABLE') throw error
  }
}

function typesOf({ named }: MutationModel): readonly string[] {
  return named.kind === 'union' || named.kind === 'interface' ? named.members.map(({ name }) => name) : [named.name]
}

function userOf({ auth }: Exchange): string | null {
  return auth?.subject ?? null
}

function tenantOf({ auth }: Exchange): string | null {
  const tenant = auth?.claims.tenant_id
  return typeof tenant === 'string' || typeof tenant === 'number' ? String(tenant) : null
}
