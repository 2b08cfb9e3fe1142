import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Session, Signal } from '../../../core/index.ts'
import { createCancellable } from '../../helpers/cancellable.ts'
import {
  connectionProcesses,
  ENDLESS,
  eachLibrary,
  makeFolder,
  open,
  pause,
  read,
  single,
  until,
  write,
} from './open-sqlite.ts'

const TABLE = `CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO t SELECT i, printf('%.*c', 900, 'x') FROM n;`
const INSERT = write("INSERT INTO t (b) VALUES ('new')")

/** So much that pages of the transaction reach the file before it ends. */
async function spill(session: Session): Promise<void> {
  await session.query(write('PRAGMA cache_size = 10'), [])
  await session.query(write("UPDATE t SET b = printf('%.*c', 900, 'y') WHERE a < 4000"), [])
}

await eachLibrary(t, 'a statement whose caller is gone is stopped', async (t, library) => {
  const folder = await makeFolder(t)
  const database = await open(t, { library, folder, sql: TABLE })
  for (const statement of [read(ENDLESS), write(`INSERT INTO t (b) ${ENDLESS}`), read(ENDLESS, 'endless')]) {
    await database.ping()
    const before = new Set(connectionProcesses())
    const cancel = createCancellable()
    const running = database.query(statement, [], cancel)
    running.catch(() => {})
    await pause(50)
    cancel.abort('client')
    await t.rejects(running, { code: 'TIMEOUT', message: /client/ }, 'at once')
    await database.query(INSERT, [], null)
    await until(() => [...before].some((pid) => !connectionProcesses().includes(pid)))
    t.equal(await single(database, 'PRAGMA integrity_check'), 'ok')
  }
  t.equal(await single(database, "SELECT count(*) FROM t WHERE b = 'new'"), '3')
  const cancel = createCancellable()
  const held = database.transaction(
    async (session) => {
      await spill(session)
      await session.query(write(ENDLESS), [])
    },
    { cancel },
  )
  held.catch(() => {})
  await pause(300)
  cancel.abort()
  await t.rejects(held, { code: 'TIMEOUT', message: /deadline/ })
  await database.query(INSERT, [], null)
  t.equal(await single(database, "SELECT count(*) FROM t WHERE b LIKE 'y%'"), '0', 'nothing of it is left')
  t.match(database.pool, { active: 0, waiting: 0, connected: true })
})

await eachLibrary(t, 'a statement that is done in time is not stopped', async (t, library) => {
  const database = await open(t, { library, sql: TABLE })
  await database.ping()
  const before = connectionProcesses()
  for (let i = 0; i < 20; i++) {
    const cancel = createCancellable()
    const running = database.query(read('SELECT count(*) FROM t', 'quick'), [], cancel)
    running.catch(() => {})
    await new Promise(setImmediate)
    if (cancel.onAbort === null) continue
    cancel.abort('client')
    await t.rejects(running, { code: 'TIMEOUT' })
  }
  t.equal(await single(database, 'SELECT count(*) FROM t'), '5000')
  t.ok(
    before.every((pid) => connectionProcesses().includes(pid)),
    'the processes are the same',
  )
})

await eachLibrary(t, 'a process that is killed in the middle of a transaction', async (t, library) => {
  const folder = await makeFolder(t)
  const database = await open(t, { library, folder, sql: TABLE, config: { pool_max: 1 } })
  for (let round = 0; round < 2; round++) {
    let [victim] = [0]
    const broken = database.transaction(async (session) => {
      await spill(session)
      victim = connectionProcesses()[0]!
      process.kill(victim, 'SIGKILL')
      await session.query(INSERT, [])
    }, {})
    await t.rejects(broken, { code: 'SERVICE_UNAVAILABLE', message: /broke/, retryAfter: 1 })
    await database.query(INSERT, [], null)
    t.equal(await single(database, "SELECT count(*) FROM t WHERE b LIKE 'y%'"), '0', 'it is rolled back whole')
    t.equal(await single(database, 'PRAGMA integrity_check'), 'ok')
    t.notSame(connectionProcesses()[0], victim)
  }
  t.equal(await single(database, 'SELECT count(*) FROM t'), '5002')
  t.notOk(existsSync(join(folder, 'test.db.lock')), 'no lock is left')
})

await eachLibrary(t, 'a process that is killed under a statement', async (t, library) => {
  const database = await open(t, { library, sql: TABLE, config: { pool_max: 1 } })
  const kill = async (): Promise<void> => {
    await pause(50)
    for (const pid of connectionProcesses()) process.kill(pid, 'SIGKILL')
  }
  const writes = database.query(write(`INSERT INTO t (b) ${ENDLESS}`), [], null)
  await Promise.all([t.rejects(writes, { code: 'SERVICE_UNAVAILABLE', message: /broke under the statement/ }), kill()])
  const long =
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000000) SELECT count(*) FROM n'
  await database.ping()
  const [result] = await Promise.all([database.query(read(long), [], null), kill()])
  t.strictSame(result.rows, [['2000000']], 'a read is run once more')
  t.equal(await single(database, 'SELECT count(*) FROM t'), '5000')
})

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
  t.equal(cancel.onAbort, null)
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
  t.strictSame(connectionProcesses(), [])
})

await eachLibrary(t, 'idle connections are closed, and opened again', async (t, library) => {
  const database = await open(t, { library, sql: TABLE, config: { pool_min: 0, pool_max: 3, idle_timeout_ms: 50 } })
  await Promise.all(
    Array.from({ length: 6 }, () => database.query(read('SELECT count(*) FROM t, t AS u WHERE t.a < 100'), [], null)),
  )
  await until(() => database.pool.idle === 1)
  t.equal(await single(database, 'SELECT count(*) FROM t'), '5000')
})

await eachLibrary(t, 'a file that cannot be opened', async (t, library) => {
  const folder = await makeFolder(t)
  writeFileSync(join(folder, 'text.db'), 'this is no database, whatever its name says'.repeat(100))
  await t.rejects(open(t, { library, folder, url: 'sqlite:text.db' }), {
    code: 'SVC_DATABASE_UNREACHABLE',
    message: /text\.db cannot be opened: file is not a database/,
  })
  writeFileSync(join(folder, 'file'), '')
  await t.rejects(open(t, { library, folder, url: 'sqlite:file/x.db' }), { code: 'SVC_DATABASE_UNREACHABLE' })
  await t.rejects(open(t, { library, folder, url: 'sqlite:' }), { code: 'SVC_CONFIG_INVALID' })
  t.strictSame(connectionProcesses(), [])
})

await eachLibrary(t, 'a file that goes away is told of, and comes back', async (t, library) => {
  const folder = await makeFolder(t)
  const { rename } = await import('node:fs/promises')
  const signals: Signal['type'][] = []
  const options = { library, folder, url: 'sqlite:sub/x.db', sql: TABLE, config: { pool_max: 1 } }
  const database = await open(t, { ...options, onSignal: ({ type }) => signals.push(type) })
  await rename(join(folder, 'sub'), join(folder, 'gone'))
  for (const pid of connectionProcesses()) process.kill(pid, 'SIGKILL')
  await until(() => signals.includes('database-down'))
  await t.rejects(database.query(write('SELECT 1'), [], null), {
    code: 'SERVICE_UNAVAILABLE',
    message: /cannot be opened/,
  })
  await rename(join(folder, 'gone'), join(folder, 'sub'))
  t.equal(await single(database, 'SELECT count(*) FROM t'), '5000')
  t.strictSame(signals, ['database-down', 'database-up'])
})
