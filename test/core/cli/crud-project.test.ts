import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createPostgresDatabase, createSqlite } from '../../helpers/databases.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { runSql } from '../../helpers/run-sql.ts'
import { requireService } from '../../helpers/services.ts'

const SQL = `CREATE TABLE author (id integer PRIMARY KEY, name text NOT NULL);
CREATE TABLE post (id integer PRIMARY KEY, title text NOT NULL, author_id integer NOT NULL REFERENCES author (id));`

t.test('a project with generated functions compiles, and follows changes of the tables', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SQL })
  const parent = t.testdir()
  const folder = join(parent, 'shop')
  const run = (...argv: readonly string[]) => runCommand(folder, ...argv)
  const init = await runCommand(parent, 'init', 'shop', '--database', url, '--crud')
  t.equal(init.code, 0, init.err)
  t.match(init.out, /db\/functions\/post\.sql.*npx svc db apply\n {2}npx svc compile/s)
  t.match(readFileSync(join(folder, 'schema.ts'), 'utf8'), /createPost/)
  t.match(readFileSync(join(folder, 'svc.toml'), 'utf8'), '[introspect]\ncrud = true')
  t.equal((await run('compile')).code, 1, 'the functions do not exist yet')
  const applied = await run('db', 'apply')
  t.equal(applied.out, 'db/functions/author.sql\ndb/functions/post.sql\n2 files applied.\n', applied.err)
  const compiled = await run('compile')
  t.equal(compiled.code, 0, compiled.err)
  const same = await run('introspect', '--diff')
  t.equal(same.code, 0, same.out)

  // A new column is a new parameter; an edited file stays.
  await runSql(url, 'ALTER TABLE post ADD COLUMN body text; ALTER TABLE author ADD COLUMN born date')
  const author = join(folder, 'db/functions/author.sql')
  writeFileSync(author, `${readFileSync(author, 'utf8')}-- Edited\n`)
  t.equal((await run('introspect', '--diff')).code, 1)
  const written = await run('introspect', '--write')
  t.equal(written.code, 0, written.err)
  t.match(written.err, 'db/functions/author.sql was edited, and is not generated again.')
  t.match(readFileSync(join(folder, 'db/functions/post.sql'), 'utf8'), 'p_body text DEFAULT NULL')
  t.notMatch(readFileSync(author, 'utf8'), 'p_born')
  t.equal((await run('db', 'apply')).code, 0)
  t.same(
    await runSql(url, "SELECT count(*)::int AS n FROM pg_proc WHERE proname = 'fn_create_post'"),
    [{ n: 1 }],
    'no overload',
  )
})

t.test('a project for an SQLite file gets a script per mutation, and needs no apply', async (t) => {
  const { url } = await createSqlite(t, { sql: SQL })
  const parent = t.testdir()
  const init = await runCommand(parent, 'init', 'shop', '--database', url, '--crud')
  t.equal(init.code, 0, init.err)
  t.notMatch(init.out, 'db apply')
  const compiled = await runCommand(join(parent, 'shop'), 'compile')
  t.equal(compiled.code, 0, compiled.err)
  t.match(readFileSync(join(parent, 'shop/db/functions/fn_create_post.sql'), 'utf8'), /^INSERT INTO post/m)
})
