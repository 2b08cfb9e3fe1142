import t from 'tap'
import type { Database, Scope } from '../../../core/doors/plugin.ts'
import { testOperation, testPlugin } from '../../../core/testing/testing.ts'
import metrics from '../../../plugins/metrics/index.ts'
import { eachDatabase } from '../../helpers/databases.ts'
import { plugin } from '../../helpers/kernel.ts'
import { LIBRARY_SQL, OPEN_LIBRARY } from '../../helpers/library.ts'
import { openApp } from '../../helpers/open-app.ts'
import { metricsIn } from './read-metrics.ts'

const database = { pool: { active: 3, idle: 4, waiting: 5, connected: true } } as Database

/** Fails in three places. */
const faulty = plugin('faulty', fail, { after: ['metrics'] })

function fail(scope: Scope): void {
  scope.route({
    method: 'POST',
    path: '/fails',
    handler: () => {
      throw new Error('no')
    },
  })
  scope.on('onRequest', (ctx, next) => {
    if (ctx.transport !== 'http') return next()
    if (ctx.pathname === '/throws') throw new Error('hook')
    if (ctx.pathname === '/rejects') return Promise.reject(new Error('hook'))
    return next()
  })
}

t.test('a token, where one is wanted', async (t) => {
  const app = await testPlugin(metrics, { options: { token: 'abc-123' }, database })
  const ask = (authorization?: string) =>
    app.inject({ url: '/metrics', ...(authorization === undefined ? {} : { headers: { authorization } }) })
  for (const wrong of [undefined, '', 'abc-123', 'Basic abc-123', 'Bearer', 'Bearer abc', 'Bearer abc-123 x']) {
    const reply = await ask(wrong)
    t.match(reply, { status: 401, text: /UNAUTHENTICATED/ }, String(wrong))
    t.notMatch(reply.text, /abc|svc_http/)
  }
  const reply = await ask('bearer abc-123')
  t.match(reply, { status: 200, headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } })
  await app.close()
})

t.test('requests by method and status, the failed ones too; pool, process, version', async (t) => {
  const app = await testPlugin(metrics, { dependencies: [faulty], database })
  const read = async () => metricsIn((await app.inject({ url: '/metrics' })).text)
  for (const url of ['/fails', '/throws', '/rejects', '/nowhere']) await app.inject({ method: 'POST', url, body: {} })
  await read()
  const seen = await read()
  t.match(Object.fromEntries(seen), {
    'svc_http_requests_total{method="POST",status="500"}': 3,
    'svc_http_requests_total{method="POST",status="404"}': 1,
    'svc_http_requests_total{method="GET",status="200"}': 1,
    svc_http_requests_in_flight: 1,
    svc_http_request_duration_seconds_count: 5,
    svc_db_pool_connections_total: 7,
    svc_db_pool_connections_active: 3,
    svc_db_pool_connections_idle: 4,
    svc_db_pool_requests_waiting: 5,
    svc_schema_reloads_total: 0,
    svc_schema_reload_errors_total: 0,
  })
  t.ok(Math.abs(seen.get('process_start_time_seconds')! - Date.now() / 1000) < 60)
  t.ok(seen.get('process_resident_memory_bytes')! > 1e7)
  t.ok(seen.get('process_cpu_seconds_total')! > 0)
  t.ok([...seen.keys()].some((key) => key.startsWith('svc_build_info{version="')))
  app.takeReported()
  await app.close()
})

t.test('operations by kind, and how long they took', async (t) => {
  const outcomes = [async () => ({ data: '{}', errors: null }), () => Promise.reject(new Error('no')), throwNow]
  let turn = 0
  const app = await testPlugin(metrics, { database, resolve: () => outcomes[turn++ % 3]!() })
  for (const kind of ['query', 'mutation', 'mutation', 'query', 'query', 'query'] as const) {
    await Promise.resolve()
      .then(() => app.run(app.exchange(), testOperation({ kind })))
      .catch(() => {})
  }
  t.match(Object.fromEntries(metricsIn((await app.inject({ url: '/metrics' })).text)), {
    svc_graphql_queries_total: 4,
    svc_graphql_mutations_total: 2,
    'svc_graphql_query_duration_seconds_count{operation_type="query"}': 4,
    'svc_graphql_query_duration_seconds_count{operation_type="mutation"}': 2,
  })
  app.takeReported()
  await app.close()
})

function throwNow(): never {
  throw new Error('no')
}

eachDatabase(
  t,
  async (t, test) => {
    const app = await openApp(t, test, OPEN_LIBRARY, { plugins: [{ plugin: metrics, options: {}, source: 'test' }] })
    const read = async () => Object.fromEntries(metricsIn((await app.inject({ url: '/metrics' })).text))
    await app.graphql('{ books { title } }')
    await app.graphql('{ books { title }', {})
    await app.graphql('{ books { nothing other } }', {})
    t.match(await read(), {
      svc_graphql_queries_total: 1,
      'svc_graphql_errors_total{code="PARSE_ERROR"}': 1,
      'svc_graphql_errors_total{code="GRAPHQL_VALIDATION_FAILED"}': 2,
      'svc_http_requests_total{method="POST",status="200"}': 3,
    })
    t.ok((await read()).svc_db_pool_connections_total! >= 1)
    t.equal(await app.reload(), 'unchanged')
    t.match(await read(), { svc_schema_reloads_total: 0 })
  },
  { sql: LIBRARY_SQL },
)
