import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { prepareRead } from '../../../../core/engine/execute/read/prepare-read.ts'
import { matchGoldenSql, UPDATES_GOLDEN } from '../../../golden/match-golden-sql.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { LIBRARY, LIBRARY_SQL } from '../../../helpers/library.ts'
import { openWorld } from '../../../helpers/plan-world.ts'

/** Each request with its SQL and its response. `SVC_UPDATE_GOLDEN=1` writes the files again; CI ignores it. */
const FOLDER = fileURLToPath(new URL('../../../golden/read', import.meta.url))

function header(query: string, name: string): Record<string, unknown> | undefined {
  const line = new RegExp(`^# ${name}: (.*)$`, 'm').exec(query)?.[1]
  return line === undefined ? undefined : JSON.parse(line)
}

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openWorld(t, database, LIBRARY)
    const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.graphql')).sort()
    t.ok(files.length >= 10)
    for (const file of files) {
      await t.test(basename(file, '.graphql'), async (t) => {
        const query = await readFile(join(FOLDER, file), 'utf8')
        const variables = header(query, 'variables')
        const exchange = header(query, 'exchange') as Parameters<typeof world.text>[2]
        const prepared = prepareRead(world.operation(query, variables), world.model, world.settings)
        const { statement, packed } = prepared
        const sections = {
          ...(statement && { 'returns the response as text': [statement.text] }),
          ...(packed && { 'returns rows, which the server writes as JSON': [packed.statement.text] }),
        }
        const path = (extension: string) => join(FOLDER, file.replace('.graphql', `.${extension}`))
        await matchGoldenSql(t, path('sql'), sections)
        const json = `${JSON.stringify(await world.run(query, variables, exchange), null, 2)}\n`
        if (UPDATES_GOLDEN) await writeFile(path('json'), json)
        t.equal(json, await readFile(path('json'), 'utf8'), 'the response')
      })
    }
  },
  { sql: LIBRARY_SQL },
)
