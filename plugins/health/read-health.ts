import type { Scope } from '../../core/index.ts'

/** Body of `GET /health`. Names no host and no credential. */
export interface Health {
  readonly status: 'ok' | 'unhealthy'
  readonly version: string
  /** SHA-256 of the loaded schema: equal on replicas that serve the same one. */
  readonly schema_hash: string
  readonly uptime_seconds: number
  /** Processes that serve, of `server.workers`. The rest of this answer is about one of them. */
  readonly workers: { readonly configured: number; readonly listening: number }
  readonly database: {
    readonly connected: boolean
    readonly database_type: string
    readonly active_connections: number
    readonly idle_connections: number
    readonly latency_ms: number | null
  }
}

/** Asks the database and sums up. Never throws: a database that is down is a finding, not a failure. */
export async function readHealth(scope: Scope): Promise<Health> {
  const database = scope.database()
  const started = performance.now()
  const latency = await database.ping().then(
    () => Math.round((performance.now() - started) * 100) / 100,
    () => null,
  )
  return {
    status: latency === null ? 'unhealthy' : 'ok',
    version: scope.process.version,
    schema_hash: scope.process.generation.hash,
    uptime_seconds: Math.floor((Date.now() - scope.process.startedAt.getTime()) / 1000),
    workers: scope.process.workers,
    database: {
      connected: latency !== null,
      database_type: database.kind,
      active_connections: database.pool.active,
      idle_connections: database.pool.idle,
      latency_ms: latency,
    },
  }
}
