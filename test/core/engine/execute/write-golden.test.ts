import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { matchGoldenSql, UPDATES_GOLDEN } from '../../../golden/match-golden-sql.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { executeWorldOn } from '../../../helpers/execute-world.ts'
import { openTestDatabase } from '../../../helpers/open-database.ts'
import { ANN, BLOG, BLOG_SQL } from './blog.ts'

/** The statements of writes, with and without reports of their changes. `SVC_UPDATE_GOLDEN=1` writes the files again. */
const FOLDER = fileURLToPath(new URL('../../../golden/write', import.meta.url))

const DOCUMENTS: Readonly<Record<string, string>> = {
  record: `mutation { createPost(authorId: "${ANN}", title: "A") { __typename id title viewCount } }`,
  payload: `mutation { payPost(authorId: "${ANN}", title: "B") { status updatedFields post { title remark } } }`,
  relation: `mutation { createPost(authorId: "${ANN}", title: "C") { title author { name } } }`,
  boolean: `mutation { createFlag(authorId: "${ANN}", title: "D") }`,
  'class-form': 'mutation { formC(ok: true, changed: true) { name } }',
  id: 'mutation { byUuid(title: "E") { title } }',
  void: 'mutation { done(title: "F") }',
  rows: 'mutation { setof(titles: ["G", "H"]) { title } }',
  union: 'mutation { outcome(kind: "Author") { ... on Author { name } ... on TriesError { message } } }',
  list: 'mutation { postsJson(kind: "two") { title } }',
  scalar: 'mutation { number(value: 4) }',
}

await eachDatabase(
  t,
  async (t, test) => {
    const database = await openTestDatabase(t, test)
    const silent = await executeWorldOn(database, BLOG, { events: false })
    const reporting = await executeWorldOn(database, BLOG, { events: true })
    for (const [name, document] of Object.entries(DOCUMENTS)) {
      await t.test(name, async (t) => {
        const statementsOf = async ({ run, log }: typeof silent) => {
          log.length = 0
          t.same((await run(document)).errors, [])
          return [...log]
        }
        const sections = {
          'no changes are reported': await statementsOf(silent),
          'changes are reported': await statementsOf(reporting),
        }
        await matchGoldenSql(t, join(FOLDER, `${name}.sql`), sections, UPDATES_GOLDEN && test.kind === 'postgres')
      })
    }
  },
  { sql: BLOG_SQL },
)
