import type { Database, Metric, Scope } from '../../core/doors/plugin.ts'

type PoolNumber = (pool: Database['pool']) => number

/** The connections of the databases, as they are when somebody asks; named where there are several. */
export function observePool(scope: Scope): readonly Metric[] {
  const { database, databases } = scope.config
  const isOne = () => scope.process.databases().size === 1
  const gauge = (name: string, help: string, read: PoolNumber): Metric => ({
    name,
    help,
    type: 'gauge',
    read: () =>
      isOne()
        ? [{ labels: {}, value: read(scope.database().pool) }]
        : [...scope.process.databases()].map(([name, { pool }]) => ({ labels: { database: name }, value: read(pool) })),
  })
  const most = ({ pool_max: max }: Bounded, database?: Database) =>
    Math.min(Math.ceil(max / scope.process.workers.configured), database?.pool.granted ?? Number.POSITIVE_INFINITY)
  return [
    gauge('svc_db_pool_connections_total', 'Open database connections.', ({ active, idle }) => active + idle),
    gauge('svc_db_pool_connections_active', 'Database connections that run something.', ({ active }) => active),
    gauge('svc_db_pool_connections_idle', 'Database connections that run nothing.', ({ idle }) => idle),
    {
      name: 'svc_db_pool_connections_max',
      help: "Connections that may be open at once, this worker's part.",
      type: 'gauge',
      read: () =>
        isOne()
          ? [{ labels: {}, value: most(database, scope.database()) }]
          : Object.entries({ default: database, ...databases }).map(([name, own]) => ({
              labels: { database: name },
              value: most(own, scope.process.databases().get(name)),
            })),
    },
    gauge('svc_db_pool_requests_waiting', 'Statements that wait for a connection.', ({ waiting }) => waiting),
  ]
}

interface Bounded {
  readonly pool_max: number
}
