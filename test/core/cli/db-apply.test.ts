import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { runSql } from '../../helpers/run-sql.ts'
import { requireService } from '../../helpers/services.ts'

/** Writes a project with these files of db/. */
function writeFolder(folder: string, url: string, files: Readonly<Record<string, string>>, more = ''): void {
  mkdirSync(join(folder, 'db/functions'), { recursive: true })
  writeFileSync(join(folder, 'svc.toml'), `[plugins]\npreset = "minimal"\n${more}\n[database]\nurl = "${url}"\n`)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'db', name), text)
}

const TABLE = "CREATE TABLE note (id integer PRIMARY KEY, text text NOT NULL);\nINSERT INTO note VALUES (1, 'a;b');\n"
const FUNCTION = (value: number) =>
  `DROP FUNCTION IF EXISTS fn_x;\nCREATE FUNCTION fn_x() RETURNS int LANGUAGE sql AS $$ SELECT ${value}; $$;\n`

t.test('new scripts run once, in order and in one transaction', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t)
  const folder = t.testdir()
  writeFolder(folder, url, {
    '02_rows.sql': 'INSERT INTO note VALUES (2, $x$b$x$);',
    '01_table.sql': TABLE,
    'functions/x.sql': FUNCTION(1),
  })
  const apply = (...flags: readonly string[]) => runCommand(folder, 'db', 'apply', ...flags)
  const before = await apply('--status')
  t.same(
    [before.code, before.out],
    [1, 'new      db/01_table.sql\nnew      db/02_rows.sql\nnew      db/functions/x.sql\n'],
    before.err,
  )

  const dry = await apply('--dry-run', '--json')
  const files = ['db/01_table.sql', 'db/02_rows.sql', 'db/functions/x.sql']
  t.same(JSON.parse(dry.out), { applied: files, dry_run: true, baseline: false })
  t.same(await runSql(url, "SELECT to_regclass('note') AS found"), [{ found: null }], 'a dry run keeps nothing')

  // Two runs at once: one of them applies, and the other one finds nothing to do.
  const both = await Promise.all([apply(), apply()])
  t.same(
    both.map(({ code }) => code),
    [0, 0],
    both.map(({ err }) => err).join(),
  )
  t.same(both.map(({ out }) => out.split('\n').at(-2)).sort(), ['3 files applied.', 'Nothing to apply.'])
  t.same(await runSql(url, 'SELECT text, fn_x() FROM note ORDER BY id'), [
    { text: 'a;b', fn_x: 1 },
    { text: 'b', fn_x: 1 },
  ])
  t.equal((await apply('--status')).code, 0)

  // A changed file of functions runs again; another changed file is refused.
  writeFolder(folder, url, { 'functions/x.sql': FUNCTION(2) })
  t.equal((await apply()).out, 'db/functions/x.sql\n1 file applied.\n')
  t.same(await runSql(url, 'SELECT fn_x()'), [{ fn_x: 2 }])
  writeFolder(folder, url, { '01_table.sql': `${TABLE} `, '03_more.sql': 'CREATE TABLE more (id int);' })
  const refused = await apply()
  t.equal(refused.code, 1)
  t.match(refused.err, 'db/01_table.sql has changed since it was applied; nothing was applied.')
  t.match((await apply('--status')).out, /^changed {2}db\/01_table\.sql$/m)
  writeFolder(folder, url, { '01_table.sql': TABLE.replaceAll('\n', '\r\n') })

  // An error names the statement, and nothing is kept.
  writeFolder(folder, url, {
    '04_bad.sql': '-- Comment; with a semicolon\nCREATE TABLE fourth (id int);\n\nSELECT\n  nothing;\n',
  })
  const failed = await apply()
  t.match(failed.err, /Nothing was applied\.\ndb\/04_bad\.sql:5:3: column "nothing" does not exist/)
  t.same(await runSql(url, "SELECT to_regclass('more') AS a, to_regclass('fourth') AS b"), [{ a: null, b: null }])
  writeFolder(folder, url, { '04_bad.sql': 'CREATE TABLE fourth (id int);\nCOMMIT;' })
  t.match((await apply()).err, /db\/04_bad\.sql:2:1: All scripts run in one transaction/)
  rmSync(join(folder, 'db/04_bad.sql'))
  t.equal((await apply()).out, 'db/03_more.sql\n1 file applied.\n')
  rmSync(join(folder, 'db/03_more.sql'))
  const gone = await apply('--status')
  t.same([gone.code, gone.out.split('\n').at(-2)], [0, 'missing  db/03_more.sql'])
})

t.test('a database that has the objects of the scripts already is recorded with --baseline', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: TABLE })
  const folder = t.testdir()
  writeFolder(folder, url, { '01_table.sql': TABLE })
  const failed = await runCommand(folder, 'db', 'apply')
  t.match(
    failed.err,
    /db\/01_table\.sql:1:1: relation "note" already exists\nNo script was recorded before.*--baseline/s,
  )
  t.equal((await runCommand(folder, 'db', 'apply', '--baseline')).out, 'db/01_table.sql\n1 file recorded as applied.\n')
  t.equal((await runCommand(folder, 'db', 'apply')).out, 'Nothing to apply.\n')
})

const EMBEDDED = {
  pglite: { more: '', functions: 1 },
  sqlite: { more: 'enable = ["sqlite"]', functions: 0 },
}
for (const [kind, { more, functions }] of Object.entries(EMBEDDED)) {
  t.test(`${kind}: the scripts that created the embedded database count as applied`, async (t) => {
    const folder = t.testdir()
    const url = `${kind}:./data/${kind}`
    writeFolder(folder, url, { '01_table.sql': TABLE, 'functions/fn_x.sql': FUNCTION(1) }, more)
    const first = await runCommand(folder, 'db', 'apply')
    t.equal(first.out, functions === 1 ? 'db/functions/fn_x.sql\n1 file applied.\n' : 'Nothing to apply.\n', first.err)
    const trigger = kind === 'sqlite' ? '\nCREATE TRIGGER t AFTER INSERT ON note BEGIN SELECT 1; SELECT 2; END;' : ''
    writeFolder(folder, url, { '02_more.sql': `ALTER TABLE note ADD COLUMN done boolean;${trigger}` }, more)
    const second = await runCommand(folder, 'db', 'apply', '--json')
    t.same(JSON.parse(second.out).applied, ['db/02_more.sql'], second.err)
    const third = await runCommand(folder, 'db', 'apply', '--status')
    t.same([third.code, third.err], [0, ''], 'the database is not called outdated')
    writeFolder(folder, url, { '03_bad.sql': 'SELECT 1;\nSELECT nothing;' }, more)
    t.match((await runCommand(folder, 'db', 'apply')).err, /db\/03_bad\.sql:2:\d+: /)
  })
}

t.test('flags that contradict each other, and databases without scripts, are refused', async (t) => {
  const folder = t.testdir()
  writeFolder(folder, 'pglite:memory', {})
  t.match(
    (await runCommand(folder, 'db', 'apply', '--status', '--dry-run')).err,
    '--status and --dry-run do not go together',
  )
  t.match((await runCommand(folder, 'db', 'apply')).err, 'names a database in memory')
  t.match((await runCommand(folder, 'db')).err, /ACTION/)
})

t.test(
  'svc tables has the table of svc db apply, which a role without the right to create tables then uses',
  async (t) => {
    if (!(await requireService(t, 'postgres'))) return
    const url = await createPostgresDatabase(t)
    const folder = t.testdir()
    writeFileSync(join(folder, 'svc.toml'), `[plugins]\npreset = "minimal"\n[database]\nurl = "${url}"\n`)
    t.match((await runCommand(folder, 'tables')).err, 'Nothing in this project needs a table', 'there are no scripts')
    writeFolder(folder, url, { '01.sql': 'UPDATE note SET text = $x$b$x$;' })
    const printed = await runCommand(folder, 'tables', '--json')
    t.match(JSON.parse(printed.out), {
      tables: [{ name: 'svc_applied_script', sql: /^CREATE TABLE IF NOT EXISTS svc_applied/ }],
    })
    t.equal((await runCommand(folder, 'tables', '--apply')).out, 'svc_applied_script: made\n')
    t.equal((await runCommand(folder, 'tables', '--apply')).out, 'svc_applied_script: is there\n')

    const role = `svc_apply_${process.pid}`
    await runSql(
      url,
      `CREATE TABLE note (text text); INSERT INTO note VALUES ('a');
    CREATE ROLE ${role} LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC;
    GRANT SELECT, UPDATE ON note TO ${role}; GRANT SELECT, INSERT, UPDATE ON svc_applied_script TO ${role}`,
    )
    t.teardown(() => runSql(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`))
    const limited = new URL(url)
    limited.username = role
    const applied = await runCommand(folder, 'db', 'apply', '--database', limited.href)
    t.same([applied.code, applied.out], [0, 'db/01.sql\n1 file applied.\n'], applied.err)
    t.same(await runSql(url, 'SELECT text FROM note'), [{ text: 'b' }])
  },
)

t.test(
  'svc tables --apply before svc db apply: scripts that made an embedded database are not applied again',
  async (t) => {
    const folder = t.testdir()
    writeFolder(folder, 'pglite:data', { '01_table.sql': TABLE, 'functions/x.sql': FUNCTION(1) })
    t.equal((await runCommand(folder, 'tables', '--apply')).code, 0)
    const applied = await runCommand(folder, 'db', 'apply')
    t.same([applied.code, applied.out], [0, 'db/functions/x.sql\n1 file applied.\n'], applied.err)
  },
)
