import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { Signal } from '../../../core/doors/plugin.ts'
import { pgbouncerVersion, startPgBouncer } from '../../../scripts/matrix/pgbouncer.ts'
import { createPostgresDatabase, openDatabase, runOnServer } from '../../helpers/databases.ts'
import { runSql } from '../../helpers/run-sql.ts'
import { requireService, SERVICES, skip } from '../../helpers/services.ts'
import { until } from '../driver-suite.ts'

/** PgBouncer in transaction mode. `npm run matrix -- --pgbouncer` runs conformance chapters behind it. */

const SPAN = { name: 'span', text: "SELECT interval '1 day'", readOnly: true }
const COMMAND = process.env.SVC_TEST_PGBOUNCER ?? 'pgbouncer'

t.test('behind PgBouncer', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  if (pgbouncerVersion(COMMAND) === null) return skip(t, 'pgbouncer', 'the program pgbouncer is not installed')
  const { pathname } = new URL(await createPostgresDatabase(t, { sql: 'CREATE TABLE item (id int)' }))
  const database = pathname.slice(1)
  const role = `${database}_r`
  await runOnServer(database, `CREATE ROLE ${role} LOGIN; GRANT ALL ON item TO ${role}`)
  t.teardown(() => runOnServer(database, `DROP OWNED BY ${role}; DROP ROLE ${role}`))
  const folder = await mkdtemp(join(tmpdir(), 'svc-pgbouncer-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const { host, port } = SERVICES.postgres
  const pooler = await startPgBouncer({ command: COMMAND, server: { host, port, user: role }, folder, prepared: 0 })
  t.teardown(() => pooler.stop())
  const url = `postgres://${role}@127.0.0.1:${pooler.port}/${database}`

  await t.test('a role without the settings is refused, with the statements that set them', async (t) => {
    const signals: Signal[] = []
    const opened = await openDatabase(t, url, { onSignal: (signal) => signals.push(signal) })
    await t.rejects(opened.query(SPAN, [], null), { code: 'SERVICE_UNAVAILABLE' })
    const down = signals.find((signal) => signal.type === 'database-down') as { readonly error: Error } | undefined
    t.match(down?.error, { code: 'SVC_DATABASE_UNREACHABLE', message: /pooler .* does not pass on the settings/ })
    const statements = down!.error.message.slice(down!.error.message.indexOf('ALTER ROLE'))
    t.match(statements, `ALTER ROLE "${role}" SET IntervalStyle = 'iso_8601';`)
    await runOnServer(database, statements)
    // PgBouncer keeps sessions of the role that began before.
    await runSql(`postgres://admin@127.0.0.1:${pooler.port}/pgbouncer`, 'RECONNECT')
  })

  await t.test('a role with them is served, without prepared statements if PgBouncer keeps none', async (t) => {
    const signals: Signal[] = []
    const opened = await openDatabase(t, url, { onSignal: (signal) => signals.push(signal) })
    await until(() =>
      opened.ping().then(
        () => true,
        () => false,
      ),
    )
    for (let round = 0; round < 5; round++) {
      const rows = await Promise.all(Array.from({ length: 20 }, () => opened.query(SPAN, [], null)))
      t.ok(rows.every(({ rows: [row] }) => row?.[0] === 'P1D'))
    }
    const write = { name: 'write', text: 'INSERT INTO item VALUES ($1) RETURNING id' }
    await opened.transaction(async (session) => session.query(write, ['1']), {
      settings: [{ name: 'app.tenant', value: 'a' }],
    })
    t.strictSame((await opened.query(write, ['2'], null)).rows, [['2']])
    const tenant = { name: 'tenant', text: "SELECT current_setting('app.tenant', true)", readOnly: true }
    const found = await Promise.all(Array.from({ length: 20 }, () => opened.query(tenant, [], null)))
    t.ok(
      found.every(({ rows: [row] }) => !row?.[0]),
      'settings of a transaction end with it',
    )
    t.ok(signals.every(({ type }) => ['database-up', 'database-down', 'prepared-statements-off'].includes(type)))
  })
})
