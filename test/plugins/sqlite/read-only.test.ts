import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { bestLibrary } from '../../../plugins/sqlite/driver.ts'
import { eachLibrary, makeFolder, open, single, TABLE, write } from './open-sqlite.ts'

/** What `svc serve` promises: a database that is opened to be read stays as it is, byte for byte. */

const COUNT = 'SELECT count(*) FROM t'

/** Runs SQL with Node's own library in a process that is then killed. */
function crash(file: string, sql: string): void {
  const script = `new (require('node:sqlite').DatabaseSync)(process.argv[1]).exec(process.argv[2]); process.kill(process.pid, 'SIGKILL')`
  const { signal, stderr } = spawnSync(process.execPath, ['-e', script, file, sql], { encoding: 'utf8' })
  if (signal !== 'SIGKILL') throw new Error(stderr)
}

await eachLibrary(t, 'a file is read, and stays as it is', async (t, library) => {
  const folder = await makeFolder(t)
  const file = join(folder, 'test.db')
  await (await open(t, { library: 'wasm', folder, sql: TABLE })).close()
  const before = readFileSync(file)
  const database = await open(t, { library, folder, readOnly: true })
  t.equal(await single(database, COUNT), '2000')
  await t.rejects(database.query(write('DELETE FROM t'), [], null), { code: '25006' })
  await database.close()
  t.ok(readFileSync(file).equals(before))
})

// The step of CI with the newest Node runs these.
const withNode = bestLibrary() === 'node' ? t.test.bind(t) : () => {}
withNode('with the library of Node', async (t) => {
  const library = 'node'

  await t.test('a write-ahead log that a killed program has left is read, and not moved into the file', async (t) => {
    const folder = await makeFolder(t)
    const file = join(folder, 'test.db')
    crash(file, `PRAGMA journal_mode = WAL; ${TABLE}`)
    const [before, log] = [readFileSync(file), readFileSync(`${file}-wal`)]
    t.ok(log.length > 0)
    const database = await open(t, { library, folder, readOnly: true })
    t.equal(await single(database, COUNT), '2000')
    await database.close()
    t.ok(readFileSync(file).equals(before), 'the file')
    t.ok(readFileSync(`${file}-wal`).equals(log), 'its log')
    const writable = await open(t, { library, folder })
    t.equal(await single(writable, COUNT), '2000')
  })

  await t.test('rows of a program that goes on writing are seen, and it is not held up', async (t) => {
    const folder = await makeFolder(t)
    const writer = await open(t, { library, folder, sql: TABLE })
    const reader = await open(t, { library, folder, readOnly: true })
    for (let rows = 2000; rows < 2005; rows++) {
      t.equal(await single(reader, COUNT), String(rows))
      await writer.query(write("INSERT INTO t (b) VALUES ('new')"), [], null)
    }
    t.ok(statSync(join(folder, 'test.db-wal')).size > 0)
    await reader.close()
    await writer.query(write('DELETE FROM t WHERE a > 2000'), [], null)
    t.equal(await single(writer, COUNT), '2000')
  })

  await t.test('a transaction that a killed program has left in a journal is undone by no reader', async (t) => {
    const folder = await makeFolder(t)
    const file = join(folder, 'test.db')
    crash(file, `${TABLE} PRAGMA cache_size = 1; BEGIN; UPDATE t SET b = printf('%.*c', 900, 'y')`)
    const [before, journal] = [readFileSync(file), readFileSync(`${file}-journal`)]
    const refused = { code: 'SVC_DATABASE_UNREACHABLE', message: /has left a journal.*sqlite3 <file> "SELECT/ }
    await t.rejects(open(t, { library, folder, readOnly: true }), refused)
    t.ok(readFileSync(file).equals(before))
    t.ok(readFileSync(`${file}-journal`).equals(journal))
    const writable = await open(t, { library, folder })
    t.equal(await single(writable, "SELECT count(*) FROM t WHERE b LIKE 'x%'"), '2000')
    t.equal(existsSync(`${file}-journal`), false)
  })

  await t.test('a database in memory is made', async (t) => {
    t.equal(await single(await open(t, { library, readOnly: true }), 'SELECT count(*) FROM sqlite_schema'), '0')
  })
})
