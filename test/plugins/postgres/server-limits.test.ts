import { randomBytes } from 'node:crypto'
import t from 'tap'
import type { Database, Signal } from '../../../core/doors/plugin.ts'
import { createPostgresDatabase, openDatabase, runOnServer } from '../../helpers/databases.ts'
import { createHostileProxy } from '../../helpers/hostile-proxy.ts'
import { requireService, SERVICES, type TestLike } from '../../helpers/services.ts'
import { until } from '../driver-suite.ts'

/** What a server does not give: connections beyond a limit, and writes while it is read-only. */

const READ = { name: 'read', text: 'SELECT 1', readOnly: true }
const NAP = { name: 'nap', text: 'SELECT pg_sleep(0.1)', readOnly: true }
const WRITE = { name: 'write', text: 'INSERT INTO item VALUES (1)' }

const nameOf = (url: string): string => new URL(url).pathname.slice(1)
const inTransaction = (database: Database) =>
  database.transaction(async (session) => {
    await session.query(WRITE, [])
    await session.query(READ, [])
  }, {})

async function openLimited(t: TestLike, limit: number) {
  const role = `svc_test_${randomBytes(6).toString('hex')}`
  const url = await createPostgresDatabase(t, { sql: 'CREATE TABLE item (id int)' })
  await runOnServer(nameOf(url), `CREATE ROLE ${role} LOGIN CONNECTION LIMIT ${limit}; GRANT ALL ON item TO ${role}`)
  t.teardown(() => runOnServer(nameOf(url), `DROP OWNED BY ${role}; DROP ROLE ${role}`))
  const own = new URL(url)
  own.username = role
  own.password = ''
  const signals: Signal[] = []
  const database = await openDatabase(t, own.href, {
    config: { pool_max: 20 },
    onSignal: (signal) => signals.push(signal),
  })
  const types = () => signals.map(({ type }) => type)
  return { role, database, signals, types, url }
}

t.test('a server that grants fewer connections than pool_max', async (t) => {
  if (!(await requireService(t, 'postgres'))) return

  for (const limit of [1, 2, 4]) {
    await t.test(`${limit}: all that is requested is done, one after the other`, async (t) => {
      const { database, signals, types } = await openLimited(t, limit)
      for (let round = 0; round < 2; round++) {
        await Promise.all([
          ...Array.from({ length: 12 }, () => database.query(NAP, [], null)),
          ...Array.from({ length: 12 }, () => inTransaction(database)),
          ...Array.from({ length: 30 }, () => database.query(READ, [], null)),
          ...Array.from({ length: 10 }, () => database.query(WRITE, [], null)),
        ])
      }
      const { granted, active, idle, waiting } = database.pool
      t.same([granted, active + idle, waiting], [limit, limit, 0])
      t.same(types(), ['connections-refused'], 'said once')
      t.match(signals[0], { granted: limit, wanted: 20 })
      for (let i = 0; i < 5; i++) await inTransaction(database)
    })
  }

  await t.test('LISTEN gets one of those that there are', async (t) => {
    const { database, url } = await openLimited(t, 3)
    await Promise.all(Array.from({ length: 12 }, () => database.query(NAP, [], null)))
    const heard: string[] = []
    await database.listen!('news', (payload) => heard.push(payload))
    await until(async () => {
      await runOnServer(nameOf(url), `SELECT pg_notify('news', 'hello')`)
      return heard.length > 0
    })
    await inTransaction(database)
    t.equal(database.pool.granted, 2)
  })

  await t.test('more connections are used when the server grants them again', async (t) => {
    const { database, role, types, url } = await openLimited(t, 3)
    const burst = () => Promise.all(Array.from({ length: 12 }, () => database.query(NAP, [], null)))
    await burst()
    t.equal(database.pool.granted, 3)
    await runOnServer(nameOf(url), `ALTER ROLE ${role} CONNECTION LIMIT -1`)
    await until(async () => {
      await burst()
      return database.pool.granted === undefined
    }, 30_000)
    t.same(types(), ['connections-refused', 'connections-granted'])
    t.ok(database.pool.active + database.pool.idle > 3)
  })
})

t.test('a database that is read-only, and is not any more', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: 'CREATE TABLE item (id int)' })
  const name = nameOf(url)
  const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND application_name = 'svc'`
  const setReadOnly = async (on: boolean): Promise<void> => {
    const setting = 'default_transaction_read_only'
    await runOnServer('postgres', `ALTER DATABASE ${name} ${on ? `SET ${setting} = on` : `RESET ${setting}`}`)
  }

  await t.test('writes are refused as a database that is away, and go on without a restart', async (t) => {
    const types: Signal['type'][] = []
    const database = await openDatabase(t, url, { onSignal: ({ type }) => types.push(type) })
    await database.query(WRITE, [], null)
    t.equal(database.pool.readOnly, undefined)
    await setReadOnly(true)
    await runOnServer('postgres', end)
    await until(() =>
      database.query(READ, [], null).then(
        () => database.pool.readOnly === true,
        () => false,
      ),
    )
    for (let i = 0; i < 6; i++) {
      await t.rejects(database.query(WRITE, [], null), {
        code: 'SERVICE_UNAVAILABLE',
        retryAfter: 1,
        details: undefined,
      })
      await t.rejects(inTransaction(database), { code: 'SERVICE_UNAVAILABLE', retryAfter: 1 })
      t.match(await database.query(READ, [], null), { rows: [[/^1$/]] }, 'reads go on')
    }
    await setReadOnly(false)
    const writes = () =>
      database.query(WRITE, [], null).then(
        () => true,
        () => false,
      )
    await until(writes)
    for (let i = 0; i < 20; i++) t.same([await writes(), await inTransaction(database)], [true, undefined], 'for good')
    t.equal(database.pool.readOnly, undefined)
    t.same(
      types.filter((type) => type !== 'database-down' && type !== 'database-up'),
      ['database-read-only', 'database-writable'],
    )
  })

  await t.test('it is noticed without a write, too', async (t) => {
    await setReadOnly(true)
    const database = await openDatabase(t, url, { config: { idle_timeout_ms: 200 } })
    await until(() => database.query(READ, [], null).then(() => database.pool.readOnly === true))
    await setReadOnly(false)
    await until(() => database.query(READ, [], null).then(() => database.pool.readOnly === undefined))
  })

  await t.test('a server that becomes a standby says so: its sessions are let go', async (t) => {
    const proxy = await createHostileProxy(t, SERVICES.postgres.host, SERVICES.postgres.port)
    const behind = new URL(url)
    behind.host = `127.0.0.1:${proxy.port}`
    const database = await openDatabase(t, behind.href)
    const pids = async () =>
      (
        await runOnServer(
          name,
          `SELECT pid FROM pg_stat_activity WHERE datname = '${name}' AND application_name = 'svc'`,
        )
      ).map(({ pid }) => pid as number)
    await database.query(WRITE, [], null)
    const before = await pids()
    const status = Buffer.from('in_hot_standby\0on\0')
    const head = Buffer.from([0x53, 0, 0, 0, status.length + 4])
    proxy.change((bytes) => Buffer.concat([head, status, bytes]))
    await Promise.all(Array.from({ length: 8 }, () => database.query(READ, [], null)))
    proxy.heal()
    await until(async () => (await pids()).every((pid) => !before.includes(pid)))
    await database.query(WRITE, [], null)
    t.equal(database.pool.readOnly, undefined)
  })

  await t.test('a transaction that was begun as a read-only one says nothing of the server', async (t) => {
    const database = await openDatabase(t, url)
    const refused = database.transaction((session) => session.query(WRITE, []), { readOnly: true })
    await t.rejects(refused, { code: '25006' })
    t.equal(database.pool.readOnly, undefined)
  })
})

t.test('pool_min and idle_timeout_ms', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t)
  const name = nameOf(url)
  const config = { pool_min: 7, pool_max: 12, idle_timeout_ms: 150 }
  const database = await openDatabase(t, url, { config })
  const count = () => database.pool.active + database.pool.idle
  await until(() => count() === 7)
  await Promise.all(Array.from({ length: 12 }, () => database.query(NAP, [], null)))
  t.ok(count() > 7, 'more where they are needed')
  await until(() => count() === 7)
  await new Promise((resolve) => setTimeout(resolve, 400))
  t.equal(count(), 7, 'those that are kept stay')
  const ended = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND application_name = 'svc'`
  await runOnServer('postgres', ended)
  await until(() => count() < 7)
  await until(() => count() === 7)
})
