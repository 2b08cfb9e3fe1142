import { join } from 'node:path'
import t from 'tap'
import { ChildConnection } from '../../../plugins/sqlite/child-connection.ts'
import { chooseLibrary } from '../../../plugins/sqlite/driver.ts'
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
  const folder = await makeFolder(t)
  const wasm = await chooseLibrary(folder, library)
  const options = { file: join(folder, 'x.db'), wasm, reads: false, keepsMode: false, busyMs: 1000, functions: folder }
  const connection = await ChildConnection.open(options, 0, 60_000)
  t.teardown(() => connection.close())
  const { pid } = connection
  const long = ENDLESS.replace('FROM n)', 'FROM n WHERE i < 300000)')
  const run = {
    op: 'run',
    name: null,
    text: long,
    parameters: [],
    readOnly: true,
    begin: null,
    settings: [],
    maxBytes: 0,
  } as const
  const cancel = createCancellable()
  const running = connection.request(run, cancel)
  cancel.abort('client')
  await t.rejects(running, { code: 'TIMEOUT' }, 'its caller hears at once')
  let quiet = false
  const becameQuiet = new Promise<void>((resolve) => connection.onQuiet(resolve)).then(() => (quiet = true))
  t.equal(quiet, false, 'and it still runs')
  await becameQuiet
  t.strictSame((await connection.request(run)).rows, [['300000']])
  t.equal(connection.pid, pid)
  t.equal(connection.broken, false)
})
