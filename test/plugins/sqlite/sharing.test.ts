import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { bestLibrary } from '../../../plugins/sqlite/driver.ts'
import { eachLibrary, makeFolder, open, read, single, write } from './open-sqlite.ts'

const COUNTER = 'CREATE TABLE counter (id INTEGER PRIMARY KEY, n INT); INSERT INTO counter VALUES (1, 0), (2, 0)'

await eachLibrary(t, 'readers see whole transactions while one writes', async (t, library) => {
  const database = await open(t, { library, sql: COUNTER })
  let done = false
  let torn = 0
  const reading = async (): Promise<void> => {
    while (!done) {
      const { rows } = await database.query(read('SELECT min(n), max(n) FROM counter', 'both'), [], null)
      if (rows[0]![0] !== rows[0]![1]) torn++
    }
  }
  const readers = [reading(), reading(), reading()]
  for (let i = 0; i < 60; i++) {
    await database.transaction(async (session) => {
      await session.query(write('UPDATE counter SET n = n + 1 WHERE id = 1', 'one'), [])
      await session.query(write('UPDATE counter SET n = n + 1 WHERE id = 2', 'two'), [])
    }, {})
  }
  done = true
  await Promise.all(readers)
  t.equal(torn, 0)
  t.equal(await single(database, 'SELECT n FROM counter WHERE id = 2'), '60')
})

await eachLibrary(t, 'two services on one file', async (t, library) => {
  const folder = await makeFolder(t)
  const first = await open(t, { library, folder, sql: COUNTER })
  const second = await open(t, { library, folder, config: { connect_timeout_ms: 400 } })
  const increments = [first, second].flatMap((database) =>
    Array.from({ length: 25 }, () =>
      database.transaction(async (session) => {
        const { rows } = await session.query(write('SELECT n FROM counter WHERE id = 1'), [])
        await session.query(write('UPDATE counter SET n = CAST(?1 AS INTEGER) WHERE id = 1'), [
          String(Number(rows[0]![0]) + 1),
        ])
      }, {}),
    ),
  )
  const results = await Promise.allSettled(increments)
  const made = results.filter(({ status }) => status === 'fulfilled').length
  t.ok(made >= 25, `${made} of 50 in time`)
  t.equal(await single(first, 'SELECT n FROM counter WHERE id = 1'), String(made), 'none is lost')

  await first.transaction(async (session) => {
    await session.query(write('UPDATE counter SET n = 0'), [])
    await t.rejects(second.query(write('UPDATE counter SET n = 1'), [], null), {
      code: 'SERVICE_UNAVAILABLE',
      message: /locked by another/,
    })
  }, {})
  await second.query(write('UPDATE counter SET n = 7'), [], null)
  t.equal(await single(first, 'SELECT n FROM counter WHERE id = 1'), '7', 'an idle one holds no lock')
})

t.test('the lock of the WebAssembly build', async (t) => {
  const folder = await makeFolder(t)
  const lock = join(folder, 'test.db.lock')
  const options = { library: 'wasm', folder, config: { connect_timeout_ms: 300 } } as const
  const database = await open(t, { ...options, sql: COUNTER })
  const increment = () => database.query(write('UPDATE counter SET n = n + 1'), [], null)

  const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'])
  t.teardown(() => other.kill('SIGKILL'))
  const started = readFileSync(`/proc/${other.pid}/stat`, 'utf8').split(' ')[21]
  writeFileSync(lock, `${other.pid} ${started}`)
  await t.rejects(increment(), { code: 'SERVICE_UNAVAILABLE' }, 'a process that lives has it')
  writeFileSync(lock, `${other.pid} 1`)
  await increment()
  t.notOk(existsSync(lock), 'the process id belongs to another life')
  const gone = new Promise((resolve) => other.once('exit', resolve))
  writeFileSync(lock, `${other.pid} ${started}`)
  other.kill('SIGKILL')
  await gone
  await increment()
  t.pass('the process is gone')

  mkdirSync(lock)
  await t.rejects(increment(), { code: 'SERVICE_UNAVAILABLE' }, 'another program with this build has it')
  rmdirSync(lock)
  for (const content of ['', 'what is this']) {
    writeFileSync(lock, content)
    await t.rejects(increment(), { code: 'SERVICE_UNAVAILABLE' }, `a lock that says "${content}"`)
  }
  writeFileSync(lock, '')
  utimesSync(lock, 1, 1)
  closeSync(openSync(`${lock}.break`, 'w'))
  await t.rejects(increment(), { code: 'SERVICE_UNAVAILABLE' }, 'somebody is at breaking it')
  utimesSync(`${lock}.break`, 1, 1)
  await increment()
  t.notOk(existsSync(lock) || existsSync(`${lock}.break`))
})

// A Node without its own library has one alone.
if (bestLibrary() !== 'wasm') {
  t.test('from one library to the other', async (t) => {
    const folder = await makeFolder(t)
    const native = await open(t, { library: 'node', folder, sql: COUNTER })
    t.equal(await single(native, 'PRAGMA journal_mode'), 'wal')
    await t.rejects(open(t, { library: 'wasm', folder }), { code: 'SVC_DATABASE_UNREACHABLE', message: /WAL/ })
    await native.close()
    const wasm = await open(t, { library: 'wasm', folder })
    t.equal(await single(wasm, 'SELECT count(*) FROM counter'), '2')
    t.equal(await single(wasm, 'PRAGMA journal_mode'), 'delete')
    await wasm.close()
    const again = await open(t, { library: 'node', folder })
    t.equal(await single(again, 'SELECT count(*) FROM counter'), '2')
  })
}
