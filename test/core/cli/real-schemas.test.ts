import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import t from 'tap'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import { readCompiledSchema } from '../../../core/schema/read-compiled.ts'
import { createPostgresDatabase } from '../../helpers/databases.ts'
import type { GraphQLAnswer } from '../../helpers/open-app.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { requireService } from '../../helpers/services.ts'
import { compareType } from '../introspect/compare-with-sql.ts'
import { musicCatalogue } from './real-schemas/music-catalogue.ts'
import { serve } from './serve-database.ts'

t.setTimeout(300_000)

const readSql = (name: string): string => readFileSync(`test/core/cli/real-schemas/${name}.sql`, 'utf8')

/** Databases in the shape of well-known samples, with the number of their types and lines of the report of `svc serve --verbose`. */
const DATABASES: readonly {
  readonly name: string
  readonly sql: string
  readonly types: number
  readonly report: readonly RegExp[]
  /** Lists through join tables, of some types. */
  readonly lists: Readonly<Record<string, readonly string[]>>
}[] = [
  {
    name: 'film rental',
    sql: readSql('film-rental'),
    types: 16,
    report: [
      /column \S*staff\.password: looks like a secret/,
      /column \S*film\.fulltext: /,
      /table \S*film_actor: only relates two tables/,
      /table \S*film_category: only relates two tables/,
    ],
    lists: { Film: ['actors', 'categories'], Actor: ['films'], Category: ['films'], Language: [] },
  },
  {
    name: 'trade',
    sql: readSql('trade'),
    types: 16,
    report: [/"?Products by Category"? → ProductsByCategory/],
    lists: { Order: ['products'], Product: ['orders'], Employee: ['territories'], Customer: ['customerDemographics'] },
  },
  {
    name: 'music catalogue',
    sql: musicCatalogue(),
    types: 299,
    report: [/column \S*editor\.password: looks like a secret/, /table \S*edit_artist: only relates two tables/],
    lists: { Artist: ['tags', 'edits'], ArtistTag: [] },
  },
]

for (const { name, sql, types, report, lists } of DATABASES) {
  t.test(`${name}: served and initialized without an edit, and answered as by SQL`, async (t) => {
    if (!(await requireService(t, 'postgres'))) return
    const url = await createPostgresDatabase(t, { sql })
    const cwd = t.testdir()
    const inProject = async (folder: string, ...argv: readonly string[]): Promise<string> => {
      const { code, out, err } = await runCommand(folder, ...argv)
      t.equal(code, 0, `svc ${argv.join(' ')}\n${out}${err}`)
      return out
    }
    await inProject(cwd, 'init', 'project', '--database', url)
    const folder = join(cwd, 'project')
    t.match(await inProject(folder, 'compile'), new RegExp(`^✓ ${types} types`))
    t.equal(await inProject(folder, 'introspect', '--diff'), 'The schema and the database agree.\n')

    const served = await serve(t, url, { verbose: true })
    for (const line of report) t.match(served.text, line)
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    t.teardown(() => client.end())
    const compiled = await readCompiledSchema(join(folder, 'schema.compiled.json'))
    const schema = JSON.parse(readFileSync(join(folder, 'schema.json'), 'utf8')) as AuthoredSchema
    const compared = {
      compiled,
      graphql: served.query as (query: string) => Promise<GraphQLAnswer>,
      sql: async (text: string) => (await client.query(text)).rows,
    }
    for (const [type, names] of Object.entries(lists)) {
      const found = schema.types?.find((one) => one.name === type)?.fields.filter((one) => one.relation?.through)
      t.same(found?.map((field) => field.name).sort(), [...names].sort(), type)
    }
    for (const type of schema.types ?? []) {
      const { answered, stored } = await compareType(compared, schema, type.name)
      t.same(answered, stored, type.name)
    }
  })
}
