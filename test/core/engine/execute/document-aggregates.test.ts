import t from 'tap'
import { eachDatabase } from '../../../helpers/databases.ts'
import { openExecuteWorld } from '../../../helpers/execute-world.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

/** Values of documents and columns that their fields do not show count as nulls in aggregates and groups. */

const GOOD = [
  { int: 2, big: '20', float: 0.5, decimal: '1.10', at: '2024-02-29T12:00:00Z', day: '2024-02-29' },
  { int: 4, big: '9223372036854775807', float: 1.5, decimal: 2.25, at: '2024-03-01', day: '2023-01-01' },
]
const BAD = [
  { int: 'wide', big: '1.5', float: 'NaN', decimal: '$1', at: 'soon', day: 'today' },
  { int: '7', big: true, float: '3', decimal: {}, at: 20240101, day: [] },
  {},
]
const inserts = [...GOOD, ...BAD]
  .map((row, i) => `INSERT INTO sale VALUES (${i + 1}, '${JSON.stringify(row)}');`)
  .join('\n')
const NUMBERS = ['int', 'big', 'float', 'decimal']
const SCHEMA = tableSchema({
  name: 'Sale',
  sql_source: 'sale',
  list: 'sales',
  aggregate: true,
  fields: Object.entries({
    id: 'Int!',
    int: 'Int',
    big: 'BigInt',
    float: 'Float',
    decimal: 'Decimal',
    at: 'DateTime',
    day: 'Date',
  }).map(([name, type]) => ({ name, type })),
})

await eachDatabase(
  t,
  async (t, database) => {
    const { run } = await openExecuteWorld(t, database, SCHEMA)
    await t.test('numbers', async (t) => {
      const { data, errors } = await run(`{ salesAggregate {
        count countDistinct { ${NUMBERS.join(' ')} at day } sum { ${NUMBERS.join(' ')} } avg { int float decimal }
        min { ${NUMBERS.join(' ')} at day } max { ${NUMBERS.join(' ')} at day } } }`)
      t.same(errors, [])
      t.same(data.salesAggregate, {
        count: 5,
        countDistinct: { int: 2, big: 2, float: 2, decimal: 2, at: 2, day: 2 },
        sum: { int: '6', big: '9223372036854775827', float: 2, decimal: '3.35' },
        avg: { int: '3', float: 1, decimal: '1.675' },
        // MariaDB adds zeros to the digits of a decimal, and svc removes all of them.
        min: {
          int: 2,
          big: '20',
          float: 0.5,
          decimal: database.kind === 'mysql' ? '1.1' : '1.10',
          at: '2024-02-29T12:00:00+00:00',
          day: '2023-01-01',
        },
        max: {
          int: 4,
          big: '9223372036854775807',
          float: 1.5,
          decimal: '2.25',
          at: '2024-03-01T00:00:00+00:00',
          day: '2024-02-29',
        },
      })
    })

    const groups = {
      int: [2, 4],
      big: ['20', '9223372036854775807'],
      decimal: ['1.10', '2.25'],
      at: ['2024-02-29T12:00:00+00:00', '2024-03-01T00:00:00+00:00'],
      day: ['2023-01-01', '2024-02-29'],
    }
    for (const [name, values] of Object.entries(groups)) {
      await t.test(`groups by ${name}`, async (t) => {
        const { data, errors } = await run(
          `{ salesGroups(groupBy: [${name}], orderBy: [{ keys: { ${name}: ASC_NULLS_LAST } }]) { keys { ${name} } count } }`,
        )
        t.same(errors, [])
        t.same(data.salesGroups, [
          ...values.map((value) => ({ keys: { [name]: value }, count: 1 })),
          { keys: { [name]: null }, count: 3 },
        ])
      })
    }
  },
  {
    sql: `CREATE TABLE sale (id int PRIMARY KEY, data jsonb NOT NULL); ${inserts}`,
    sqlite: { sql: `CREATE TABLE sale (id INTEGER PRIMARY KEY, data JSON TEXT NOT NULL); ${inserts}` },
    mysql: { sql: `CREATE TABLE sale (id int PRIMARY KEY, data json NOT NULL); ${inserts}` },
  },
)
