import type { changes } from '../../../core/doors/front.ts'
import { ownTable, type Scope, SvcError } from '../../../core/doors/plugin.ts'
import type { EventBus } from '../bus/event-bus.ts'
import { DELIVERIES, OUTBOX, RELAY } from '../sql/tables.ts'
import type { EventBackend } from './backend.ts'
import { createMemoryBackend } from './memory-backend.ts'
import { createSqlBackend, type SqlBackendOptions } from './sql-backend.ts'

interface BackendOptions {
  readonly backend: string
  readonly max_dead_letters: number
  readonly retention_hours: number
}

/**
 * Creates the event backend that `observers.backend` names.
 * @param bus message bus between processes; `null`: none
 * @param isRead returns `true` if this process itself needs events, for example for subscriptions
 */
export function openBackend(
  scope: Scope,
  options: BackendOptions,
  bus: EventBus | null,
  isRead: () => boolean,
  Bus: typeof changes.InProcessBus,
): EventBackend {
  if (options.backend === 'in-memory') {
    const dropped = scope.metrics.counter('svc_observer_events_dropped_total')
    return createMemoryBackend((count) => dropped.add(count), options.max_dead_letters, Bus)
  }
  scope.onReady(async () => refuseOtherDatabases(scope, options.backend))
  const tables = [ownTable(scope, OUTBOX), ownTable(scope, RELAY), ownTable(scope, DELIVERIES)]
  return createSqlBackend({
    database: scope.database,
    ready: async () => {
      for (const { ready } of tables) await ready()
    },
    retentionMs: options.retention_hours * 3_600_000,
    bus,
    isRead,
    onState: logState(scope),
  })
}

/** @throws SvcError SVC_CONFIG_INVALID: the event table cannot be in the database that is served */
function refuseOtherDatabases(scope: Scope, backend: string): void {
  const { name } = scope.database().dialect
  if (name === 'postgres') return
  throw new SvcError(
    'SVC_CONFIG_INVALID',
    `observers.backend = "${backend}" needs an event table in the database that is served, which PostgreSQL alone can keep; this one is "${name}". ` +
      'Set backend = "in-memory": it delivers the changes of its own process, and loses those that are not delivered when the process ends.',
  )
}

/** Logs each change of the state once, although the relay tries several times a second. */
function logState({ log }: Scope): SqlBackendOptions['onState'] {
  let isDown = false
  return (state) => {
    const error = state === null || state === 'idle' || state === 'elsewhere' ? null : state
    if ((error !== null) === isDown) return
    isDown = error !== null
    if (state === null) log.info({}, 'events are delivered again')
    else if (state === 'idle') log.info({}, 'events can be delivered again, and none waits')
    else if (state === 'elsewhere') log.info({}, 'events are delivered by another process')
    else log.error({ error: String(error) }, 'events cannot be delivered; they wait in the outbox')
  }
}
