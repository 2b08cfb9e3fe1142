import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { dataFolderExists, readDataFolder } from '../../../plugins/pglite/engine/data-folder.ts'
import { lockFolder } from '../../../plugins/pglite/folder-lock.ts'
import { createCancellable } from '../../helpers/cancellable.ts'
import { createPglite, openDatabase } from '../../helpers/databases.ts'

// Engines are opened one after the other, on a machine that does other things too.
t.setTimeout(600_000)

const ONE = { name: 'one', text: 'SELECT 1' }

t.test('data folders of URLs', async (t) => {
  t.equal(readDataFolder('pglite:.svc/data', '/srv/shop'), '/srv/shop/.svc/data')
  t.equal(readDataFolder('pglite:/var/data', '/srv/shop'), '/var/data')
  t.equal(readDataFolder('pglite:///var/data', '/srv/shop'), '/var/data')
  t.equal(readDataFolder('pglite://data', '/srv/shop'), '/srv/shop/data')
  t.equal(readDataFolder('pglite:a%20b', '/srv'), '/srv/a b')
  t.equal(readDataFolder('pglite:100%/data', '/srv'), '/srv/100%/data')
  t.equal(readDataFolder('pglite:memory', '/srv/shop'), null)
  t.throws(() => readDataFolder('pglite:', '/srv/shop'), { code: 'SVC_CONFIG_INVALID', message: /pglite:\.svc\/data/ })
})

t.test('whether it exists', async (t) => {
  const url = await createPglite(t)
  t.equal(await dataFolderExists(readDataFolder(url, '/')), true)
  t.equal(await dataFolderExists(t.testdir({})), false)
  t.equal(await dataFolderExists(null), false)
})

t.test('the folder has one owner', async (t) => {
  const folder = join(t.testdir({}), 'data')
  const lock = join(folder, 'svc.lock')

  await t.test('this process', async (t) => {
    const unlock = await lockFolder(folder)
    t.equal(JSON.parse(readFileSync(lock, 'utf8')).pid, process.pid)
    await t.rejects(lockFolder(folder), { code: 'SVC_DATABASE_UNREACHABLE', message: /this process already/ })
    await unlock()
    t.notOk(existsSync(lock))
  })

  await t.test('another process, until it ends', async (t) => {
    const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'])
    t.teardown(() => other.kill('SIGKILL'))
    writeFileSync(lock, JSON.stringify({ pid: other.pid, started: null }))
    const error: Error = await lockFolder(folder).then(
      () => t.fail('locked') as never,
      (failure) => failure,
    )
    t.match(error, { code: 'SVC_DATABASE_UNREACHABLE' })
    t.ok(error.message.includes(`process ${other.pid}`) && error.message.includes(lock), error.message)
    other.kill('SIGKILL')
    await once(other, 'exit')
    await (await lockFolder(folder))()
  })

  await t.test('a lock that means nothing any more is taken over', async (t) => {
    for (const text of [
      JSON.stringify({ pid: process.pid, started: null }),
      JSON.stringify({ pid: process.ppid, started: 'another life' }),
      '',
      '{"pid":"x"}',
    ]) {
      writeFileSync(lock, text)
      const unlock = await lockFolder(folder)
      await unlock()
    }
    t.notOk(existsSync(lock))
  })

  await t.test('a folder that cannot be', async (t) => {
    const blocked = t.testdir({ file: 'x' })
    await t.rejects(openDatabase(t, `pglite:${blocked}/file`), { code: 'SVC_DATABASE_UNREACHABLE' })
    const notADatabase = t.testdir({ PG_VERSION: 'x', base: {} })
    await t.rejects(openDatabase(t, `pglite:${notADatabase}`), { code: 'SVC_DATABASE_UNREACHABLE', cause: Error })
    t.notOk(existsSync(join(notADatabase, 'svc.lock')), 'and it is not left locked')
  })
})

t.test('data stays in the folder, and goes with the memory', async (t) => {
  const url = await createPglite(t)
  const first = await openDatabase(t, url)
  await first.script('CREATE TABLE kept (a int); INSERT INTO kept VALUES (7)')
  await t.rejects(openDatabase(t, url), { code: 'SVC_DATABASE_UNREACHABLE' })
  await first.close()
  const second = await openDatabase(t, url)
  t.strictSame((await second.query({ name: null, text: 'SELECT a FROM kept' }, [], null)).rows, [['7']])
  await second.close()

  const memory = await openDatabase(t, 'pglite:memory')
  await t.rejects(memory.script('CREATE TABLE a (b int);\nCOPY public.a (b) FROM stdin;\n1\n\\.\n'), {
    code: 'DATABASE_ERROR',
    message: /--inserts/,
  })
  await t.rejects(memory.query({ name: null, text: 'SELECT \0' }, [], null), { name: 'TypeError' })
  t.strictSame((await memory.query(ONE, [], null)).rows, [['1']])
})

t.test('one session: statements wait for their turn, up to the timeout', async (t) => {
  const url = await createPglite(t)
  const database = await openDatabase(t, url, { config: { connect_timeout_ms: 150 } })
  let finish = () => {}
  const holds = database.transaction(() => new Promise<void>((resolve) => (finish = resolve)), {})
  const cancel = createCancellable()
  const gone = createCancellable()
  const aborted = database.query(ONE, [], cancel)
  const left = database.query(ONE, [], gone)
  const late = database.query(ONE, [], null)
  t.match(database.pool, { active: 1, waiting: 3 })
  cancel.abort()
  gone.abort('client')
  await t.rejects(aborted, { code: 'TIMEOUT', message: /deadline/ })
  await t.rejects(left, { code: 'TIMEOUT', message: /client/ })
  t.notOk(cancel.isWatched)
  await t.rejects(late, { code: 'SERVICE_UNAVAILABLE', retryAfter: 1 })
  const crowd = Array.from({ length: 1005 }, () => database.query(ONE, [], null).catch((error) => error.message))
  t.match(await Promise.race(crowd), /Too many/)
  await Promise.all(crowd)
  const inTime = Promise.all(Array.from({ length: 5 }, () => database.query(ONE, [], null)))
  finish()
  await holds
  t.equal((await inTime).length, 5)

  const closing = database.transaction(async (session) => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    return (await session.query(ONE, [])).rows
  }, {})
  const closed = database.close()
  await t.rejects(database.ping(), { code: 'SERVICE_UNAVAILABLE' })
  t.strictSame(await closing, [['1']], 'what is in flight finishes')
  await closed
  t.equal(database.pool.connected, false)
})
