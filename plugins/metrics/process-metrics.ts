import { type Database, listStores, type Metric, type Scope } from '../../core/doors/plugin.ts'
import { singleMetric } from './metric.ts'

/** Creates metrics of processor time, memory and start time, with the usual names of Prometheus client libraries. */
export function observeProcess({ process: { startedAt, version } }: Scope): readonly Metric[] {
  return [
    singleMetric('counter', 'process_cpu_seconds_total', 'Processor time of the process, user and system.', () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    }),
    singleMetric('gauge', 'process_resident_memory_bytes', 'Resident memory of the process.', () =>
      process.memoryUsage.rss(),
    ),
    singleMetric(
      'gauge',
      'process_start_time_seconds',
      'When the process started, in seconds since 1970.',
      () => startedAt.getTime() / 1000,
    ),
    {
      name: 'svc_build_info',
      help: 'The version of svc.',
      type: 'gauge',
      read: () => [{ labels: { version }, value: 1 }],
    },
  ]
}

type PoolNumber = (pool: Database['pool']) => number

/** Creates metrics of the database connection pools. They have a label if there are several databases. */
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

/** Creates the metric `svc_store_up`: whether each key-value server of the plugins answers. */
export function observeStores({ signals }: Scope): Metric {
  return {
    name: 'svc_store_up',
    help: 'Whether the key-value server answers: 1 or 0.',
    type: 'gauge',
    read: () => listStores(signals).map(({ host, isUp }) => ({ labels: { store: host }, value: isUp ? 1 : 0 })),
  }
}

/** Creates metrics with the number of successful and failed reloads of the schema. */
export function countReloads(scope: Scope): readonly Metric[] {
  let reloads = 0
  let failures = 0
  const end = scope.signals.subscribe((signal) => {
    if (signal.type === 'generation-loaded' && signal.reason === 'reload') reloads++
    else if (signal.type === 'reload-failed') failures++
  })
  scope.onClose(end)
  return [
    singleMetric(
      'counter',
      'svc_schema_reloads_total',
      'Schemas that were loaded in the place of another one.',
      () => reloads,
    ),
    singleMetric(
      'counter',
      'svc_schema_reload_errors_total',
      'Reloads that failed; the schema before serves on.',
      () => failures,
    ),
  ]
}

/**
 * Creates the metric `svc_statement_plans_total`: how often svc had a statement planned for its values, or once for any
 * values.
 */
export function countPlans(scope: Scope): Metric {
  const counts = { values: 0, generic: 0 }
  const end = scope.signals.subscribe((signal) => {
    if (signal.type === 'statement-planned') counts[signal.planning]++
  })
  scope.onClose(end)
  return {
    name: 'svc_statement_plans_total',
    help: 'Decisions to plan a statement with its values, or once for any values.',
    type: 'counter',
    read: () => Object.entries(counts).map(([planning, value]) => ({ labels: { planning }, value })),
  }
}
