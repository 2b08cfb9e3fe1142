import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { Cancellable } from '../../../core/doors/driver.ts'
import type { Database, Signal, Statement } from '../../../core/doors/plugin.ts'
import { createCancellable } from '../../helpers/cancellable.ts'
import { createPostgresDatabase, openDatabase, postgresUrl, runOnServer } from '../../helpers/databases.ts'
import { requireService, SERVICES } from '../../helpers/services.ts'
import { createTcpProxy } from '../../helpers/tcp-proxy.ts'
import { until } from '../driver-suite.ts'

const READ = { name: 'read', text: 'SELECT 1', readOnly: true }
const WRITE = { name: 'write', text: 'SELECT 1' }

const KILL_OTHERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'svc'`

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1)
}

function answers(database: Database): Promise<boolean> {
  return database.query(READ, [], null).then(
    () => true,
    () => false,
  )
}

/** The deadline that each request has. */
function soon(): Cancellable {
  const cancel = createCancellable()
  setTimeout(() => cancel.abort(), 500).unref()
  return cancel
}

function answersSoon(database: Database): Promise<boolean> {
  return database.query(READ, [], soon()).then(
    () => true,
    () => false,
  )
}

t.test('recovery', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const { host, port } = SERVICES.postgres

  await t.test('bytes that are not of the protocol end their connection, and nothing else', async (t) => {
    const url = new URL(await createPostgresDatabase(t))
    const proxy = await createTcpProxy(t, host, port)
    url.host = `127.0.0.1:${proxy.port}`
    const database = await openDatabase(t, url.href)
    const header = (type: string, size: number): Buffer => {
      const bytes = Buffer.alloc(5, type)
      bytes.writeUInt32BE(size, 1)
      return bytes
    }
    const row = (columns: number, ...rest: readonly number[]): Buffer =>
      Buffer.concat([header('D', 6 + rest.length), Buffer.from([columns >> 8, columns & 255, ...rest])])
    for (const [name, bytes] of Object.entries({
      'a page of a proxy': Buffer.from('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n'),
      zeros: Buffer.alloc(4096),
      'the highest bytes': Buffer.alloc(4096, 255),
      'an answer to no question': Buffer.concat([header('Z', 5), Buffer.from('I')]),
      'a row of no statement': row(1, 0, 0, 0, 1, 65),
      'a row whose column is longer than the row': row(1, 127, 255, 255, 255, 65),
      'an error without fields': Buffer.concat([header('E', 5), Buffer.from([0])]),
      'an authentication request': Buffer.concat([header('R', 8), Buffer.from([0, 0, 0, 99])]),
    })) {
      const meets = async (statement: Statement): Promise<void> => {
        await until(() => answersSoon(database), 20_000)
        const running = database.query(statement, [], soon()).catch(() => {})
        await sleep(30)
        proxy.inject(bytes)
        await running
      }
      await meets(READ)
      await meets({ ...READ, name: 'nap', text: 'SELECT pg_sleep(0.1)' })
      await meets({ ...WRITE, name: 'long', text: 'SELECT pg_sleep(0.1)' })
      await until(() => answersSoon(database), 20_000)
      t.pass(name)
    }
  })

  await t.test('a server that is down at boot, comes, goes and comes back', async (t) => {
    const url = new URL(await createPostgresDatabase(t))
    const proxy = await createTcpProxy(t, host, port)
    await proxy.cut()
    url.host = `127.0.0.1:${proxy.port}`
    const signals: Signal['type'][] = []
    const database = await openDatabase(t, url.href, { onSignal: (signal) => signals.push(signal.type) })
    const started = performance.now()
    await t.rejects(database.query(READ, [], null), { code: 'SERVICE_UNAVAILABLE', status: 503, retryAfter: 1 })
    await t.rejects(
      database.transaction(async () => {}, {}),
      { code: 'SERVICE_UNAVAILABLE', retryAfter: 1 },
    )
    await t.rejects(database.ping(), { code: 'SERVICE_UNAVAILABLE' })
    await t.rejects(database.catalog({ relations: ['x'], functions: [] }), { code: 'SERVICE_UNAVAILABLE' })
    await t.rejects(
      database.listen!('c', () => {}),
      { code: 'SERVICE_UNAVAILABLE' },
    )
    t.ok(performance.now() - started < 3000, 'at once')
    t.strictSame(signals, ['database-down'])
    t.equal(database.pool.connected, false)

    await proxy.mend()
    await until(() => answers(database))
    t.strictSame(signals, ['database-down', 'database-up'])
    t.equal(await database.transaction(async (session) => (await session.query(WRITE, [])).rows[0]![0], {}), '1')

    const heard: string[] = []
    await database.listen!('news', (payload) => heard.push(payload))

    await proxy.cut()
    await until(async () => !(await answers(database)))
    await until(() => signals.length === 3)
    const failed = performance.now()
    for (let i = 0; i < 20; i++) await t.rejects(database.query(WRITE, [], null), { code: 'SERVICE_UNAVAILABLE' })
    t.ok(performance.now() - failed < 3000, 'at once')

    await proxy.mend()
    await until(() => answers(database))
    t.strictSame(signals, ['database-down', 'database-up', 'database-down', 'database-up'])
    await until(async () => {
      await runOnServer(nameOf(url.href), `SELECT pg_notify('news', 'again')`)
      return heard.length > 0
    })
  })

  await t.test('connections that the server ends during reads: clients see no error', async (t) => {
    const url = await createPostgresDatabase(t)
    const database = await openDatabase(t, url)
    await database.ping()
    let stop = false
    const failures: unknown[] = []
    let done = 0
    const clients = Array.from({ length: 16 }, async () => {
      while (!stop) {
        await database.query({ name: 'r', text: 'SELECT pg_sleep(0.001)', readOnly: true }, [], null).then(
          () => done++,
          (error) => failures.push(error),
        )
      }
    })
    for (let round = 0; round < 5; round++) {
      await new Promise((resolve) => setTimeout(resolve, 60))
      // One after the other, so that there is another connection to go to.
      const pids = await runOnServer(
        nameOf(url),
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'svc' LIMIT 1`,
      )
      for (const { pid } of pids) await runOnServer(nameOf(url), `SELECT pg_terminate_backend(${pid})`)
    }
    stop = true
    await Promise.all(clients)
    t.strictSame(failures, [])
    t.ok(done > 100)
  })

  await t.test('a write is not repeated; it and its transaction fail with 503', async (t) => {
    const url = await createPostgresDatabase(t)
    const database = await openDatabase(t, url)
    await database.ping()
    const slowWrite = database.query({ name: 'slow_write', text: 'SELECT pg_sleep(30)' }, [], null)
    const inTransaction = database.transaction(async (session) => {
      await session.query(WRITE, [])
      await session.query({ name: null, text: 'SELECT pg_sleep(30)' }, [])
    }, {})
    const swallowed = database.transaction(async (session) => {
      await session.query(WRITE, [])
      await session.query({ name: null, text: 'SELECT pg_sleep(30)' }, []).catch(() => {})
      await t.rejects(session.query(WRITE, []), { code: 'SERVICE_UNAVAILABLE' })
    }, {})
    for (const promise of [slowWrite, inTransaction, swallowed]) promise.catch(() => {})
    const asleep = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`
    await until(async () => (await runOnServer(nameOf(url), asleep))[0]?.n === 3)
    await runOnServer(nameOf(url), KILL_OTHERS)
    await t.rejects(slowWrite, { code: 'SERVICE_UNAVAILABLE', retryAfter: 1 })
    await t.rejects(inTransaction, { code: 'SERVICE_UNAVAILABLE' })
    await t.rejects(swallowed, { code: 'SERVICE_UNAVAILABLE', message: /not known/ })
    await until(() => answers(database))
    t.equal(await database.transaction(async (session) => (await session.query(WRITE, [])).rows[0]![0], {}), '1')
  })

  await t.test('a read that ends its connection is not tried for ever', async (t) => {
    const url = await createPostgresDatabase(t, { sql: 'CREATE SEQUENCE runs' })
    const database = await openDatabase(t, url)
    const text = `SELECT nextval('runs'), pg_terminate_backend(pg_backend_pid())`
    await t.rejects(database.query({ name: 'ends', text, readOnly: true }, [], null), { code: 'SERVICE_UNAVAILABLE' })
    t.strictSame(await runOnServer(nameOf(url), 'SELECT last_value::int AS runs FROM runs'), [{ runs: 2 }])
    await until(() => answers(database))
  })

  await t.test('idle connections that the server ended are replaced', async (t) => {
    const url = await createPostgresDatabase(t)
    const database = await openDatabase(t, url, { config: { pool_max: 4 } })
    await database.transaction(async (session) => session.query(WRITE, []), {})
    await runOnServer(nameOf(url), KILL_OTHERS)
    await until(() => answers(database))
    for (let i = 0; i < 5; i++) await database.transaction(async (session) => session.query(WRITE, []), {})
    t.pass('no error')
  })

  await t.test('a database that does not exist, a password that is wrong', async (t) => {
    const database = await openDatabase(t, postgresUrl('svc_test_does_not_exist'))
    const error = await database.query(READ, [], null).catch((failure) => failure)
    t.match(error, {
      code: 'SERVICE_UNAVAILABLE',
      message: 'The database cannot be reached.',
      cause: { code: '3D000' },
    })
  })

  await t.test('a server that says nothing any more', async (t) => {
    const url = new URL(await createPostgresDatabase(t))
    const proxy = await createTcpProxy(t, host, port)
    url.host = `127.0.0.1:${proxy.port}`
    const database = await openDatabase(t, url.href, { config: { connect_timeout_ms: 300, pool_max: 1, pool_min: 0 } })
    await database.ping()
    proxy.freeze()
    const cancel = createCancellable()
    const lost = database.query(WRITE, [], cancel)
    const started = performance.now()
    await t.rejects(database.query(READ, [], null), { code: 'SERVICE_UNAVAILABLE', message: /free in time/ })
    t.ok(performance.now() - started < 3000, 'not much longer than the connect timeout')
    cancel.abort()
    await t.rejects(lost, { code: 'TIMEOUT' })
    await until(() => !database.pool.connected, 8000)
    await t.rejects(database.query(READ, [], null), { code: 'SERVICE_UNAVAILABLE' })
    proxy.thaw()
    await until(() => answers(database))
  })
})
