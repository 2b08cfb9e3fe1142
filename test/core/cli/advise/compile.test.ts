import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createPostgresDatabase, runOnServer } from '../../../helpers/databases.ts'
import { runCommand } from '../../../helpers/run-command.ts'
import { requireService } from '../../../helpers/services.ts'
import { PEOPLE, PEOPLE_SQL } from '../../../schemas/people-by-tenant.ts'

t.setTimeout(300_000)

interface Warning {
  readonly id: string | null
  readonly message: string
}

const IDS = ['index-page:person.joined', 'index-lookup:person.email', 'index-lookup:person.words']

function write(folder: string, url: string, toml = '', schema: object = PEOPLE): void {
  writeFileSync(join(folder, 'schema.json'), JSON.stringify(schema))
  writeFileSync(join(folder, 'svc.toml'), `[database]\nurl = "${url}"\n${toml}`)
}

function ids(found: readonly Warning[]): readonly (string | null)[] {
  return found.map(({ id }) => id)
}

async function warnings(t: Test, folder: string, ...flags: readonly string[]): Promise<readonly Warning[]> {
  const { out, err, code } = await runCommand(folder, 'compile', '--json', ...flags)
  t.equal(code, 0, err || out)
  const all = (JSON.parse(out) as { warnings: readonly Warning[] }).warnings
  return all.filter(({ message }) => message.startsWith('Database: ') || message.includes('about the database'))
}

t.test('compile warns of reads that scan a large table, until they are silenced or mended', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: PEOPLE_SQL })
  const folder = t.testdir()
  write(folder, url)
  const found = await warnings(t, folder)
  t.strictSame(ids(found), IDS)
  t.match(found[0]!.message, 'Used by people, people(orderBy: id), found(orderBy: id).')
  t.match(found[0]!.message, 'Run: CREATE INDEX CONCURRENTLY person_joined_idx ON public.person (joined);')
  t.match(found[0]!.message, `add "${IDS[0]}" to [advise] ignore`)
  const { err } = await runCommand(folder, 'compile')
  t.match(err, /^warning {2}Database: person\.joined: /m)
  write(folder, url, `[advise]\nignore = ["${IDS[1]}"]\n`)
  t.strictSame(ids(await warnings(t, folder)), [IDS[0], IDS[2]])
  write(folder, url)
  await runOnServer(new URL(url).pathname.slice(1), 'CREATE INDEX ON person (joined)')
  t.strictSame(ids(await warnings(t, folder)), [IDS[1], IDS[2]])
})

t.test('compile does not warn of small tables', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, {
    sql: `${PEOPLE_SQL} DELETE FROM person WHERE joined > 500; ANALYZE;`,
  })
  const folder = t.testdir()
  write(folder, url)
  t.strictSame(await warnings(t, folder), [])
})

t.test('compile warns of policies that do not apply to the role, in tables of any size', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const sql = `${PEOPLE_SQL} DELETE FROM person; ANALYZE; ALTER TABLE person ENABLE ROW LEVEL SECURITY;`
  const url = await createPostgresDatabase(t, { sql })
  const folder = t.testdir()
  write(folder, url)
  const found = await warnings(t, folder)
  t.strictSame(ids(found), ['row-security-bypassed:postgres', 'row-security-bypassed:v_person'])
  t.match(found[0]!.message, 'is a superuser')
})

t.test('a compile prints at most five of these warnings, and the number of the others', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: PEOPLE_SQL })
  const folder = t.testdir()
  const lookups = [['code'], ['email', 'code'], ['code', 'tenant'], ['email', 'tenant']]
  const queries = lookups.map((columns) => ({
    name: `by_${columns.join('_')}`,
    type: '[Person!]!',
    sql_source: 'v_person',
    arguments: columns.map((name) => ({ name, type: 'String!' })),
  }))
  write(folder, url, '', { ...PEOPLE, queries: [...PEOPLE.queries, ...queries] })
  const found = await warnings(t, folder)
  t.equal(found.length, 6)
  t.equal(found.at(-1)!.id, null)
  t.equal(found.at(-1)!.message, '2 more warnings about the database. Run `svc advise` for all.')
})

t.test('an offline compile gives no advice on the database', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: PEOPLE_SQL })
  const folder = t.testdir()
  write(folder, url)
  t.strictSame(await warnings(t, folder, '--offline'), [])
})
