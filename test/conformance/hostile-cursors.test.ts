import t from 'tap'
import { createPostgresDatabase, createSqlite, type TestDatabase } from '../helpers/databases.ts'
import { openApp } from '../helpers/open-app.ts'
import { requireService, type TestLike } from '../helpers/services.ts'
import { tableSchema } from '../schemas/table-schema.ts'
import { type Column, POSTGRES, SQLITE } from './hostile-columns.ts'
import { TEXTS } from './hostile-values.ts'

/** Pages in the order of each type of column: ties and nulls come once each, and whoever makes cursors is told that they are none. */
t.setTimeout(120_000)

const REFUSED = new Set(['BAD_USER_INPUT', 'VALIDATION_ERROR'])
const STEP = 23

const sqlOf = (columns: Readonly<Record<string, Column>>, integer: string): string => {
  const all = Object.entries(columns)
  const full = all.map(([, { value }]) => value).join(', ')
  const empty = all.map(() => 'NULL').join(', ')
  return `CREATE TABLE tb_a (id ${integer} PRIMARY KEY, pk_a ${integer}, ${all.map(([name, { column }]) => `${name} ${column}`).join(', ')});
    INSERT INTO tb_a VALUES (1, 1, ${full}), (2, 2, ${full}), (3, 3, ${empty}), (4, 4, ${empty});`
}

async function suite(t: TestLike, database: TestDatabase, columns: Readonly<Record<string, Column>>): Promise<void> {
  const fields = Object.entries(columns).filter(([, { type }]) => !type.includes('Point'))
  const app = await openApp(
    t,
    database,
    tableSchema(
      {
        name: 'A',
        sql_source: 'tb_a',
        relay: true,
        fields: [{ name: 'id', type: 'ID!' }, ...fields.map(([name, { type }]) => ({ name, type }))],
      },
      {
        enums: [
          {
            name: 'Mood',
            values: [
              { name: 'HAPPY', value: 'happy' },
              { name: 'SAD', value: 'sad' },
            ],
          },
        ],
        queries: [{ name: 'as', type: '[A!]!', relay: true }],
      },
    ),
  )
  const { data } = await app.graphql('{ __type(name: "AOrderByInput") { inputFields { name } } }')
  const faults: string[] = []
  let turn = 0
  for (const { name } of data.__type.inputFields) {
    for (const direction of ['ASC', 'DESC_NULLS_LAST', 'ASC_NULLS_FIRST']) {
      const page = async (variables: object) =>
        app.graphql(
          `query ($after: String, $before: String) { as(first: 1, after: $after, before: $before, orderBy: [{ ${name}: ${direction} }]) {
            edges { node { id } } pageInfo { endCursor } } }`,
          variables,
        )
      const ids: string[] = []
      const cursors: string[] = []
      for (let after: string | null = null; ids.length < 6; ) {
        const { as: found } = (await page({ after })).data
        if (found.edges.length === 0) break
        ids.push(found.edges[0].node.id)
        after = found.pageInfo.endCursor as string
        cursors.push(after)
      }
      t.strictSame(ids.toSorted(), ['1', '2', '3', '4'], `${name} ${direction}: ${ids}`)
      const parts = JSON.parse(Buffer.from(cursors[0]!, 'base64').toString()) as unknown[]
      for (const at of parts.keys()) {
        for (let index = turn++ % STEP; index < TEXTS.length + 2; index += STEP) {
          const text = [...TEXTS, 'a\u0000', null][index]
          const cursor = Buffer.from(JSON.stringify(parts.with(at, text))).toString('base64')
          const { errors } = await page(index % 2 === 0 ? { after: cursor } : { before: cursor })
          const code = String(errors?.[0]?.extensions.code)
          if (errors !== undefined && !REFUSED.has(code))
            faults.push(`${name} ${direction} ${JSON.stringify(text).slice(0, 60)}: ${code} ${errors[0]?.message}`)
        }
      }
    }
  }
  t.ok(turn > 200, `${turn}`)
  t.strictSame(faults, [])
}

t.test('hostile cursors', async (t) => {
  await t.test('postgres', async (t) => {
    if (!(await requireService(t, 'postgres'))) return
    const sql = `CREATE EXTENSION ltree; CREATE TYPE mood AS ENUM ('happy', 'sad'); ${sqlOf(POSTGRES, 'bigint')}`
    await suite(t, { kind: 'postgres', url: await createPostgresDatabase(t, { sql }) }, POSTGRES)
  })
  await t.test('sqlite', async (t) => suite(t, await createSqlite(t, { sql: sqlOf(SQLITE, 'INTEGER') }), SQLITE))
})
