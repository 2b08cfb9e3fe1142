import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import {
  connectionProcesses,
  ENDLESS,
  eachLibrary,
  INSERT,
  makeFolder,
  open,
  pause,
  read,
  single,
  spill,
  TABLE,
  write,
} from './open-sqlite.ts'

await eachLibrary(t, 'a process that is killed in the middle of a transaction', async (t, library) => {
  const folder = await makeFolder(t)
  const database = await open(t, { library, folder, sql: TABLE, config: { pool_max: 1 } })
  {
    let victim = 0
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
  t.equal(await single(database, 'SELECT count(*) FROM t'), '2001')
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
  const long = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000) SELECT count(*) FROM n'
  await database.ping()
  const [result] = await Promise.all([database.query(read(long), [], null), kill()])
  t.strictSame(result.rows, [['400000']], 'a read is run once more')
  t.equal(await single(database, 'SELECT count(*) FROM t'), '2000')
})
