import t from 'tap'
import type { AuthoredSchema } from '../../../../core/schema/authored.ts'
import { createSqlite, eachDatabase } from '../../../helpers/databases.ts'
import { openApp } from '../../../helpers/open-app.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

/** A field that is declared as a text, of columns of many types: each is shown, filtered, sorted and counted as a text. */
const COLUMNS: readonly (readonly [name: string, type: string, value: string, shown: string, other: string])[] = [
  [
    'key',
    'uuid',
    "'3B241101-e2bb-4255-8caf-4136c566a962'",
    '3b241101-e2bb-4255-8caf-4136c566a962',
    'gen_random_uuid()',
  ],
  ['mood', 'mood', "'happy'", 'happy', "'sad'"],
  ['address', 'inet', "'10.0.0.1'", '10.0.0.1', "'10.0.0.0/8'"],
  ['machine', 'macaddr', "'08:00:2B:01:02:03'", '08:00:2b:01:02:03', "'08:00:2b:01:02:04'"],
  ['day', 'date', "'2024-01-02'", '2024-01-02', "'2023-01-02'"],
  ['clock', 'time', "'12:00'", '12:00:00', "'13:00'"],
  ['moment', 'timestamptz', "'2024-01-02 03:04:05.6+02'", '2024-01-02T01:04:05.6+00:00', 'now()'],
  ['local', 'timestamp', "'2024-01-02 03:04:05.6'", '2024-01-02T03:04:05.6', 'now()'],
  ['bytes', 'bytea', "'\\xDEADbeef'", '\\xdeadbeef', "'a'"],
  ['bits', 'varbit', "'101'", '101', "'1'"],
  ['span', 'int4range', "'[1,4]'", '[1,5)', "'[2,3)'"],
  ['spot', 'point', "'(1,2)'", '(1,2)', "'(2,1)'"],
  ['area', 'box', "'(2,2),(1,1)'", '(2,2),(1,1)', "'(1,1),(0,0)'"],
  ['query', 'jsonpath', "'$.a'", '$."a"', "'$.b'"],
  ['home', 'home', "ROW('Main St', 5)", '("Main St",5)', "ROW('x', 1)"],
  ['named', 'regclass', "'pg_class'", 'pg_class', "'pg_type'"],
]
const SQL = `
CREATE TYPE mood AS ENUM ('happy', 'sad');
CREATE TYPE home AS (street text, number int);
CREATE TABLE tb_thing (id int PRIMARY KEY, ${COLUMNS.map(([name, type]) => `${name} ${type}, ${name}_list ${type}[]`).join(', ')});
INSERT INTO tb_thing VALUES
  (1, ${COLUMNS.map(([, type, value]) => `${value}, ARRAY[${value}]::${type}[]`).join(', ')}),
  (2, ${COLUMNS.map(([, type, , , other]) => `${other}, ARRAY[${other}]::${type}[]`).join(', ')}),
  (3, ${COLUMNS.map(() => 'NULL, NULL').join(', ')});
CREATE VIEW v_thing AS SELECT * FROM tb_thing;
`
const schemaOf = (type: 'String' | 'ID'): AuthoredSchema =>
  tableSchema({
    name: 'Thing',
    sql_source: 'v_thing',
    aggregate: true,
    list: 'things',
    fields: [
      { name: 'id', type: 'ID!' },
      ...COLUMNS.flatMap(([name]) => [
        { name, type },
        { name: `${name}_list`, type: `[${type}!]` },
      ]),
    ],
  })
const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')
const escapeRegex = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
/** What finds the first row by its text. */
const FINDERS: readonly (readonly [operator: string, operand: (shown: string) => unknown])[] = [
  ['_eq', (shown) => shown],
  ['_in', (shown) => [shown]],
  ['_gte', (shown) => shown],
  ['_lte', (shown) => shown],
  ['_like', escapeLike],
  ['_ilike', (shown) => escapeLike(shown.toUpperCase())],
  ['_contains', (shown) => shown.slice(1)],
  ['_startswith', (shown) => shown.slice(0, -1)],
  ['_iendswith', (shown) => shown.slice(1).toUpperCase()],
  ['_regex', (shown) => `^${escapeRegex(shown)}$`],
]

await eachDatabase(
  t,
  async (t, database) => {
    const app = await openApp(t, database, schemaOf('String'))
    const find = async (where: object) => {
      const { data, errors } = await app.graphql('query($where: ThingWhereInput) { things(where: $where) { id } }', {
        where,
      })
      return errors?.[0]?.message ?? data.things.map(({ id }: { id: string }) => id)
    }
    for (const [name, type, , shown] of COLUMNS) {
      await t.test(`${type} as String`, async (t) => {
        const { data } = await app.graphql(`{ things(where: { id: { _eq: "1" } }) { ${name} ${name}List } }`)
        t.strictSame(data.things, [{ [name]: shown, [`${name}List`]: [shown] }])
        for (const [operator, operand] of FINDERS) {
          const found = await find({ [name]: { [operator]: operand(shown) } })
          t.ok(Array.isArray(found) && found.includes('1'), `${operator}: ${found}`)
        }
        t.strictSame(await find({ [name]: { _neq: shown } }), ['2'])
        t.strictSame(await find({ [name]: { _nin: [shown] } }), ['2'])
        t.strictSame(await find({ [name]: { _is_null: true } }), ['3'])
        const sorted = await app.graphql(`{ things(orderBy: [{ ${name}: ASC_NULLS_FIRST }]) { id } }`)
        t.equal(sorted.data?.things[0].id, '3', String(sorted.errors?.[0]?.message))
        const numbers = await app.graphql(
          `{ thingsAggregate { countDistinct { ${name} } min { ${name} } max { ${name} } } thingsGroups(groupBy: [${name}]) { keys { ${name} } count } }`,
        )
        t.equal(numbers.data?.thingsAggregate.countDistinct[name], 2, String(numbers.errors?.[0]?.message))
        const { min, max } = numbers.data.thingsAggregate
        t.equal(min[name] === shown || max[name] === shown, true, 'one of two is the least or the greatest')
        t.equal(numbers.data.thingsGroups.length, 3)
        if (type === 'home') return
        t.strictSame(await find({ [`${name}List`]: { _eq: [shown] } }), ['1'])
        t.strictSame(await find({ [`${name}List`]: { _has_any: [shown] } }), ['1'])
      })
    }

    await t.test('an invalid value of the column is refused', async (t) => {
      t.match(await find({ mood: { _eq: 'glad' } }), /not (a )?valid/)
      t.match(await find({ address: { _eq: 'x' } }), /not (a )?valid/)
      t.strictSame(await find({ spot: { _eq: 'x' } }), [], 'but where it is compared as a text')
    })

    await t.test('the same as ID', async (t) => {
      await app.close()
      const ids = await openApp(t, database, schemaOf('ID'))
      for (const [name, type, , shown] of COLUMNS) {
        const { data, errors } = await ids.graphql(
          `query($id: ID) { things(where: { ${name}: { _eq: $id } }) { ${name} } }`,
          { id: shown },
        )
        t.strictSame(data?.things, [{ [name]: shown }], `${type} ${errors?.[0]?.message ?? ''}`)
      }
      await ids.close()
    })
  },
  { sql: SQL },
)

t.test('a column of bytes has the same text in SQLite', async (t) => {
  const database = await createSqlite(t, {
    sql: "CREATE TABLE v_thing (id integer PRIMARY KEY, bytes blob); INSERT INTO v_thing VALUES (1, x'DEADbeef'), (2, 'text')",
  })
  const fields = [
    { name: 'id', type: 'ID!' },
    { name: 'bytes', type: 'String' },
  ]
  const app = await openApp(
    t,
    database,
    tableSchema({ name: 'Thing', sql_source: 'v_thing', aggregate: true, list: 'things', fields }),
  )
  const { data } = await app.graphql(
    `{ all: things { bytes } eq: things(where: { bytes: { _eq: "\\\\xdeadbeef" } }) { id } like: things(where: { bytes: { _contains: "dbee" } }) { id }
       thingsGroups(groupBy: [bytes]) { keys { bytes } } }`,
  )
  t.strictSame(data, {
    all: [{ bytes: '\\xdeadbeef' }, { bytes: 'text' }],
    eq: [{ id: '1' }],
    like: [{ id: '1' }],
    thingsGroups: [{ keys: { bytes: '\\xdeadbeef' } }, { keys: { bytes: 'text' } }],
  })
})
