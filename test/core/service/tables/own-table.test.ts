import t from 'tap'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import type { TableDefinition } from '../../../../core/contract/table.ts'
import { definePlugin, ownTable } from '../../../../core/doors/plugin.ts'
import { makeTable, missingVersions, scriptOf, stateOf } from '../../../../core/service/tables/make-table.ts'
import { createBareApp, createBareDatabase } from '../../../helpers/bare-app.ts'
import { createPostgresDatabase, eachDatabase, runOnServer } from '../../../helpers/databases.ts'
import { entry, failure } from '../../../helpers/kernel.ts'
import { openTestDatabase } from '../../../helpers/open-database.ts'
import { requireService } from '../../../helpers/services.ts'

const first = 'CREATE TABLE IF NOT EXISTS svc_thing (id text PRIMARY KEY)'
const THING: TableDefinition = {
  name: 'svc_thing',
  purpose: 'A test.',
  versions: [{ columns: ['id'], sql: { postgres: first, sqlite: first } }],
}
const second = 'ALTER TABLE svc_thing ADD COLUMN note text'
const NEWER: TableDefinition = {
  ...THING,
  versions: [...THING.versions, { columns: ['note'], sql: { postgres: second, sqlite: second } }],
}

function needing(table: TableDefinition) {
  const manifest = { name: 'thing', version: '1.0.0', kernelApi: 1, description: 'x', tables: [table] }
  let ready = async (): Promise<void> => {}
  const plugin = definePlugin(manifest, (scope) => {
    ready = ownTable(scope, table).ready
  })
  return { instance: entry(plugin as never), ready: () => ready() }
}

t.test('a table is made once, and gets what it lacks', async (t) => {
  await eachDatabase(
    t,
    async (t, test) => {
      const database = await openTestDatabase(t, test)
      t.same(await missingVersions(database, NEWER), NEWER.versions)
      t.equal(await makeTable(database, THING), true)
      t.equal(await makeTable(database, THING), false, 'it is there')
      t.same(await missingVersions(database, NEWER), [NEWER.versions[1]])
      const both = await Promise.all([makeTable(database, NEWER), makeTable(database, NEWER)])
      t.ok(both.includes(true), 'two at once: the later one may find it done')
      t.same(await missingVersions(database, NEWER), [])
    },
    { sqlite: { sql: 'SELECT 1' } },
  )
})

t.test('a kind of database without SQL for the table', async (t) => {
  t.throws(() => scriptOf(THING, THING.versions, 'sqlserver'), {
    code: 'SVC_TABLE_MISSING',
    message: /svc_thing cannot be made in a database of the kind "sqlserver"; there are scripts for postgres, sqlite/,
  })
})

t.test('a plugin finds its table when it is used', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const database = await openTestDatabase(t, { kind: 'postgres', url: await createPostgresDatabase(t) })
  await createBareApp(t, { plugins: [needing(THING).instance], database })
  t.same(await missingVersions(database, THING), [])
})

t.test('a role that may not make it: the boot fails and says what to run', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const role = `svc_reader_${process.pid}`
  const url = await createPostgresDatabase(t)
  const name = url.slice(url.lastIndexOf('/') + 1)
  await runOnServer(name, `REVOKE CREATE ON SCHEMA public FROM PUBLIC; CREATE ROLE ${role} LOGIN`)
  t.teardown(() => runOnServer('postgres', `DROP ROLE IF EXISTS ${role}`))
  const reader = url.replace(/\/\/[^@]+@/, `//${role}@`)
  const database = await openTestDatabase(t, { kind: 'postgres', url: reader })
  const error = await failure(() => createBareApp(t, { plugins: [needing(THING).instance], database }))
  t.match(error.message, /needs the table svc_thing.*permission denied.*svc tables --apply/s)

  const off = { create_tables: false }
  const why = await failure(() => createBareApp(t, { plugins: [needing(THING).instance], database, svc: off }))
  t.match(why.message, /svc\.create_tables is false/)
  await runOnServer(name, first)
  t.ok(await createBareApp(t, { plugins: [needing(THING).instance], database, svc: off }), 'somebody else made it')
})

t.test('an unreachable database does not prevent the start, and the table is made later', async (t) => {
  let isAway = true
  const made: string[] = []
  const columns: { name: string; type: string; notNull: boolean; unique: boolean }[] = []
  const relation = { schema: 'public', name: 'svc_thing', kind: 'table', columns, primaryKey: [] } as const
  const database = createBareDatabase({
    async catalog() {
      if (isAway) throw new SvcError('SERVICE_UNAVAILABLE', 'away')
      return {
        relations: new Map(columns.length === 0 ? [] : [['svc_thing', relation]]),
        functions: new Map(),
        allRelations: [],
        allFunctions: [],
      }
    },
    async script(sql) {
      made.push(sql)
      columns.push({ name: 'id', type: 'text', notNull: true, unique: true })
    },
  })
  const { instance, ready } = needing(THING)
  const app = await createBareApp(t, { plugins: [instance], database })
  t.ok(app.signals.some((signal) => signal.type === 'warning' && /svc_thing/.test(signal.message)))
  t.match(await failure(ready), { code: 'SERVICE_UNAVAILABLE' })
  isAway = false
  await ready()
  await ready()
  t.equal(made.length, 1)
})

t.test('a table that is there and is none of ours stops the boot with the reason', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const typed: TableDefinition = { ...NEWER, types: { id: ['text'], note: ['text'] } }
  for (const [sql, wanted] of [
    ['CREATE TABLE svc_thing (id int)', /The table public\.svc_thing is there.*id is int4 and has to be text/],
    ['CREATE VIEW svc_thing AS SELECT 1 AS one', /public\.svc_thing .*it lacks id, note\./],
    ['CREATE TABLE svc_thing (note text)', /public\.svc_thing .*it lacks id\./],
  ] as const) {
    const database = await openTestDatabase(t, { kind: 'postgres', url: await createPostgresDatabase(t, { sql }) })
    const error = await failure(() => createBareApp(t, { plugins: [needing(typed).instance], database }))
    t.match(error.message, wanted)
    // `svc doctor` asks for the state and makes nothing.
    t.match((await stateOf(database, typed)).unfit, wanted)
  }
})

t.test('a table of this name outside the search_path is reported', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: 'CREATE SCHEMA app; CREATE TABLE app.svc_thing (id text)' })
  const database = await openTestDatabase(t, { kind: 'postgres', url })
  const app = await createBareApp(t, { plugins: [needing(THING).instance], database })
  const warnings = app.signals
    .filter(({ type }) => type === 'warning')
    .map((signal) => (signal as { message: string }).message)
  t.equal(warnings.length, 1)
  t.match(warnings[0], /svc_thing.* there is one in app, too/)
  const alone = await openTestDatabase(t, { kind: 'postgres', url: await createPostgresDatabase(t) })
  const quiet = await createBareApp(t, { plugins: [needing(THING).instance], database: alone })
  t.same(
    quiet.signals.filter(({ type }) => type === 'warning'),
    [],
  )
})
