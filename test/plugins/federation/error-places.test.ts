import t from 'tap'
import { createPglite } from '../../helpers/databases.ts'
import { tableSchema } from '../../schemas/table-schema.ts'
import { entities, openSubgraph } from './products.ts'

const SQL = `CREATE VIEW v_item AS SELECT * FROM (VALUES (1, 'a'), (2, NULL), (3, 'c'), (4, NULL)) AS item (id, name);`

t.test('an error within a row has the place of its representation', async (t) => {
  const database = { kind: 'pglite', url: await createPglite(t, { sql: SQL }) } as const
  const app = await openSubgraph(
    t,
    database,
    tableSchema({
      name: 'Item',
      sql_source: 'v_item',
      key_fields: ['id'],
      list: 'items',
      fields: { id: 'ID!', name: 'String!' },
    }),
  )
  const of = async (...ids: readonly string[]) => {
    const asked = ids.map((one) => ({ __typename: 'Item', id: one }))
    const { rows, errors = [] } = await entities(app, asked, '... on Item { name }')
    return [rows.map((row: { name: string } | null) => row?.name ?? null), errors.map(({ path }) => path?.slice(1))]
  }
  t.strictSame(await of('1', '3'), [['a', 'c'], []])
  t.strictSame(await of('2', '1'), [[null, 'a'], [[0, 'name']]])
  t.strictSame(await of('1', '2'), [['a', null], [[1, 'name']]])
  t.strictSame(await of('1', '2', '3', '4'), [
    ['a', null, 'c', null],
    [
      [1, 'name'],
      [3, 'name'],
    ],
  ])
})
