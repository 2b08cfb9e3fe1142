import {
  definePlugin,
  openRedis,
  type RedisConnection,
  type Reply,
  type Scope,
  SvcError,
} from '../../core/doors/plugin.ts'
import type { HealthChecks, HealthFinding } from './api.ts'
import { DriftWatch } from './drift-watch.ts'
import manifest from './manifest.ts'
import { detailsOf, type Health, limitsOf, type NamedCheck, OWN_PARTS, readHealth } from './read-health.ts'

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

function reply(status: number, body: unknown): Reply {
  const headers: Record<string, string> = { ...HEADERS }
  if (status === 503) headers['retry-after'] = '1'
  return { status, headers, body: JSON.stringify(body) }
}

/** Shares one running computation among concurrent calls, because anonymous clients can call as often as they like. */
function together<T>(make: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null
  return () => {
    underWay ??= make().finally(() => {
      underWay = null
    })
    return underWay
  }
}

/** Replies 200 when the process can take requests: it is not draining, and the database is reachable and fits the schema. */
async function ready(scope: Scope, ping: () => Promise<void>, drift: DriftWatch): Promise<Reply> {
  if (scope.process.draining) return reply(503, { status: 'unavailable', reason: 'shutting down' })
  try {
    await ping()
  } catch {
    return reply(503, { status: 'unavailable', reason: 'database unreachable' })
  }
  const drifted = await drift.look()
  const databases =
    drifted.size === 0 ? {} : { databases: Object.fromEntries([...drifted].map((name) => [name, 'drift'])) }
  if (drifted.has('default')) {
    return reply(503, { status: 'drift', reason: 'the database does not fit the compiled schema', ...databases })
  }
  return reply(200, { status: 'ready', ...limitsOf(scope.database().pool), ...databases })
}

/** The plugin with the health routes (docs/plugins/health.md). They are open to all clients and ignore credentials. */
export default definePlugin(manifest, (scope) => {
  const mount = (path: string, handler: () => Promise<Reply> | Reply): void =>
    scope.route({ method: 'GET', path, anonymous: true, handler })

  const checks: NamedCheck[] = []
  const stores = new StoreChecks(scope)
  const health: HealthChecks = {
    add(name, check) {
      if (checks.some((known) => known.name === name) || OWN_PARTS.includes(name)) {
        throw new SvcError('SVC_PROVIDE_DUPLICATE', `A part of /health is called "${name}" already.`)
      }
      checks.push({ name, check })
    },
    addStore(name, { url, isNeeded }) {
      if (url !== undefined) health.add(name, () => stores.check(url, isNeeded))
    },
  }
  scope.provide('health', health)

  const drift = new DriftWatch(scope)
  const look: () => Promise<Health> = together(() => readHealth(scope, checks, drift.drifted))
  mount('/health', async () => {
    const health = await look()
    return reply(health.status === 'ok' ? 200 : 503, health)
  })
  let loadedAt = scope.process.startedAt
  const unsubscribe = scope.signals.subscribe((signal) => {
    if (signal.type === 'generation-loaded') loadedAt = new Date()
  })
  scope.onClose(unsubscribe)
  mount('/health/detailed', async () => {
    const health = await look()
    return reply(health.status === 'ok' ? 200 : 503, detailsOf(health, loadedAt))
  })
  // Alive means that the event loop runs. The database is not checked, because its outage would restart all replicas.
  mount('/health/live', () => reply(200, { status: 'alive' }))
  const ping = together(async () => scope.database().ping())
  for (const path of ['/health/ready', '/ready', '/readiness']) mount(path, () => ready(scope, ping, drift))
})

/** Checks key-value servers, over the connections of the plugins. */
class StoreChecks {
  readonly #scope: Scope
  /** Connections by URL, because several plugins can use the same server. */
  readonly #connections = new Map<string, Promise<RedisConnection>>()

  constructor(scope: Scope) {
    this.#scope = scope
    scope.onClose(async () => {
      for (const connection of this.#connections.values()) await (await connection).close()
    })
  }

  /** Checks a server. @returns a finding without host names */
  async check(url: string, isNeeded: boolean): Promise<HealthFinding> {
    const isConnected = await this.#ping(url)
    return { ok: isConnected || !isNeeded, backend: 'kvstore', connected: isConnected }
  }

  async #ping(url: string): Promise<boolean> {
    let connection = this.#connections.get(url)
    if (connection === undefined) {
      connection = openRedis(url, { signals: this.#scope.signals })
      this.#connections.set(url, connection)
    }
    try {
      await (await connection).call('PING')
      return true
    } catch {
      return false
    }
  }
}
