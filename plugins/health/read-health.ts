import type { Database, Scope } from '../../core/doors/plugin.ts'
import type { HealthChecks, HealthFinding } from './api.ts'

export interface NamedCheck {
  readonly name: string
  readonly check: Parameters<HealthChecks['add']>[1]
}

export interface DatabaseHealth {
  readonly connected: boolean
  readonly database_type: string
  readonly active_connections: number
  readonly idle_connections: number
  readonly latency_ms: number | null
  /** Number of connections that the database server allows, if it is less than `pool_max`. */
  readonly connections_granted?: number
  /** `true` when the sessions of the database are read-only, as on a standby or during a failover. Otherwise absent. */
  readonly read_only?: true
  /** `true` when the database lacks an object that the schema uses, or has it with another type. Otherwise absent. */
  readonly drift?: true
}

/** Body of `GET /health`. It names no host and no credential. */
export interface Health {
  readonly status: 'ok' | 'unhealthy'
  readonly version: string
  /** SHA-256 of the loaded schema. Replicas that serve the same schema have the same value. */
  readonly schema_hash: string
  readonly uptime_seconds: number
  /** Number of worker processes. The other members describe the worker process that answers. */
  readonly workers: { readonly configured: number; readonly listening: number }
  readonly database: DatabaseHealth
  /**
   * State of the databases in `[databases]`, by name; absent: none. An outage of one does not make the service
   * unhealthy.
   */
  readonly databases?: Readonly<Record<string, DatabaseHealth>>
  /**
   * Results of plugins' health checks by name. The body also has each as a member of its own. Absent: no plugin checks.
   */
  readonly checks?: Readonly<Record<string, HealthFinding>>
}

/** Members of the body of `GET /health` that plugins cannot use for their checks. */
export const OWN_PARTS: readonly string[] = [
  'status',
  'version',
  'schema_hash',
  'uptime_seconds',
  'workers',
  'database',
  'databases',
  'schema',
  'checks',
]

/**
 * Checks the databases and creates the body of `GET /health`. It never throws: an outage is part of the result.
 * @param named checks of plugins
 * @param drifted names of databases that differ from the schema
 */
export async function readHealth(
  scope: Scope,
  named: readonly NamedCheck[] = [],
  drifted: ReadonlySet<string> = new Set(),
): Promise<Health> {
  const database = scope.database()
  const asked = Promise.all(named.map(async ({ name, check }) => [name, await find(check)] as const))
  const others = Promise.all(
    [...scope.process.databases()]
      .filter(([, other]) => other !== database)
      .map(async ([name, other]) => [name, await ask(other, drifted.has(name))] as const),
  )
  const own = await ask(database, drifted.has('default'))
  const beside = await others
  const found = await asked
  const isOk = own.connected && found.every(([, { ok }]) => ok)
  return {
    status: isOk ? 'ok' : 'unhealthy',
    version: scope.process.version,
    schema_hash: scope.process.generation.hash,
    uptime_seconds: Math.floor((Date.now() - scope.process.startedAt.getTime()) / 1000),
    workers: scope.process.workers,
    database: own,
    ...(beside.length === 0 ? {} : { databases: Object.fromEntries(beside) }),
    ...(found.length === 0 ? {} : { ...Object.fromEntries(found), checks: Object.fromEntries(found) }),
  }
}

async function ask(database: Database, drifts: boolean): Promise<DatabaseHealth> {
  const started = performance.now()
  const latency = await database.ping().then(
    () => Math.round((performance.now() - started) * 100) / 100,
    () => null,
  )
  return {
    connected: latency !== null,
    database_type: database.kind,
    active_connections: database.pool.active,
    idle_connections: database.pool.idle,
    latency_ms: latency,
    ...limitsOf(database.pool),
    ...(drifts ? { drift: true } : {}),
  }
}

/**
 * Returns the members of the body of `GET /health` for the limit on connections and for read-only mode. The object is
 * empty if neither applies.
 */
export function limitsOf({
  granted,
  readOnly,
}: Database['pool']): Pick<DatabaseHealth, 'connections_granted' | 'read_only'> {
  return {
    ...(granted === undefined ? {} : { connections_granted: granted }),
    ...(readOnly === true ? { read_only: true } : {}),
  }
}

async function find(check: NamedCheck['check']): Promise<HealthFinding> {
  try {
    return await check()
  } catch {
    return { ok: false }
  }
}

/**
 * Returns the body of `GET /health/detailed`, which has a status per component
 * (docs/plugins/health.md#databases-and-parts).
 * @param loadedAt time when the schema was loaded
 */
export function detailsOf(health: Health, loadedAt: Date): object {
  const { status, version, schema_hash: hash, uptime_seconds: uptime, database, checks = {} } = health
  const word = (isOk: boolean): string => (isOk ? 'ok' : 'unhealthy')
  const found = Object.entries(checks).map(([name, { ok, ...rest }]) => [name, { status: word(ok), ...rest }])
  return {
    status,
    checks: {
      database: {
        status: word(database.connected),
        latency_ms: database.latency_ms,
        ...(database.connections_granted === undefined ? {} : { connections_granted: database.connections_granted }),
        ...(database.read_only === undefined ? {} : { read_only: true }),
        ...(database.drift === undefined ? {} : { drift: true }),
      },
      schema: { status: 'ok', version: hash, loaded_at: loadedAt.toISOString() },
      ...Object.fromEntries(found),
    },
    version,
    uptime_seconds: uptime,
  }
}
