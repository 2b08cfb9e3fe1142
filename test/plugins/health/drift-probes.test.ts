import t from 'tap'
import { isStaleSchema } from '../../../core/base/errors/from-database.ts'
import { createPostgresDatabase, type TestDatabase } from '../../helpers/databases.ts'
import { openApp, type TestApp } from '../../helpers/open-app.ts'
import { openOnPostgres } from '../../helpers/open-on-postgres.ts'
import { requireService } from '../../helpers/services.ts'
import { POSTS, replaceView } from '../../schemas/posts.ts'
import { tableSchema } from '../../schemas/table-schema.ts'
import { until } from '../driver-suite.ts'

async function readiness(app: TestApp) {
  const { status, text } = await app.inject({ url: '/health/ready' })
  return { status, body: JSON.parse(text) as Record<string, unknown>, text }
}

function resolvers() {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}

const drifts = (app: TestApp) => app.signals.filter(({ type }) => type === 'schema-drift')

t.test('no probe reads the catalog as long as the last comparison is young', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const app = await openOnPostgres(t, POSTS)
  let reads = 0
  const read = app.database.catalog
  Object.assign(app.database, {
    catalog: (...args: Parameters<typeof read>) => {
      reads++
      return read.apply(app.database, args)
    },
  })
  for (let i = 0; i < 10; i++) await readiness(app)
  t.ok(reads <= 1, `${reads} reads`)
})

t.test('a probe does not wait for a catalog that cannot be read now', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const app = await openOnPostgres(t, POSTS)
  await readiness(app)
  const read = app.database.catalog
  const busy = resolvers()
  Object.assign(app.database, {
    catalog: async (...args: Parameters<typeof read>) => {
      await busy.promise
      return read.apply(app.database, args)
    },
  })
  await app.database.script(replaceView('id, title AS headline, body, unused, size'))
  await app.graphql('{ posts { title } }')
  const before = performance.now()
  t.equal((await readiness(app)).status, 200, 'what was known goes on')
  t.ok(performance.now() - before < 5000)
  busy.resolve()
  await until(async () => (await readiness(app)).status === 503)
})

t.test('drift of another database is reported, and the service stays ready', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const sql = POSTS.sql
  const crm: TestDatabase = { kind: 'postgres', url: await createPostgresDatabase(t, { sql }) }
  const schema = tableSchema({ ...POSTS.schema.types[0], database: 'crm', list: 'posts' })
  const own: TestDatabase = { kind: 'postgres', url: await createPostgresDatabase(t, { sql }) }
  const app = await openApp(t, own, schema, { databases: { crm } })
  t.strictSame((await readiness(app)).body, { status: 'ready' })
  await app.databases.get('crm')!.script(replaceView('id, title AS headline, body, unused, size'))
  await app.graphql('{ posts { title } }')
  const { status, body } = await readiness(app)
  t.strictSame([status, body], [200, { status: 'ready', databases: { crm: 'drift' } }])
  t.match(drifts(app), [{ database: /^crm$/ }])
})

t.test('only errors about missing things start a comparison', async (t) => {
  const failed = (code: string) => new Error('failed', { cause: Object.assign(new Error('server'), { code }) })
  for (const code of ['42703', '42P01', '42883']) t.equal(isStaleSchema(failed(code)), true, code)
  for (const code of ['23505', '57014', 'ECONNREFUSED']) t.equal(isStaleSchema(failed(code)), false, code)
  t.equal(isStaleSchema(null), false)
})
