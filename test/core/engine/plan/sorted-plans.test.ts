import t from 'tap'
import { prepareRead } from '../../../../core/engine/execute/read/prepare-read.ts'
import { nullsOfCursor } from '../../../../core/engine/plan/rows/cursor.ts'
import { PreparedDocument } from '../../../../plugins/graphql/document/prepared-document.ts'
import { createSchemaView } from '../../../../plugins/graphql/schema/graphql-schema.ts'
import { eachDatabase } from '../../../helpers/databases.ts'
import { LIMITS, openWorld } from '../../../helpers/plan-world.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

/** Enough rows that an index pays. */
const ROWS = `SELECT n AS pk_item, n % 100 AS grade, CASE WHEN n % 3 > 0 THEN n % 50 END AS rank, 'i' || n AS id FROM generate_series(1, 20000) n`
const POSTGRES = `
CREATE TABLE tb_item (pk_item bigint PRIMARY KEY, grade int NOT NULL, rank int, id text NOT NULL UNIQUE);
INSERT INTO tb_item ${ROWS};
CREATE INDEX on_grade ON tb_item (grade, pk_item);
CREATE INDEX on_rank ON tb_item (rank, pk_item);
CREATE INDEX on_mixed ON tb_item (grade, id DESC, pk_item DESC);
ANALYZE tb_item;
CREATE VIEW v_item AS SELECT * FROM tb_item;`
const SCHEMA = tableSchema(
  { name: 'Item', relay: true, sql_source: 'v_item', fields: { id: 'ID!', grade: 'Int!', rank: 'Int' } },
  { queries: [{ name: 'items', type: '[Item!]!', relay: true }] },
)

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openWorld(t, database, SCHEMA, 10_000)
    const page = (order: string, args: string) =>
      `query($a: String) { items(orderBy: ${order}, ${args}) { edges { cursor node { id } } pageInfo { endCursor } } }`

    /** The plan of the page in the middle, of the statement that runs. */
    async function planOf(order: string, args: string, last = false): Promise<string> {
      const start = await world.run(page(order, last ? 'last: 9000' : 'first: 9000').replace('query($a: String) ', ''))
      const { edges } = start.items
      const variables = { a: edges[last ? 0 : edges.length - 1].cursor }
      const query = page(order, args)
      const { packed } = world.prepare(query, variables)
      t.ok(packed, 'rows of leaves are packed')
      const operation = world.operation(query, variables)
      const parameters = packed!.bind(operation.variables, null)
      const literals = parameters.map((value) => (value === null ? 'NULL' : `'${String(value)}'`))
      const text = packed!.statement.text.replace(/\$(\d+)/g, (_, index: string) => literals[Number(index) - 1]!)
      const { rows } = await world.database.query(
        { name: null, text: `EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF) ${text}` },
        [],
        null,
      )
      return rows.map(([line]) => line).join('\n')
    }
    /** How many rows each scan took. */
    const scanned = (plan: string): number[] =>
      [...plan.matchAll(/Scan.*actual rows=(\d+)/g)].map((match) => Number(match[1]))

    await t.test('one way: a comparison of rows that the index serves', async (t) => {
      for (const [order, args, last] of [
        ['[{ grade: ASC }]', 'first: 10, after: $a', false],
        ['[{ grade: DESC }]', 'first: 10, after: $a', false],
        ['[{ grade: ASC }]', 'last: 10, before: $a', true],
      ] as const) {
        const plan = await planOf(order, args, last)
        t.match(plan, /Index Cond: \(ROW\(.*grade.*, .*pk_item.*\) [<>] ROW\(/, `${order} ${args}`)
        t.ok(
          scanned(plan).every((rows) => rows <= 11),
          plan,
        )
        t.notMatch(plan, /Sort Key|Seq Scan/)
      }
    })

    await t.test('nulls behind values: two ranges of the index', async (t) => {
      const plan = await planOf('[{ rank: ASC }]', 'first: 10, after: $a')
      t.match(plan, /Index Cond: \(.*rank >= /)
      t.match(plan, /Index Cond: \(.*rank IS NULL\)/)
      t.notMatch(plan, /Seq Scan/)
      t.ok(
        scanned(plan).every((rows) => rows <= 11),
        plan,
      )
    })

    await t.test('both ways: the index knows where to begin', async (t) => {
      const plan = await planOf('[{ grade: ASC }, { id: DESC }]', 'first: 10, after: $a')
      t.match(plan, /Index Cond: \(.*grade >= /)
      t.notMatch(plan, /Seq Scan/)
      t.ok(
        scanned(plan).every((rows) => rows <= 11),
        plan,
      )
    })

    await t.test(
      'one plan for all values of a filter: a cursor belongs to the value that it was made with',
      async (t) => {
        const query =
          'query($w: ItemWhereInput, $a: String) { items(orderBy: [{ rank: ASC }], where: $w, first: 2, after: $a) { pageInfo { endCursor } } }'
        const document = new PreparedDocument(query, createSchemaView(world.model, false), LIMITS, () => {}).operation(
          null,
        )
        const endOf = async (grade: number, after: string | null): Promise<string> => {
          const operation = document.toOperation({ w: { grade: { _eq: grade } }, a: after })
          const prepared = prepareRead(operation, world.model, world.settings)
          const { rows } = await world.database.query(
            prepared.statement!,
            prepared.bind(operation.variables, null),
            null,
          )
          return JSON.parse(String(rows[0]![0])).items.pageInfo.endCursor
        }
        const [one, two] = [await endOf(1, null), await endOf(2, null)]
        for (const [grade, cursor] of [
          [1, one],
          [2, two],
        ] as const) {
          t.not(await endOf(grade, cursor), cursor, 'it goes on')
        }
        await t.rejects(endOf(2, one), { message: /another filter/ })
        await t.rejects(endOf(1, two), { message: /another filter/ })
      },
    )
  },
  { sql: POSTGRES },
)

t.test('which keys of a cursor are null is part of what its plan is kept by', async (t) => {
  const cursor = (...keys: (string | null)[]) =>
    Buffer.from(JSON.stringify(['aaaaaaaa', '', ...keys])).toString('base64')
  t.equal(nullsOfCursor(cursor('x', '1')), nullsOfCursor(cursor('', '2')))
  t.not(nullsOfCursor(cursor(null, '1')), nullsOfCursor(cursor('x', '1')))
  t.not(nullsOfCursor(cursor(null, '1')), nullsOfCursor(cursor('1', null)))
  t.equal(nullsOfCursor('no cursor'), nullsOfCursor(7))
})
