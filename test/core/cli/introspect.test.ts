import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createPglite, createPostgresDatabase, createSqlite, runOnServer } from '../../helpers/databases.ts'
import { type Ran, runCommand } from '../../helpers/run-command.ts'
import { requireService } from '../../helpers/services.ts'

t.setTimeout(300_000)

const CHINOOK = join(import.meta.dirname, '../../../examples/chinook/db')
const TABLES = readFileSync(join(CHINOOK, '01_tables.sql'), 'utf8')

interface InitializedProject {
  readonly folder: string
  run(...argv: readonly string[]): Promise<Ran>
  /** Runs a command that must succeed. */
  succeed(...argv: readonly string[]): Promise<string>
  readSchema(): string
}

async function initProject(t: Test, url: string, ...flags: readonly string[]): Promise<InitializedProject> {
  const cwd = t.testdir()
  const ran = await runCommand(cwd, 'init', 'shop', '--database', url, ...flags)
  t.equal(ran.code, 0, ran.err)
  const folder = join(cwd, 'shop')
  const run = (...argv: readonly string[]) => runCommand(folder, ...argv)
  return {
    folder,
    run,
    async succeed(...argv) {
      const { code, out, err } = await run(...argv)
      t.equal(code, 0, `svc ${argv.join(' ')}\n${out}${err}`)
      return out
    },
    readSchema: () => readFileSync(join(folder, 'schema.ts'), 'utf8'),
  }
}

t.test('a project of Chinook compiles as it is, and agrees with its database', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  for (const url of [await createPostgresDatabase(t, { sql: TABLES }), await createPglite(t, { sql: TABLES })]) {
    const project = await initProject(t, url)
    t.match(readFileSync(join(project.folder, 'svc.toml'), 'utf8'), 'default_policy = "authenticated"')
    t.match(await project.succeed('compile'), /^✓ 10 types/)
    t.equal(await project.succeed('introspect', '--diff'), 'The schema and the database agree.\n')
    t.equal(await project.succeed('introspect', '--write'), 'Nothing to change.\n')
    t.equal(await project.succeed('introspect'), project.readSchema(), 'the proposal is the schema')
  }
})

t.test('projects of files of SQLite compile as they are, and agree with them', async (t) => {
  for (const file of ['examples/chinook-sqlite/db/01_tables.sql', 'test/schemas/odd-database-sqlite.sql']) {
    const { url } = await createSqlite(t, { sql: readFileSync(file, 'utf8') })
    const path = url.slice('sqlite:'.length)
    const before = readFileSync(path)
    const project = await initProject(t, url)
    t.match(readFileSync(join(project.folder, 'svc.toml'), 'utf8'), url)
    t.ok(readFileSync(path).equals(before), 'svc init changes no byte')
    t.match(await project.succeed('compile'), /^✓ \d+ types/)
    t.equal(await project.succeed('introspect', '--diff'), 'The schema and the database agree.\n')
    t.equal(await project.succeed('introspect', '--write'), 'Nothing to change.\n')
    t.equal(await project.succeed('introspect'), project.readSchema(), 'the proposal is the schema')
  }
})

t.test('the password of the URL is in no file', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = new URL(await createPostgresDatabase(t, { sql: TABLES }))
  url.password = 'sup3r-secret'
  const { folder } = await initProject(t, url.href)
  for (const file of readdirSync(folder, { recursive: true }).map(String))
    t.notMatch(readFileSync(join(folder, file), 'utf8'), /sup3r-secret/, file)
  t.match(readFileSync(join(folder, 'svc.toml'), 'utf8'), /^url = "\$\{DATABASE_URL\}"$/m)
})

t.test('changes of the database are listed, and applied around the edits of a person', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, {
    sql: `CREATE TABLE artist (artist_id int PRIMARY KEY, name text, note text);
      CREATE TABLE album (album_id int PRIMARY KEY, title text NOT NULL, artist_id int NOT NULL REFERENCES artist)`,
  })
  const project = await initProject(t, url)
  const edited = project
    .readSchema()
    .replace('@field(String) title', "@field(String, { description: 'Mine' }) title")
    .replace(/ {2}@field\(nullable\(String\)\) note.*\n/, '')
  t.not(edited, project.readSchema())
  writeFileSync(join(project.folder, 'schema.ts'), edited)
  t.equal(
    await project.succeed('introspect', '--diff'),
    'The schema and the database agree.\n',
    'edits are no differences',
  )

  await runOnServer(
    new URL(url).pathname.slice(1),
    `ALTER TABLE artist ALTER name SET NOT NULL; ALTER TABLE album ADD year int, ALTER title DROP NOT NULL;
     CREATE TABLE label (label_id int PRIMARY KEY, name text NOT NULL); ALTER TABLE album ADD label_id int REFERENCES label`,
  )
  const { code, out } = await project.run('introspect', '--diff')
  t.equal(code, 1)
  for (const line of [
    'field Album.year column year of public.album has no field',
    'relation Album.label to Label has no field',
    'type Label public.label has no type',
    'field Artist.name is String, and the database has String!',
    'field Album.title is String!, and the database has String',
    '`svc introspect --write` would change:',
    'schema.ts Album.title: would be: @field(nullable(String)) title!: string | null',
  ])
    t.match(out, line)
  t.equal(project.readSchema(), edited, '--diff writes nothing')
  const { differences } = JSON.parse((await project.run('introspect', '--diff', '--json')).out)
  t.equal(differences.length, 5)

  t.match(
    await project.succeed('introspect', '--write'),
    /^schema\.ts {2}\+\d+ -\d+\nNext: npx svc compile\nEdited by hand/,
  )
  const written = project.readSchema()
  t.match(written, "@field(String, { description: 'Mine' }) title!: string")
  t.match(written, /class Label \{/)
  t.match(written, '@field(String) name!: string')
  t.notMatch(written, /note!/, 'a removed field stays removed')
  t.match(await project.succeed('compile'), /^✓ 3 types/)
  t.equal(await project.succeed('introspect', '--write', '--json').then((text) => JSON.parse(text).written.length), 0)

  await runOnServer(new URL(url).pathname.slice(1), 'DROP TABLE label CASCADE; ALTER TABLE album DROP label_id')
  t.match((await project.run('introspect', '--diff')).out, 'type Label reads label, which the database does not have')
  await project.succeed('introspect', '--write')
  t.notMatch(project.readSchema(), /Label/)
  await project.succeed('compile')
})

t.test('names of [introspect] are used, and selections are kept', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, {
    sql: 'CREATE TABLE tbl_kunde (id int PRIMARY KEY, ustid text); CREATE TABLE old_kunde (id int PRIMARY KEY)',
  })
  const project = await initProject(t, url, '--exclude', 'old_*')
  const toml = join(project.folder, 'svc.toml')
  t.match(readFileSync(toml, 'utf8'), 'exclude = ["old_*"]')
  writeFileSync(
    toml,
    `${readFileSync(toml, 'utf8')}types = { tbl_kunde = "Customer" }\nfields = { "tbl_kunde.ustid" = "vatNumber" }\n`,
  )
  const { schema } = JSON.parse(await project.succeed('introspect', '--json'))
  t.match(schema.types, [{ name: 'Customer', fields: [{ name: /^id$/ }, { name: 'vatNumber', column: 'ustid' }] }])
  t.equal(schema.types.length, 1)
})

t.test('a schema that was written by hand is not changed', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: 'CREATE TABLE note (id int PRIMARY KEY, body text NOT NULL)' })
  const folder = t.testdir({
    'svc.toml': `[database]\nurl = "${url}"\n[svc]\nschema_file = "schema.ts"\n`,
    'schema.ts':
      "import { type, field, ID } from 'svc/authoring'\n\n@type({ sqlSource: 'note' })\nexport class Memo {\n  @field(ID) id!: string\n}\n",
  })
  const before = readFileSync(join(folder, 'schema.ts'), 'utf8')
  const { code, out } = await runCommand(folder, 'introspect', '--diff')
  t.equal(code, 1)
  t.match(out, 'field Memo.body column body of public.note has no field')
  t.match(out, 'written by hand')
  t.equal((await runCommand(folder, 'introspect', '--write')).code, 0)
  t.equal(readFileSync(join(folder, 'schema.ts'), 'utf8'), before)
  t.match(await runCommand(folder, 'introspect', '--diff'), { code: 0 })
})

t.test('modes that do not go together are refused', async (t) => {
  const ran = await runCommand(t.testdir(), 'introspect', '--diff', '--write')
  t.match(ran, { code: 2, err: /--diff and --write do not go together/ })
  t.match(await runCommand(t.testdir(), 'init', 'x', '--exclude', 'y'), { code: 2, err: /--exclude selects objects/ })
})
