import t from 'tap'
import { createCancellable } from '../../helpers/cancellable.ts'
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
  until,
  write,
} from './open-sqlite.ts'

await eachLibrary(t, 'a statement whose caller is gone is stopped', async (t, library) => {
  const folder = await makeFolder(t)
  const database = await open(t, { library, folder, sql: TABLE })
  for (const statement of [read(ENDLESS, 'endless'), write(`INSERT INTO t (b) ${ENDLESS}`)]) {
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
  t.equal(await single(database, "SELECT count(*) FROM t WHERE b = 'new'"), '2')
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
  t.equal(await single(database, 'SELECT count(*) FROM t'), '2000')
  t.ok(
    before.every((pid) => connectionProcesses().includes(pid)),
    'the processes are the same',
  )
})
