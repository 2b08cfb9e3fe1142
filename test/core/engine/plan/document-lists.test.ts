import t from 'tap'
import { eachDatabase } from '../../../helpers/databases.ts'
import { openWorld } from '../../../helpers/plan-world.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

/** Lists whose items are JSON: in a column of JSON, and in a list of it. */
const ITEMS = ['["x", {"a": 1, "b": 2}, null, 5]', '[]', '[null]', '["null"]', '{"no": "list"}']
const rows = (type: string): string =>
  `CREATE TABLE tb_row (id integer PRIMARY KEY, items ${type}); INSERT INTO tb_row VALUES ${ITEMS.map((json, index) => `(${index + 1}, '${json}')`).join(', ')}, (9, NULL);`
const SCHEMA = tableSchema({ name: 'Row', sql_source: 'tb_row', list: 'rows', fields: { id: 'ID!', items: '[JSON]' } })
const CASES: readonly (readonly [operator: string, operand: unknown, found: string])[] = [
  ['_contains', ['x'], '1'],
  ['_contains', [{ b: 2, a: 1 }, 5], '1'],
  ['_contains', [{ a: 1 }], ''],
  ['_contains', ['null'], '4'],
  ['_has_any', ['null', 5], '1 4'],
  ['_has_all', [5, 'x'], '1'],
  ['_contained_in', ['null', 1], '2 4'],
  ['_eq', ['null'], '4'],
  ['_eq', [], '2'],
  ['_neq', ['null'], '1 2 3'],
  ['_len_eq', 4, '1'],
]

await eachDatabase(
  t,
  async (t, database) => {
    const world = await openWorld(t, database, SCHEMA)
    for (const [operator, operand, found] of CASES) {
      const answer = await world.run(
        'query($where: RowWhereInput) { rows(where: $where, orderBy: [{ id: ASC }]) { id } }',
        { where: { items: { [operator]: operand } } },
      )
      t.equal(
        answer.rows.map(({ id }: { id: string }) => id).join(' '),
        found,
        `${operator} ${JSON.stringify(operand)}`,
      )
    }
  },
  { sql: rows('jsonb'), sqlite: { sql: rows('JSON TEXT') } },
)
