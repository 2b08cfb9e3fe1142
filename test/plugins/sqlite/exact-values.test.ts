import t from 'tap'
import { createSqlite } from '../../helpers/databases.ts'
import { openApp } from '../../helpers/open-app.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

const SCHEMA = tableSchema({
  name: 'Entry',
  sql_source: 'tb_entry',
  jsonb_column: 'data',
  aggregate: true,
  list: 'entries',
  fields: { id: 'ID!', price: 'Decimal', mail: 'Email', note: 'String' },
})

t.test('values of an SQLite file are grouped and found exactly, and in time', async (t) => {
  const note = 'a'.repeat(300)
  const database = await createSqlite(t, {
    sql: `CREATE TABLE tb_entry (id INTEGER PRIMARY KEY, data JSON TEXT NOT NULL);
INSERT INTO tb_entry VALUES
  (1, '{"price": 12345678901234567890.123456789, "mail": "ann@x.org"}'),
  (2, '{"price": "12345678901234567890.1234567890", "mail": "nobody"}'),
  (3, '{"price": 0.1, "note": "${note}"}');`,
  })
  const app = await openApp(t, database, SCHEMA)
  const { data } = await app.graphql(
    `{ entriesGroups(groupBy: [price]) { keys { price } count sum { price } }
      other: entries(where: { mail: { _domain_nin: ["y.org"] } }) { id }
      neither: entries(where: { mail: { _domain_neq: "x.org" } }) { id } }`,
  )
  t.strictSame(data.entriesGroups, [
    { keys: { price: '0.1' }, count: 1, sum: { price: '0.1' } },
    {
      keys: { price: '12345678901234567890.123456789' },
      count: 2,
      sum: { price: '24691357802469135780.2469135780' },
    },
  ])
  // As PostgreSQL has it: a text without an @ has a domain, and it is empty.
  t.strictSame([data.other, data.neither], [[{ id: '1' }, { id: '2' }], [{ id: '2' }]])
  const find = async (filter: object) =>
    (await app.graphql('query ($w: EntryWhereInput) { entries(where: $w) { id } }', { w: { note: filter } })).data
      .entries
  t.strictSame(await find({ _like: `${'%a'.repeat(100)}%b` }), [])
  t.strictSame(await find({ _contains: 'a'.repeat(200_000) }), [], 'no expression is that long')
  t.strictSame(await find({ _icontains: 'A'.repeat(300) }), [{ id: '3' }])
})
