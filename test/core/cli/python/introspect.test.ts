import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createPostgresDatabase, createSqlite, runOnServer } from '../../../helpers/databases.ts'
import { requirePython } from '../../../helpers/python.ts'
import { type Ran, runCommand } from '../../../helpers/run-command.ts'
import { requireService } from '../../../helpers/services.ts'

t.setTimeout(300_000)

async function initProject(t: Test, url: string, ...flags: readonly string[]) {
  const cwd = t.testdir()
  const ran = await runCommand(cwd, 'init', 'shop', '--database', url, '--language', 'python', ...flags)
  t.equal(ran.code, 0, ran.err)
  const folder = join(cwd, 'shop')
  const run = (...argv: readonly string[]): Promise<Ran> => runCommand(folder, ...argv)
  return {
    folder,
    run,
    async succeed(...argv: readonly string[]): Promise<string> {
      const { code, out, err } = await run(...argv)
      t.equal(code, 0, `svc ${argv.join(' ')}\n${out}${err}`)
      return out
    },
    readSchema: () => readFileSync(join(folder, 'schema.py'), 'utf8'),
  }
}

t.test('projects in Python compile as they are, and agree with their database', async (t) => {
  if (requirePython(t) === null) return
  for (const file of ['examples/chinook-sqlite/db/01_tables.sql', 'test/schemas/odd-database-sqlite.sql']) {
    const { url } = await createSqlite(t, { sql: readFileSync(file, 'utf8') })
    const project = await initProject(t, url)
    t.match(readFileSync(join(project.folder, 'svc.toml'), 'utf8'), 'schema_file = "schema.py"')
    t.match(readFileSync(join(project.folder, 'README.md'), 'utf8'), /compares schema\.py with.*## Python/s)
    t.match(await project.succeed('compile'), /^✓ \d+ types/)
    t.equal(await project.succeed('introspect', '--diff'), 'The schema and the database agree.\n')
    t.equal(await project.succeed('introspect', '--write'), 'Nothing to change.\n')
    t.equal(await project.succeed('introspect'), project.readSchema(), 'the proposal is the schema')
    t.match(await project.succeed('introspect', '--language', 'typescript'), "from 'svc/authoring'")
  }
})

t.test('changes of the database are applied around the edits of a person', async (t) => {
  if (requirePython(t) === null || !(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, {
    sql: `CREATE TABLE artist (artist_id int PRIMARY KEY, name text, note text);
      CREATE TABLE album (album_id int PRIMARY KEY, title text NOT NULL, artist_id int NOT NULL REFERENCES artist)`,
  })
  const project = await initProject(t, url)
  const edited = project
    .readSchema()
    .replace('    title: str\n', '    # The title.\n    title: Annotated[str, svc.field(description="Mine")]\n')
    .replace('    note: str | None\n', '')
    .replace('svc.export()', 'def helper() -> None:\n    pass\n\n\nsvc.export()')
  t.not(edited.length, project.readSchema().length)
  writeFileSync(join(project.folder, 'schema.py'), edited)
  t.equal(await project.succeed('introspect', '--diff'), 'The schema and the database agree.\n')

  await runOnServer(
    new URL(url).pathname.slice(1),
    `ALTER TABLE artist ALTER name SET NOT NULL; ALTER TABLE album ADD year int, ALTER title DROP NOT NULL;
     CREATE TABLE label (label_id int PRIMARY KEY, name text NOT NULL); ALTER TABLE album ADD label_id int REFERENCES label`,
  )
  const { code, out } = await project.run('introspect', '--diff')
  t.equal(code, 1)
  for (const line of ['type Label public.label has no type', 'schema.py Album.title: would be: title: str | None'])
    t.match(out, line)
  t.equal(project.readSchema(), edited, '--diff writes nothing')
  t.match(await project.succeed('introspect', '--write'), /^schema\.py {2}\+\d+ -\d+\nNext: npx svc compile\nEdited/)
  const written = project.readSchema()
  t.match(written, '    # The title.\n    title: Annotated[str, svc.field(description="Mine")]\n')
  t.match(written, '\n\n\nclass Label:\n'.slice(3))
  t.match(written, '    name: str\n')
  t.match(written, 'def helper() -> None:\n    pass\n\n\nsvc.export()\n')
  t.notMatch(written, /note:/, 'a removed field stays removed')
  t.match(await project.succeed('compile'), /^✓ 3 types/)
  t.equal(await project.succeed('introspect', '--write', '--json').then((text) => JSON.parse(text).written.length), 0)

  await runOnServer(new URL(url).pathname.slice(1), 'DROP TABLE label CASCADE; ALTER TABLE album DROP label_id')
  await project.succeed('introspect', '--write')
  t.notMatch(project.readSchema(), /Label/)
  await project.succeed('compile')
})

t.test('more than thirty tables become several modules', async (t) => {
  if (requirePython(t) === null || !(await requireService(t, 'postgres'))) return
  const tables = Array.from(
    { length: 40 },
    (_, i) =>
      `CREATE TABLE t${String.fromCharCode(97 + (i % 20))}${i} (id int PRIMARY KEY, next int REFERENCES ${i === 0 ? 'ta0' : `t${String.fromCharCode(97 + ((i - 1) % 20))}${i - 1}`});`,
  )
  const url = await createPostgresDatabase(t, { sql: tables.join('\n') })
  const project = await initProject(t, url)
  t.match(project.readSchema(), /^import schema_parts\.\w+$/m)
  t.match(await project.succeed('compile'), /^✓ 40 types/)
  t.equal(await project.succeed('introspect', '--diff'), 'The schema and the database agree.\n')
  const database = new URL(url).pathname.slice(1)
  await runOnServer(database, 'ALTER TABLE ta0 ADD note text; CREATE TABLE zulu (id int PRIMARY KEY)')
  t.match(
    await project.succeed('introspect', '--write'),
    /^schema\.py .*\n(?:(?:removed )?schema_parts\/\w+\.py.*\n)+Next/,
  )
  t.match(await project.succeed('compile'), /^✓ 41 types/)
  t.equal(await project.succeed('introspect', '--diff'), 'The schema and the database agree.\n')
})

t.test('a schema that was written by hand, or in another language, is not changed', async (t) => {
  if (requirePython(t) === null) return
  const { url } = await createSqlite(t, { sql: 'CREATE TABLE note (id integer PRIMARY KEY, body text NOT NULL);' })
  const project = await initProject(t, url)
  const toml = join(project.folder, 'svc.toml')
  writeFileSync(toml, readFileSync(toml, 'utf8').replace('schema.py', 'api.py'))
  const own = 'import svc\n\n\n@svc.type(sql_source="note")\nclass Memo:\n    id: svc.ID\n\n\nsvc.export()\n'
  writeFileSync(join(project.folder, 'api.py'), own)
  writeFileSync(join(project.folder, 'schema.introspected.json'), '')
  const broken = await project.run('introspect', '--diff')
  t.match(broken, { code: 1, err: /no record of svc introspect/ })
  writeFileSync(
    join(project.folder, 'schema.introspected.json'),
    JSON.stringify({ version: 1, schema: { version: '2.0.0' }, files: { 'schema.ts': [''] } }),
  )
  t.match((await project.run('introspect', '--diff')).out, /written by hand/)
  await project.succeed('introspect', '--write')
  t.equal(readFileSync(join(project.folder, 'api.py'), 'utf8'), own)
  const refused = await project.run('introspect', '--write', '--language', 'typescript')
  t.match(refused, { code: 2, err: /--diff and --write keep the language of api\.py/ })
})
