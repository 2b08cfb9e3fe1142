import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createPostgresDatabase, runOnServer } from '../../../helpers/databases.ts'
import { runCommand } from '../../../helpers/run-command.ts'
import { requireService } from '../../../helpers/services.ts'
import { PEOPLE as SCHEMA, PEOPLE_SQL as SQL } from '../../../schemas/people-by-tenant.ts'
import { advise } from './world.ts'

t.setTimeout(300_000)

const PROJECT_RULES = ['index-page', 'index-lookup', 'index-sort', 'index-filter', 'index-pattern', 'index-json']

function project(t: Test, url: string, toml = ''): string {
  const folder = t.testdir({ 'schema.json': JSON.stringify(SCHEMA) })
  configure(folder, url, toml)
  return folder
}

function configure(folder: string, url: string, toml: string): void {
  writeFileSync(join(folder, 'svc.toml'), `[database]\nurl = "${url}"\n${toml}`)
}

t.test('a project is advised through its views', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SQL })
  const folder = project(t, url)
  const found = await advise(folder)
  t.strictSame(found.ids(...PROJECT_RULES), [
    'index-page:person.joined',
    'index-lookup:person.email',
    'index-lookup:person.words',
    'index-pattern:person.code',
    'index-json:person.data',
  ])
  const statements = found.advice.flatMap((one) => one.statements)
  for (const text of [
    'ON public.person (joined);',
    'ON public.person (email);',
    'ON public.person USING gin (words);',
    'ON public.person (code text_pattern_ops);',
    'ON public.person USING gin (data jsonb_path_ops);',
  ])
    t.ok(
      statements.some((one) => one.endsWith(text)),
      text,
    )
  for (const statement of statements) await runOnServer(new URL(url).pathname.slice(1), statement)
  t.strictSame((await advise(folder)).ids(...PROJECT_RULES), [])
})

t.test('an index that begins with the injected tenant serves', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const sql = `${SQL} CREATE INDEX ON person (tenant, joined); CREATE INDEX ON person (code, email)`
  const url = await createPostgresDatabase(t, { sql })
  const ids = (await advise(project(t, url))).ids('index-page', 'index-lookup')
  t.strictSame(ids, ['index-lookup:person.email', 'index-lookup:person.words'])
})

t.test('[advise] ignore silences advice one by one', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SQL })
  const folder = project(t, url)
  const ignore = (...ids: readonly string[]) => configure(folder, url, `[advise]\nignore = ${JSON.stringify(ids)}\n`)
  ignore('index-page:person.joined', 'index-lookup:person.gone')
  const { ran, advice } = await advise(folder)
  const document = JSON.parse(ran.out)
  t.notOk(advice.some(({ id }) => id === 'index-page:person.joined'))
  t.equal(document.ignored[0].id, 'index-page:person.joined')
  t.strictSame(document.unused_ignores, ['index-lookup:person.gone'])
  const { out } = await runCommand(folder, 'advise')
  t.match(
    out,
    /, 1 ignored\.\n\[advise\] ignore has entries that no longer apply; remove them:\n {2}index-lookup:person\.gone\n$/,
  )
  for (const [entry, message] of [
    ['index-pages:person.joined', 'there is no advice "index-pages". Did you mean "index-page"?'],
    ['index-page', 'lacks the subject'],
    ['index-page:', 'lacks the subject'],
  ] as const) {
    ignore(entry)
    const { code, err } = await runCommand(folder, 'advise')
    t.equal(code, 2)
    t.match(err, message)
  }
})

t.test('--fail-on decides the exit code', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, { sql: SQL })
  const folder = project(t, url)
  const code = async (...flags: readonly string[]) => (await runCommand(folder, 'advise', ...flags)).code
  t.equal(await code(), 0)
  t.equal(await code('--fail-on', 'warning'), 1)
  t.equal(await code('--fail-on', 'nothing'), 2)
  const warnings = ['page:person.joined', 'lookup:person.email', 'lookup:person.words'].map((id) => `index-${id}`)
  configure(folder, url, `[advise]\nignore = ${JSON.stringify(warnings)}\n`)
  t.equal(await code('--fail-on', 'warning'), 0, 'ignored advice does not fail')
  t.equal(await code('--fail-on', 'info'), 1)
})
