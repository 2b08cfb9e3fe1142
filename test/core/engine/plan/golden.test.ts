import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { prepareRead } from '../../../../core/engine/execute/prepare-read.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { LIBRARY, LIBRARY_SQL } from '../../../helpers/library.ts'
import { openWorld } from '../../../helpers/plan-world.ts'

/**
 * Request, SQL and response side by side. `SVC_UPDATE_GOLDEN=1` writes what is now; CI never does.
 */
const FOLDER = fileURLToPath(new URL('../../../golden/read', import.meta.url))
const UPDATE = process.env.SVC_UPDATE_GOLDEN === '1' && process.env.CI === undefined

/** Between the statement whose text is the answer and the one whose rows are written as JSON here, if there is one. */
const PACKED = '-- packed\n'

/** One clause per line, so that a change shows. */
function layOut(sql: string): string {
  return `${sql.replace(/ (?=(?:FROM|WHERE|ORDER BY|LIMIT|HAVING|FILTER) )/g, '\n').replace(/ \|\| /g, '\n|| ')}\n`
}

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
        const sql = [prepared.statement, prepared.packed?.statement].map((s) => layOut(s?.text ?? '')).join(PACKED)
        const json = `${JSON.stringify(await world.run(query, variables, exchange), null, 2)}\n`
        for (const [extension, actual] of [
          ['sql', sql],
          ['json', json],
        ] as const) {
          const path = join(FOLDER, file.replace('.graphql', `.${extension}`))
          if (UPDATE) await writeFile(path, actual)
          t.equal(actual, await readFile(path, 'utf8'), `${extension} is as it was`)
        }
      })
    }
  },
  { sql: LIBRARY_SQL },
)
