import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import t from 'tap'
import { createPostgresDatabase, runOnServer } from '../../helpers/databases.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { requireService } from '../../helpers/services.ts'
import { serve } from './serve-database.ts'

t.setTimeout(300_000)

const SQL = readFileSync('test/schemas/hostile-names.sql', 'utf8')

t.test('names and comments of a database are data in generated code', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SQL })
  const cwd = t.testdir()
  const run = async (folder: string, ...argv: readonly string[]): Promise<string> => {
    const { code, out, err } = await runCommand(folder, ...argv)
    t.equal(code, 0, `svc ${argv.join(' ')}\n${out}${err}`)
    return out
  }
  const report = await run(cwd, 'init', 'project', '--write', '--database', url)
  t.match(report, 'no_columns: has no columns')
  t.strictSame(readdirSync(cwd), ['project'], 'no name leads out of the folder')
  const folder = join(cwd, 'project')
  t.match(await run(folder, 'compile'), /^✓ 33 types, 1 enum/)
  t.equal(await run(folder, 'introspect', '--diff'), 'The schema and the database agree.\n')
  for (const file of readdirSync(folder, { recursive: true }).map(String))
    t.ok(statSync(join(folder, file)).size < 500_000, `${relative(folder, file)}: the comment of 10 MB is cut`)

  await run(folder, 'generate', 'schema.compiled.json', '--client', 'typescript', '-o', 'client/client.ts')
  await run(folder, 'generate', 'schema.compiled.json', '--client', 'python', '-o', 'client/client.py')
  writeFileSync(join(folder, 'client/package.json'), '{"type":"module"}')
  const flags = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom,dom.asynciterable',
    '--module',
    'nodenext',
  ]
  const tsc = resolve('node_modules/.bin/tsc')
  execFileSync(tsc, [...flags, '--types', '', '--ignoreConfig', 'client.ts'], { cwd: join(folder, 'client') })
  execFileSync('python3', ['-m', 'py_compile', 'client.py'], { cwd: join(folder, 'client') })

  const served = await serve(t, url)
  const answer = await served.query('{ items { totalCount } farAways { totalCount } fails { totalCount items { x } } }')
  t.notMatch(JSON.stringify(answer), /dead|nothing/, 'a failure of the database is not shown')
  t.match(await served.query('{ items { totalCount } }'), { data: { items: { totalCount: 0 } } })
})

t.test('rights that are lost after the introspection are named by the compiler', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, {
    sql: 'CREATE TABLE kept (id int PRIMARY KEY); CREATE TABLE lost (id int PRIMARY KEY, name text)',
  })
  const name = new URL(url).pathname.slice(1)
  await runOnServer(name, `CREATE ROLE ${name} LOGIN; GRANT SELECT ON kept, lost TO ${name}`)
  t.teardown(async () => {
    await runOnServer(name, `DROP OWNED BY ${name}`)
    await runOnServer(name, `DROP ROLE ${name}`)
  })
  const cwd = t.testdir()
  const limited = Object.assign(new URL(url), { username: name }).href
  t.equal((await runCommand(cwd, 'init', 'project', '--database', limited)).code, 0)
  const folder = join(cwd, 'project')
  await runOnServer(name, `REVOKE SELECT ON lost FROM ${name}`)
  const { code, err, out } = await runCommand(folder, 'introspect', '--diff')
  t.equal(code, 1)
  t.match(out + err, 'lost')
  const compiled = await runCommand(folder, 'compile')
  t.match(compiled.out + compiled.err, 'lost')
})
