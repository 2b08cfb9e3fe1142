import type { InProcessBus } from '../../core/doors/front.ts'
import { ownTable, type Scope } from '../../core/doors/plugin.ts'
import type { EventBackend } from './backend.ts'
import type { EventBus } from './bus/event-bus.ts'
import { createMemoryBackend } from './memory-backend.ts'
import type { ObserverOptions } from './options.ts'
import { createSqlBackend, type SqlBackendOptions } from './sql/sql-backend.ts'
import { DELIVERIES, OUTBOX, RELAY } from './tables.ts'

/** The backend of the configuration. @param isRead do processes read events for themselves? */
export function openBackend(
  scope: Scope,
  options: ObserverOptions,
  bus: EventBus | null,
  isRead: () => boolean,
  Bus: typeof InProcessBus,
): EventBackend {
  if (options.backend === 'in-memory') {
    const dropped = scope.metrics.counter('svc_observer_events_dropped_total')
    return createMemoryBackend((count) => dropped.add(count), options.max_dead_letters, Bus)
  }
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

/** Once for each change of it: whoever tries again several times a second does not say so each time. */
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
