import t from 'tap'
import { SvcError } from '../../../core/base/errors/svc-error.ts'
import { createPostgresDatabase, openDatabase } from '../../helpers/databases.ts'
import { requireService } from '../../helpers/services.ts'
import { until } from '../driver-suite.ts'

const SLEEP = { name: 'sleep', text: 'SELECT pg_sleep(0.4)' }
const SOME = { name: 'some', text: 'SELECT pg_sleep(0.004)', readOnly: true }
const TINY = { name: 'tiny', text: 'SELECT 1' }

t.test('sessions and lanes', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t)

  await t.test('no free connection in time: 503 with Retry-After, and the queue is bounded', async (t) => {
    const database = await openDatabase(t, url, { config: { pool_max: 1, pool_min: 0, connect_timeout_ms: 1000 } })
    const finish: (() => void)[] = []
    const holds = database.transaction(() => new Promise<void>((resolve) => finish.push(resolve)), {})
    await until(() => finish.length === 1)
    const started = performance.now()
    const waiting = Array.from({ length: 150 }, () => database.query(TINY, [], null).catch((error) => error))
    const refused = await Promise.race(waiting)
    t.match(refused, { code: 'SERVICE_UNAVAILABLE', retryAfter: 1, message: /Too many/ })
    t.ok(performance.now() - started < 900, 'those beyond the bound are refused at once')
    const errors = await Promise.all(waiting)
    t.ok(errors.every((error) => error.code === 'SERVICE_UNAVAILABLE'))
    t.equal(errors.filter((error) => /free in time/.test(error.message)).length, 100)
    for (const done of finish) done()
    await holds
    t.strictSame((await database.query(TINY, [], null)).rows, [['1']])
  })

  await t.test('everyone who waits in time gets a turn', async (t) => {
    const database = await openDatabase(t, url, { config: { pool_max: 2, pool_min: 0 } })
    const pids = await Promise.all(
      Array.from({ length: 40 }, () =>
        database.transaction(
          async (session) => (await session.query({ name: 'pid', text: 'SELECT pg_backend_pid()' }, [])).rows[0]![0],
          {},
        ),
      ),
    )
    t.equal(pids.length, 40)
    t.equal(new Set(pids).size, 1, 'on the one session there may be')
  })

  await t.test('slow statements do not hold up small ones', async (t) => {
    const database = await openDatabase(t, url)
    await database.ping()
    // The driver learns what is slow.
    for (let i = 0; i < 3; i++) await database.query(SLEEP, [], null)
    const slow = Array.from({ length: 12 }, () => database.query(SLEEP, [], null))
    let late = 0
    for (let i = 0; i < 50; i++) {
      const started = performance.now()
      await Promise.all(Array.from({ length: 8 }, () => database.query(TINY, [], null)))
      if (performance.now() - started > 350) late++
    }
    t.ok(late <= 2, `${late} of 50 took as long as a slow one`)
    await Promise.all(slow)
  })

  await t.test('a lane that turns out to be stuck gets no more', async (t) => {
    const database = await openDatabase(t, url)
    await database.ping()
    const slow = [1, 2, 3].map((i) => database.query({ name: `new_${i}`, text: 'SELECT pg_sleep(1)' }, [], null))
    await new Promise((resolve) => setTimeout(resolve, 30))
    let late = 0
    for (let i = 0; i < 30; i++) {
      const started = performance.now()
      await Promise.all(Array.from({ length: 8 }, () => database.query(TINY, [], null)))
      if (performance.now() - started > 500) late++
    }
    t.ok(late <= 2, `${late} of 30 stood behind a slow one`)
    await Promise.all(slow)
  })

  await t.test('a waiting statement uses the first free connection', async (t) => {
    const database = await openDatabase(t, url)
    for (let i = 0; i < 10; i++) await database.query(SOME, [], null)
    const slow = database.query({ name: 'unknown', text: 'SELECT pg_sleep(1.5)' }, [], null)
    const took = await Promise.all(
      Array.from({ length: 80 }, async () => {
        const started = performance.now()
        await database.query(SOME, [], null)
        return performance.now() - started
      }),
    )
    const late = took.filter((ms) => ms > 1200).length
    t.ok(late <= 3, `${late} of 80 stood behind the slow one`)
    await slow
  })

  await t.test('a closing database serves the statements that wait', async (t) => {
    const database = await openDatabase(t, url, { config: { connect_timeout_ms: 1500 } })
    for (let i = 0; i < 10; i++) await database.query(SOME, [], null)
    const started = performance.now()
    const settled = await Promise.all(
      Array.from({ length: 8000 }, () => database.query(SOME, [], null).catch((error) => error)),
    )
    t.ok(performance.now() - started < 15_000)
    const refused = settled.filter((one) => one instanceof SvcError)
    t.ok(refused.length > 0 && refused.length < 8000, `${refused.length} of 8000 are refused`)
    t.ok(
      refused.every(({ code, retryAfter }) => code === 'SERVICE_UNAVAILABLE' && retryAfter === 1),
      'with 503 and Retry-After',
    )
    t.equal(database.pool.waiting, 0)
    const last = Array.from({ length: 30 }, () => database.query(SOME, [], null))
    const closed = database.close()
    await t.rejects(database.query(SOME, [], null), { code: 'SERVICE_UNAVAILABLE', message: /closing/ })
    t.equal((await Promise.all(last)).length, 30)
    await closed
  })

  await t.test('a statement that changes its queue does not wait longer', async (t) => {
    const database = await openDatabase(t, url, { config: { pool_max: 4, connect_timeout_ms: 1000 } })
    await database.ping()
    const nap = { name: 'long nap', text: 'SELECT pg_sleep(2.5)', readOnly: true }
    const refused = await Promise.all(
      Array.from({ length: 24 }, async (_, i) => {
        await new Promise((resolve) => setTimeout(resolve, i * 5))
        const started = performance.now()
        return database.query(nap, [], null).then(
          () => 0,
          () => performance.now() - started,
        )
      }),
    )
    const last = Math.max(...refused)
    t.ok(last > 990 && last < 2400, `the last one is refused after ${last.toFixed(0)} ms`)
  })

  await t.test('answers that wait for a busy process do not make their statement slow', async (t) => {
    const database = await openDatabase(t, url, { config: { pool_max: 10, pool_min: 0 } })
    await database.ping()
    // Another one each time: on a busy machine the server itself may take long once.
    const stays = async (attempt: number): Promise<boolean> => {
      const statement = { name: `pid_${attempt}`, text: `SELECT pg_backend_pid(), ${attempt}` }
      const ask = async (times: number) =>
        (await Promise.all(Array.from({ length: times }, () => database.query(statement, [], null)))).map(
          ({ rows }) => rows[0]![0],
        )
      const shared = new Set(await ask(40))
      const lying = ask(8)
      const busyUntil = performance.now() + 80
      while (performance.now() < busyUntil);
      await lying
      return (await ask(40)).every((pid) => shared.has(pid))
    }
    let held = false
    for (let attempt = 1; attempt <= 8 && !held; attempt++) held = await stays(attempt)
    t.ok(held, 'all on the connections that are shared')
  })

  await t.test('idle sessions are closed, down to the minimum', async (t) => {
    const database = await openDatabase(t, url, { config: { pool_max: 10, pool_min: 5, idle_timeout_ms: 1000 } })
    await Promise.all(
      Array.from({ length: 6 }, () => database.transaction(async (session) => session.query(SLEEP, []), {})),
    )
    await until(() => database.pool.active === 0)
    t.ok(database.pool.idle > 5, `${database.pool.idle} are idle`)
    await until(() => database.pool.idle === 5)
    await new Promise((resolve) => setTimeout(resolve, 600))
    t.equal(database.pool.idle, 5)
  })

  await t.test('closing waits for what is in flight', async (t) => {
    const database = await openDatabase(t, url)
    const statement = database.query(SLEEP, [], null)
    const transaction = database.transaction(async (session) => {
      await session.query(TINY, [])
      await session.query(SLEEP, [])
      return 'committed'
    }, {})
    await until(() => database.pool.active === 2)
    const closed = database.close()
    await t.rejects(database.query(TINY, [], null), { code: 'SERVICE_UNAVAILABLE' })
    t.match(await statement, { rows: [['']] })
    t.equal(await transaction, 'committed')
    await closed
    t.equal(database.pool.connected, false)
  })
})
