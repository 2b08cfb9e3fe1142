import type { Database, Metric, Scope } from '../../core/index.ts'
import { singleMetric } from './metric.ts'

/** The database's connections, as they are when somebody asks. */
export function observePool(scope: Scope): readonly Metric[] {
  const gauge = (name: string, help: string, read: (pool: Database['pool']) => number) =>
    singleMetric('gauge', name, help, () => read(scope.database().pool))
  const { database } = scope.config as { readonly database?: { readonly pool_max?: number } }
  return [
    gauge('svc_db_pool_connections_total', 'Open database connections.', ({ active, idle }) => active + idle),
    gauge('svc_db_pool_connections_active', 'Database connections that run something.', ({ active }) => active),
    gauge('svc_db_pool_connections_idle', 'Database connections that run nothing.', ({ idle }) => idle),
    singleMetric(
      'gauge',
      'svc_db_pool_connections_max',
      "Connections that may be open at once, this worker's part.",
      () => Math.ceil((database?.pool_max ?? 0) / scope.process.workers.configured),
    ),
    gauge('svc_db_pool_requests_waiting', 'Statements that wait for a connection.', ({ waiting }) => waiting),
  ]
}
