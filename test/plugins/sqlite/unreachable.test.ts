import { writeFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { Signal } from '../../../core/doors/plugin.ts'
import { connectionProcesses, eachLibrary, makeFolder, open, single, TABLE, until, write } from './open-sqlite.ts'

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
  // A process that is told to end takes a moment.
  await until(() => connectionProcesses().length === 0)
})

await eachLibrary(t, 'a file that goes away is told of, and comes back', async (t, library) => {
  const folder = await makeFolder(t)
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
  t.equal(await single(database, 'SELECT count(*) FROM t'), '2000')
  t.strictSame(signals, ['database-down', 'database-up'])
})
