import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { SvcError } from '../../../core/doors/plugin.ts'
import { databaseFileExists, readDatabaseFile } from '../../../plugins/sqlite/database-file.ts'
import { bestLibrary, chooseLibrary } from '../../../plugins/sqlite/driver.ts'
import { eachLibrary, makeFolder, open, single } from './open-sqlite.ts'

t.test('URLs of files and of the database in memory', async (t) => {
  for (const [url, file] of [
    ['sqlite:./shop.db', '/base/shop.db'],
    ['sqlite:shop.db', '/base/shop.db'],
    ['sqlite:../a%20b.db', '/a b.db'],
    ['sqlite:./100%.db', '/base/100%.db'],
    ['sqlite:/abs/x.db', '/abs/x.db'],
    ['sqlite:///abs/x.db', '/abs/x.db'],
    ['sqlite://shop.db', '/base/shop.db'],
    ['SQLite:memory', null],
    ['sqlite::memory:', null],
  ] as const) {
    t.equal(readDatabaseFile(url, '/base'), file, url)
  }
  for (const url of ['sqlite:', 'sqlite:folder/'])
    t.throws(() => readDatabaseFile(url, '/base'), { code: 'SVC_CONFIG_INVALID' })
})

t.test('which library', async (t) => {
  for (const [version, library] of [
    ['20.19.0', 'wasm'],
    ['22.13.0', 'wasm'],
    ['22.16.0', 'node'],
    ['23.11.0', 'wasm'],
    ['24.0.0', 'node'],
    ['26.10.0', 'node'],
  ] as const) {
    t.equal(bestLibrary(version), library, version)
  }
  t.equal(await chooseLibrary('/', 'node'), null)
  t.match(await chooseLibrary('/', 'wasm'), /node-sqlite3-wasm/)
  await t.rejects(
    chooseLibrary('/', 'wasm', ['/none.js']),
    new SvcError(
      'SVC_PACKAGE_MISSING',
      'The plugin sqlite needs the package "node-sqlite3-wasm" (Node before 22.16 has no SQLite that svc can use), which is not installed. Install it, or run Node 22.16, 24 or newer: `npm install node-sqlite3-wasm@0.8`',
    ),
  )
})

await eachLibrary(t, 'a database is there once something is in it', async (t, library) => {
  const folder = await makeFolder(t)
  const file = join(folder, 'sub/x.db')
  t.equal(await databaseFileExists(file), false)
  t.equal(await databaseFileExists(null), false)
  t.equal(await databaseFileExists(folder), false)
  await writeFile(join(folder, 'empty'), '')
  t.equal(await databaseFileExists(join(folder, 'empty')), false)
  const first = await open(t, {
    library,
    folder,
    url: 'sqlite:sub/x.db',
    sql: 'CREATE TABLE kept (a); INSERT INTO kept VALUES (7)',
  })
  await first.close()
  t.equal(await databaseFileExists(file), true)
  const second = await open(t, { library, folder, url: 'sqlite:sub/x.db' })
  t.equal(await single(second, 'SELECT a FROM kept'), '7')
  const memory = await open(t, { library })
  t.equal(await single(memory, 'SELECT count(*) FROM sqlite_schema'), '0')
})
