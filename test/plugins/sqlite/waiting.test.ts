import t from 'tap'
import { createCancellable } from '../../helpers/cancellable.ts'
import { connectionProcesses, eachLibrary, INSERT, open, pause, read, single, TABLE, until } from './open-sqlite.ts'

await eachLibrary(t, 'waiting for a connection has an end', async (t, library) => {
  const database = await open(t, { library, sql: TABLE, config: { pool_max: 1, connect_timeout_ms: 200 } })
  let finish = (): void => {}
  const holds = database.transaction(() => new Promise<void>((resolve) => (finish = resolve)), {})
  await pause(10)
  const cancel = createCancellable()
  const aborted = database.query(INSERT, [], cancel)
  const late = database.query(INSERT, [], null)
  await pause(10)
  t.match(database.pool, { active: 1, idle: 0, waiting: 2 })
  cancel.abort('client')
  await t.rejects(aborted, { code: 'TIMEOUT', message: /client/ })
  t.notOk(cancel.isWatched)
  await t.rejects(late, { code: 'SERVICE_UNAVAILABLE', retryAfter: 1, message: /free in time/ })
  const crowd = Array.from({ length: 210 }, () => database.query(INSERT, [], null).catch((error) => error.message))
  t.match(await Promise.race(crowd), /Too many/)
  await Promise.all(crowd)
  const inTime = database.query(INSERT, [], null)
  finish()
  await holds
  await inTime
  const closing = database.transaction(async (session) => {
    await pause(20)
    return (await session.query(read('SELECT 1'), [])).rows
  }, {})
  await pause(5)
  const closed = database.close()
  await t.rejects(database.ping(), { code: 'SERVICE_UNAVAILABLE' })
  t.strictSame(await closing, [['1']], 'what is in flight finishes')
  await closed
  // A process ends a moment after its signal.
  await until(() => connectionProcesses().length === 0)
})

await eachLibrary(t, 'idle connections are closed, and opened again', async (t, library) => {
  const database = await open(t, { library, sql: TABLE, config: { pool_min: 0, pool_max: 3, idle_timeout_ms: 50 } })
  await Promise.all(
    Array.from({ length: 6 }, () => database.query(read('SELECT count(*) FROM t, t AS u WHERE t.a < 10'), [], null)),
  )
  await until(() => database.pool.idle === 1)
  t.equal(await single(database, 'SELECT count(*) FROM t'), '2000')
})
