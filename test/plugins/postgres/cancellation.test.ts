import t from 'tap'
import { createCancellable } from '../../helpers/cancellable.ts'
import { createPostgresDatabase, openDatabase } from '../../helpers/databases.ts'
import { requireService, type TestLike } from '../../helpers/services.ts'
import { until } from '../driver-suite.ts'

const SLEEP = { name: 'sleep', text: 'SELECT pg_sleep($1::float8)' }
const TINY = { name: 'tiny', text: 'SELECT $1::int' }

async function setUp(t: TestLike, pool_max = 20) {
  const url = await createPostgresDatabase(t, { sql: 'CREATE TABLE done (n int)' })
  const database = await openDatabase(t, url, { config: { pool_max } })
  const watcher = await openDatabase(t, url, { config: { pool_max: 1, pool_min: 0 } })
  /** Statements of the database under test that the server is at. */
  async function running(text: string): Promise<number> {
    const sql = `SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND datname = current_database()
      AND pid <> pg_backend_pid() AND query LIKE $1`
    const { rows } = await watcher.query({ name: null, text: sql }, [`%${text}%`], null)
    return Number(rows[0]![0])
  }
  return { database, running }
}

t.test('cancellation', async (t) => {
  if (!(await requireService(t, 'postgres'))) return

  await t.test('a statement that runs is cancelled on the server, and its caller hears so at once', async (t) => {
    const { database, running } = await setUp(t)
    await database.ping()
    const cancel = createCancellable()
    const started = performance.now()
    const result = database.query(SLEEP, ['30'], cancel)
    await until(async () => (await running('pg_sleep')) === 1)
    cancel.abort()
    await t.rejects(result, { code: 'TIMEOUT', status: 504 })
    t.ok(performance.now() - started < 5000)
    t.notOk(cancel.isWatched)
    await until(async () => (await running('pg_sleep')) === 0)
  })

  await t.test('all statements of one request are cancelled, in a transaction and out of one', async (t) => {
    const { database, running } = await setUp(t)
    await database.ping()
    const cancel = createCancellable()
    const slow = [1, 2].map((nr) => database.query({ name: `sleep_${nr}`, text: SLEEP.text }, ['30'], cancel))
    const work = database.transaction((session) => session.query(SLEEP, ['30']), { cancel })
    await database.query(TINY, ['1'], cancel)
    await until(async () => (await running('pg_sleep')) === 3)
    cancel.abort('client')
    for (const each of [...slow, work]) await t.rejects(each, { code: 'TIMEOUT', details: { abortedBy: 'client' } })
    t.notOk(cancel.isWatched)
    await until(async () => (await running('pg_sleep')) === 0)
  })

  await t.test('two that stand on one connection and are given up: both are cancelled', async (t) => {
    const { database, running } = await setUp(t, 2)
    // Known to be quick, so that they share the one connection that there is for such.
    for (let i = 0; i < 10; i++) await Promise.all([0, 0].map((s) => database.query(SLEEP, [String(s)], null)))
    const cancel = createCancellable()
    const both = [database.query(SLEEP, ['30'], cancel), database.query(SLEEP, ['30'], cancel)]
    for (const each of both) each.catch(() => {})
    await until(async () => (await running('pg_sleep')) > 0)
    cancel.abort()
    for (const each of both) await t.rejects(each, { code: 'TIMEOUT' })
    await until(async () => (await running('pg_sleep')) === 0)
    t.strictSame((await database.query(TINY, ['1'], null)).rows, [['1']])
    await new Promise((resolve) => setTimeout(resolve, 50))
    t.equal(await running('pg_sleep'), 0, 'the one behind did not begin')
  })

  await t.test('a statement behind a cancelled one on its connection gets the right result', async (t) => {
    // Two connections: one lane, one session, so that all share the lane.
    const { database } = await setUp(t, 2)
    await database.ping()
    for (let round = 0; round < 20; round++) {
      const cancel = createCancellable()
      const slow = database
        .query({ name: `sleep_${round}`, text: SLEEP.text }, ['5'], cancel)
        .catch((error) => error.code)
      const behind = Promise.all(
        Array.from({ length: 20 }, (_, i) => database.query(TINY, [String(i)], null).then(({ rows }) => rows[0]![0])),
      )
      setTimeout(() => cancel.abort('client'), round)
      t.equal(await slow, 'TIMEOUT')
      t.strictSame(
        await behind,
        Array.from({ length: 20 }, (_, i) => String(i)),
      )
    }
  })

  await t.test('a storm of aborts: whatever was not aborted comes out right, and nothing runs twice', async (t) => {
    const { database } = await setUp(t)
    await database.ping()
    const write = { name: 'write', text: 'INSERT INTO done SELECT $1::int FROM pg_sleep(0.002)' }
    const outcomes = await Promise.all(
      Array.from({ length: 300 }, async (_, i) => {
        const cancel = createCancellable()
        const aborts = i % 3 === 0
        if (aborts) setTimeout(() => cancel.abort(), Math.random() * 300)
        const code = await database.query(write, [String(i)], cancel).then(
          () => 'ok',
          (error) => error.code,
        )
        return { i, aborts, code }
      }),
    )
    t.strictSame(
      outcomes.filter(({ aborts, code }) => !aborts && code !== 'ok'),
      [],
    )
    t.ok(outcomes.every(({ code }) => code === 'ok' || code === 'TIMEOUT'))
    const { rows } = await database.query({ name: null, text: 'SELECT n, count(*) FROM done GROUP BY n' }, [], null)
    t.ok(
      rows.every((row) => row[1] === '1'),
      'each at most once',
    )
    const written = new Set(rows.map((row) => Number(row[0])))
    t.ok(
      outcomes.every(({ i, code }) => code !== 'ok' || written.has(i)),
      'each that said so',
    )
  })

  await t.test('a transaction is rolled back, also in the middle of a statement', async (t) => {
    const { database, running } = await setUp(t)
    const cancel = createCancellable()
    const result = database.transaction(
      async (session) => {
        await session.query({ name: null, text: 'INSERT INTO done VALUES (1)' }, [])
        await session.query(SLEEP, ['30'])
      },
      { cancel },
    )
    await until(async () => (await running('pg_sleep')) === 1)
    const aborted = performance.now()
    cancel.abort('client')
    await t.rejects(result, { code: 'TIMEOUT', message: /client/ })
    t.ok(performance.now() - aborted < 10_000, 'of 30 s')
    await until(async () => (await running('pg_sleep')) === 0)
    await until(() => database.pool.active === 0)
    t.strictSame((await database.query({ name: null, text: 'SELECT * FROM done' }, [], null)).rows, [])
  })

  await t.test('a stream ends when its request is aborted', async (t) => {
    const { database } = await setUp(t)
    const cancel = createCancellable()
    const stream = database.stream({ name: null, text: 'SELECT generate_series(1, 100)' }, [], {
      cancel,
      batchSize: 10,
    })
    const batches = stream[Symbol.asyncIterator]()
    await batches.next()
    cancel.abort()
    await t.rejects(batches.next(), { code: 'TIMEOUT' })
    await until(() => database.pool.active === 0)
  })

  await t.test('a cancelled statement stops waiting for a connection', async (t) => {
    const { database } = await setUp(t, 1)
    let finish = () => {}
    const holds = database.transaction(() => new Promise<void>((resolve) => (finish = resolve)), {})
    await until(() => database.pool.active === 1)
    const cancel = createCancellable()
    const waits = database.query(TINY, ['1'], cancel)
    const other = createCancellable()
    const waitsToo = database.transaction(async () => {}, { cancel: other })
    await until(() => database.pool.waiting === 2)
    cancel.abort()
    other.abort()
    await t.rejects(waits, { code: 'TIMEOUT' })
    await t.rejects(waitsToo, { code: 'TIMEOUT' })
    t.equal(database.pool.waiting, 0)
    finish()
    await holds
  })
})
