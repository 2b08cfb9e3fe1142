import t from 'tap'
import { createPostgresDatabase, eachDatabase } from '../../../helpers/databases.ts'
import { openApp } from '../../../helpers/open-app.ts'
import { requireService } from '../../../helpers/services.ts'
import { restPlugin } from '../../../plugins/rest/world.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

const ROWS = `INSERT INTO tb_a VALUES (1, '5', 5, '2026-01-31T12:00:00Z'), (2, '15', 15, NULL);`

await eachDatabase(
  t,
  async (t, database) => {
    const own = [
      { name: 't', type: 'String' },
      { name: 'n', type: 'Int', filter_type: 'StringFilter' },
      { name: 'at', type: 'DateTime', filter_type: 'StringFilter' },
    ]
    for (const fields of [own, own.toReversed()]) {
      const schema = tableSchema({
        name: 'A',
        sql_source: 'tb_a',
        list: 'as',
        fields: [{ name: 'id', type: 'Int!' }, ...fields],
      })
      const app = await openApp(t, database, schema, { plugins: [restPlugin()] })
      const ask = async (where: string) => {
        const { data, errors } = await app.graphql(`{ as(where: { ${where} }, orderBy: [{ id: ASC }]) { id } }`)
        return data?.as.map(({ id }: { id: number }) => id).join(' ') ?? errors?.[0]?.message
      }
      t.equal(await ask('t: { _eq: "5" }'), '1', 'another field under the same filter stays what it is')
      t.equal(await ask('n: { _eq: "5" }'), '1')
      t.equal(await ask('n: { _in: ["5", "15"] }'), '1 2')
      t.equal(await ask('n: { _gt: "9" }'), '2', 'as numbers')
      t.equal(await ask('n: { _contains: "5" }'), '1 2')
      t.match(await ask('n: { _eq: 5 }'), /String cannot represent a non string value: 5/)
      t.match(await ask('n: { _eq: "x" }'), /"x" is not an integer/)
      t.equal(await ask('at: { _eq: "2026-01-31T13:00:00+01:00" }'), '1')
      t.match(await ask('at: { _eq: "yesterday" }'), /DateTime must be ISO 8601/)
      const { text } = await app.inject({ method: 'GET', url: '/rest/v1/as?select=id&n[eq]=15&n[contains]=5' })
      await app.close()
      t.match(text, /^{"data":\[{"id":2}\]/)
    }
  },
  {
    sql: `CREATE TABLE tb_a (id int PRIMARY KEY, t text, n int, at timestamptz); ${ROWS}`,
    sqlite: { sql: `CREATE TABLE tb_a (id INTEGER PRIMARY KEY, t TEXT, n INTEGER, at DATETIME TEXT); ${ROWS}` },
  },
)

/** Columns that a String may be read from, and that have a syntax of their own, or nothing that compares them. */
const COLUMNS: Readonly<Record<string, string>> = {
  tsvector: "to_tsvector('cats and dogs')",
  tsquery: "'cat'",
  xml: "'<a/>'",
  point: "'(1,2)'",
  line: "'{1,2,3}'",
  lseg: "'[(1,2),(3,4)]'",
  box: "'(1,2),(3,4)'",
  path: "'[(1,2),(3,4)]'",
  polygon: "'((1,2),(3,4))'",
  circle: "'<(1,2),3>'",
  money: '5',
  interval: "'1 day'",
  inet: "'10.0.0.1'",
  macaddr8: "'08:00:2b:01:02:03:04:05'",
  int4range: "'[1,3)'",
  tstzrange: "'[2026-01-01,2026-01-02)'",
  varbit: "'1010'",
  ltree: "'a.b'",
  jsonpath: "'$.a'",
  hstore: "'a=>1'",
  uuid: "'00000000-0000-4000-8000-000000000001'",
  date: "'2026-01-01'",
}

t.test('a String over any column is filtered, sorted and counted', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const columns = Object.entries(COLUMNS)
  const url = await createPostgresDatabase(t, {
    sql: `CREATE EXTENSION ltree; CREATE EXTENSION hstore; CREATE TABLE tb_a (id int PRIMARY KEY, ${columns.map(([type]) => `c_${type} ${type}`).join(', ')});
      INSERT INTO tb_a VALUES (1, ${columns.map(([, value]) => value).join(', ')}), (2, ${columns.map(() => 'NULL').join(', ')});`,
  })
  const fields = [{ name: 'id', type: 'Int!' }, ...columns.map(([type]) => ({ name: `c_${type}`, type: 'String' }))]
  const app = await openApp(
    t,
    { kind: 'postgres', url },
    tableSchema(
      { name: 'A', sql_source: 'tb_a', aggregate: true, fields },
      { queries: [{ name: 'as', type: '[A!]!', aggregate: true }] },
    ),
  )
  for (const [type] of columns) {
    const name = `c${type[0]!.toUpperCase()}${type.slice(1)}`
    const { data } = await app.graphql(`{ as(orderBy: [{ ${name}: ASC }, { id: DESC }]) { ${name} } }`)
    const value: unknown = data.as[0][name]
    t.type(value, 'string', type)
    const find = async (operator: string, operand: unknown) => {
      const answer = await app.graphql('query ($w: AWhereInput) { as(where: $w) { id } }', {
        w: { [name]: { [operator]: operand } },
      })
      return answer.errors?.[0]?.extensions.code ?? answer.data.as.length
    }
    t.equal(await find('_eq', value), 1, `${type} ${value}`)
    t.equal(await find('_in', [value]), 1, type)
    for (const operator of ['_eq', '_neq', '_gt', '_lte', '_contains', '_plain_query', '_regex']) {
      for (const operand of ["'", '', 'x', '<a>', '5']) {
        const found = await find(operator, operand)
        t.ok(typeof found === 'number' || found === 'BAD_USER_INPUT', `${type} ${operator} ${operand}: ${found}`)
      }
    }
    const numbers = await app.graphql(`{ asAggregate { min { ${name} } max { ${name} } countDistinct { ${name} } } }`)
    t.equal(numbers.errors, undefined, `${type}: ${numbers.errors?.[0]?.message}`)
  }
  const words = await app.graphql('{ as(where: { cTsvector: { _matches: "cat & dog" } }) { id } }')
  t.strictSame(words.data, { as: [{ id: 1 }] }, 'the words are those of the column')
})

t.test('a text with more words than a search takes is the answer, not a failure', async (t) => {
  if (!(await requireService(t, 'postgres'))) return
  const url = await createPostgresDatabase(t, {
    sql: `CREATE TABLE tb_a (id int PRIMARY KEY, t text);
      INSERT INTO tb_a SELECT 1, string_agg('w' || n, ' ') FROM generate_series(1, 200000) n;`,
  })
  const app = await openApp(
    t,
    { kind: 'postgres', url },
    tableSchema({ name: 'A', sql_source: 'tb_a', list: 'as', fields: { id: 'Int!', t: 'String' } }),
  )
  const { errors } = await app.graphql('{ as(where: { t: { _plain_query: "w5" } }) { id } }')
  t.match(errors, [{ message: /column of type tsvector/, extensions: { code: 'VALIDATION_ERROR' } }])
})
