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
}[] = [
  {
    name: 'film rental',
    sql: readSql('film-rental'),
    types: 18,
    report: [/column \S*staff\.password: looks like a secret/, /column \S*film\.fulltext: /],
  },
  { name: 'trade', sql: readSql('trade'), types: 18, report: [/"?Products by Category"? → ProductsByCategory/] },
  {
    name: 'music catalogue',
    sql: musicCatalogue(),
    types: 311,
    report: [/column \S*editor\.password: looks like a secret/],
  },
]

for (const { name, sql, types, report } of DATABASES) {
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
    for (const type of schema.types ?? []) {
      const { answered, stored } = await compareType(compared, schema, type.name)
      t.same(answered, stored, type.name)
    }
  })
}
