import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type OpenProjectOptions, openProjectDatabase } from '../../../core/cli/database/project-database.ts'
import { loadProject } from '../../../core/cli/project/load-project.ts'
import type { Database } from '../../../core/contract/database.ts'
import { openDatabases } from '../../../core/service/open-database.ts'
import { createSignals } from '../../../core/service/signals/create-signals.ts'
import { createLog } from '../../../core/service/signals/log.ts'
import { createTestIo } from './helpers.ts'

// Databases are made one after the other, on a machine that does other things too.
t.setTimeout(600_000)

const TOML = '[database]\nurl = "pglite:.svc/data"\n'
const DB = {
  '02_rows.sql': "INSERT INTO tb_a VALUES (1, 'one'); INSERT INTO tb_a VALUES (2, 'zwei é');",
  '01_tables.sql': 'CREATE TABLE tb_a (id int PRIMARY KEY, name text);\n-- a comment; with a semicolon\n',
  'notes.txt': 'not a script',
}

async function open(t: Test, dir: string, purpose: OpenProjectOptions['purpose'], env: Record<string, string> = {}) {
  const { io } = createTestIo(dir, env)
  const lines: string[] = []
  const project = await loadProject({}, io)
  const { database } = await openProjectDatabase(project, {
    purpose,
    signals: createSignals(),
    log: createLog({ env: {}, isTerminal: false, write: () => {} }),
    progress: (line) => lines.push(line),
  })
  let isOpen = true
  const close = async () => {
    if (isOpen) await database.close()
    isOpen = false
  }
  t.teardown(close)
  return { database, lines, close }
}

async function countRows(database: Database): Promise<string | null | undefined> {
  const { rows } = await database.query({ name: null, text: 'SELECT count(*) FROM tb_a' }, [], null)
  return rows[0]?.[0]
}

t.test('a first start creates the database from the scripts in order, a second one keeps the data', async (t) => {
  const dir = t.testdir({ 'svc.toml': TOML, db: DB })
  const first = await open(t, dir, 'run')
  t.match(first.lines, [
    /^Creating the embedded database in /,
    '  db/01_tables.sql',
    '  db/02_rows.sql',
    /^Created in \d+\.\d s$/,
  ])
  t.equal(await countRows(first.database), '2')
  await first.database.query({ name: null, text: "INSERT INTO tb_a VALUES (3, 'three')" }, [], null)

  const other = await open(t, dir, 'compile')
  t.match(other.lines.join('\n'), new RegExp(`${process.pid}|this process`), 'who has it is named')
  t.equal(await countRows(other.database), '2', 'the compiler reads a fresh one while it is in use')
  await other.close()
  await first.close()

  const second = await open(t, dir, 'run')
  t.strictSame(second.lines, [])
  t.equal(await countRows(second.database), '3')
  await second.close()
  const compile = await open(t, dir, 'compile')
  t.equal(await countRows(compile.database), '3', 'the compiler reads the one that is there')
  t.notOk(existsSync(join(dir, '.svc/data.incomplete')))
})

t.test('a check creates nothing on disk', async (t) => {
  const dir = t.testdir({ 'svc.toml': TOML, db: DB })
  const { database, lines } = await open(t, dir, 'check')
  t.equal(await countRows(database), '2')
  t.strictSame(lines, [])
  t.notOk(existsSync(join(dir, '.svc')))
})

t.test('the first start opens the database that the compiler created while the scripts are unchanged', async (t) => {
  const dir = t.testdir({ 'svc.toml': TOML, db: DB })
  const compile = await open(t, dir, 'compile')
  t.match(compile.lines, [/^Creating/, /01_tables/, /02_rows/, /^Created/])
  await compile.close()
  const again = await open(t, dir, 'compile')
  t.strictSame(again.lines, [], 'a second compile opens it too')
  await again.close()

  writeFileSync(join(dir, 'db/02_rows.sql'), "INSERT INTO tb_a VALUES (1, 'one');")
  const check = await open(t, dir, 'check')
  t.equal(await countRows(check.database), '1', 'a check reads what the scripts say')
  await check.close()
  const changed = await open(t, dir, 'compile')
  t.match(changed.lines, [/^Creating/], 'nobody has written to it: it is laid out anew')
  t.equal(await countRows(changed.database), '1')
  await changed.close()

  const run = await open(t, dir, 'run')
  t.strictSame(run.lines, [], 'the first start lays out nothing')
  t.equal(await countRows(run.database), '1')
  await run.close()

  writeFileSync(join(dir, 'db/02_rows.sql'), DB['02_rows.sql'])
  const next = await open(t, dir, 'run')
  t.equal(await countRows(next.database), '1', "from the first start on the data are somebody's")
  t.match(next.lines, [/^The scripts in db have changed since they laid out .*, which stays.* delete .*data, and run/])
})

t.test('a script that fails leaves nothing behind and names file, line and reason', async (t) => {
  const db = { '01.sql': 'CREATE TABLE tb_a (id int);', '02.sql': '-- é\nSELECT 1;\nINSERT INTO tb_b VALUES (1);\n' }
  const dir = t.testdir({ 'svc.toml': TOML, db })
  const error = await open(t, dir, 'run').catch((error: unknown) => error)
  t.match(error, {
    code: 'SVC_DATABASE_INIT_FAILED',
    message: /nothing was kept\.\ndb\/02\.sql:3:13: relation "tb_b" does not exist/,
  })
  t.strictSame(readdirSync(join(dir, '.svc')), [])
  writeFileSync(join(dir, 'db/02.sql'), '')
  const { database } = await open(t, dir, 'run')
  t.equal(await countRows(database), '0', 'the next start begins anew')
})

t.test('files of an interrupted start are removed', async (t) => {
  const dir = t.testdir({ 'svc.toml': TOML, db: DB, '.svc': { data: { junk: 'x' }, 'data.incomplete': '999999999' } })
  const { database } = await open(t, dir, 'run')
  t.equal(await countRows(database), '2')
})

t.test('another process that is creating it is waited for by the operator', async (t) => {
  const dir = t.testdir({ 'svc.toml': TOML, db: DB, '.svc': { 'data.incomplete': String(process.ppid) } })
  await t.rejects(open(t, dir, 'run'), { code: 'SVC_DATABASE_UNREACHABLE', message: /Another process is creating/ })
  t.equal(await countRows((await open(t, dir, 'compile')).database), '2')
})

t.test('a folder with something else in it is not touched', async (t) => {
  const dir = t.testdir({ 'svc.toml': TOML, db: DB, '.svc': { data: { 'my-file': 'x' } } })
  await t.rejects(open(t, dir, 'run'), { code: 'SVC_CONFIG_INVALID', message: /is not empty and holds no database/ })
  t.ok(existsSync(join(dir, '.svc/data/my-file')))
})

t.test('no scripts: an empty database; a folder that is named must be there', async (t) => {
  const dir = t.testdir({ 'svc.toml': '[database]\nurl = "pglite:memory"\n' })
  const { database } = await open(t, dir, 'run')
  await t.rejects(countRows(database), /tb_a/)
  const env = { SVC_DATABASE__INIT_DIR: 'sql' }
  await t.rejects(open(t, dir, 'run', env), {
    code: 'SVC_CONFIG_INVALID',
    message: /^SVC_DATABASE__INIT_DIR: database\.init_dir names sql, and there is no such folder/,
  })
  mkdirSync(join(dir, 'sql'))
  await open(t, dir, 'run', env)
})

t.test('a URL that no driver speaks', async (t) => {
  for (const [url, message] of [
    [
      'oracle://h/x',
      /^svc has no driver for Oracle \("oracle:"\)\. Enabled drivers: postgres, pglite\. Change DATABASE_URL or/,
    ],
    ['SQLServer://u:secret@h/x', /^svc has no driver for SQL Server(?!.*secret)/],
    ['foo://h/x', /scheme "foo"\. Enabled drivers: postgres, pglite\. Check .*, or enable the driver's plugin/],
  ] as const) {
    const dir = t.testdir({ 'svc.toml': `[database]\nurl = "${url}"\n` })
    await t.rejects(open(t, dir, 'run'), { code: 'SVC_DATABASE_MISSING', message })
  }
})

t.test('a further database that no driver speaks is named with its key', async (t) => {
  const config = {
    ...(await loadProject({}, createTestIo(t.testdir({ 'svc.toml': TOML })).io)).config.database,
    url: 'sqlserver://h/x',
  }
  const context = { baseDir: '.', signals: createSignals() }
  await t.rejects(openDatabases([], { logs: config }, context), {
    code: 'SVC_DATABASE_MISSING',
    message: /^\[databases\.logs\]: svc has no driver for SQL Server .*Change databases\.logs\.url to a database of/,
  })
})
