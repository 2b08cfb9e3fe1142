import t from 'tap'
import health from '../../../plugins/health/index.ts'
import { createPglite, createPostgresDatabase, openDatabase } from '../../helpers/databases.ts'
import { plugin } from '../../helpers/kernel.ts'
import { openPlugin } from '../../helpers/open-plugin.ts'
import { requireService } from '../../helpers/services.ts'

/** Paths of the readiness probe (docs/plugins/health.md#routes). */
const READY = ['/health/ready', '/ready', '/readiness']

/** Probes have no credential: a hook that demands one must not run for them. */
const locked = plugin('locked', (scope) =>
  scope.on('authenticate', () => {
    throw new Error('a probe has no credential')
  }),
)

t.test('a database that answers', async (t) => {
  const app = await openPlugin(t, health, {
    dependencies: [locked],
    database: await openDatabase(t, await createPglite(t)),
  })
  const reply = await app.inject({ url: '/health' })
  t.equal(reply.status, 200)
  t.match(reply.headers, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  t.match(reply.json(), {
    status: /^ok$/,
    version: '0.0.0-test',
    schema_hash: app.kernel.generation.hash,
    uptime_seconds: 0,
    database: { connected: true, database_type: 'pglite', latency_ms: Number },
  })
  t.match(reply.json<{ schema_hash: string }>().schema_hash, /^[0-9a-f]{64}$/)
  const live = await app.inject({ url: '/health/live' })
  t.strictSame([live.status, live.json()], [200, { status: 'alive' }])
  for (const url of READY) {
    const ready = await app.inject({ url })
    t.strictSame([ready.status, ready.json(), ready.headers['retry-after']], [200, { status: 'ready' }, undefined], url)
  }
  t.equal((await app.inject({ method: 'HEAD', url: '/health' })).status, 200)
  t.equal((await app.inject({ method: 'POST', url: '/health' })).status, 405)
})

t.test('a PostgreSQL server: its connections are counted, and neither host nor user is named', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t)
  const app = await openPlugin(t, health, {
    dependencies: [locked],
    database: await openDatabase(t, url, { config: { pool_min: 0, pool_max: 2 } }),
  })
  await app.inject({ url: '/health' })
  const reply = await app.inject({ url: '/health' })
  t.match(reply.json(), {
    status: /^ok$/,
    database: { connected: true, database_type: 'postgres', active_connections: 0, idle_connections: Number },
  })
  for (const secret of [new URL(url).hostname, new URL(url).pathname.slice(1), 'postgres://']) {
    t.notOk(reply.text.includes(secret), secret)
  }
})

t.test('a database that is not there: unhealthy and not ready, and alive all the same', async (t) => {
  const database = await openDatabase(t, 'postgres://nobody@127.0.0.1:1/nothing', { config: { pool_min: 0 } })
  const app = await openPlugin(t, health, { dependencies: [locked], database })
  const reply = await app.inject({ url: '/health' })
  t.strictSame([reply.status, reply.headers['retry-after']], [503, '1'])
  t.match(reply.json(), {
    status: 'unhealthy',
    database: { connected: false, latency_ms: null, active_connections: 0 },
  })
  for (const url of READY) {
    const ready = await app.inject({ url })
    t.strictSame(
      [ready.status, ready.json(), ready.headers['retry-after']],
      [503, { status: 'unavailable', reason: 'database unreachable' }, '1'],
      url,
    )
  }
  t.equal((await app.inject({ url: '/health/live' })).status, 200)
})

t.test('a process that is shutting down is not ready, and says why', async (t) => {
  const app = await openPlugin(t, health, {
    dependencies: [locked],
    database: await openDatabase(t, await createPglite(t)),
  })
  app.kernel.drain()
  for (const url of READY) {
    const ready = await app.inject({ url })
    t.strictSame([ready.status, ready.json()], [503, { status: 'unavailable', reason: 'shutting down' }], url)
  }
  t.equal((await app.inject({ url: '/health/live' })).status, 200)
  t.equal((await app.inject({ url: '/health' })).status, 200, 'it still works')
})
