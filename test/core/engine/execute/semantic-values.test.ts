import t from 'tap'
import { toWireName } from '../../../../core/base/util/naming.ts'
import type { AuthoredField } from '../../../../core/schema/authored.ts'
import { SEMANTIC_SCALARS } from '../../../../core/schema/scalars.ts'
import { createPglite, createPostgresDatabase, eachDatabase } from '../../../helpers/databases.ts'
import { openApp } from '../../../helpers/open-app.ts'
import { extendSchema } from '../../../schemas/extend-schema.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

const COLUMNS: Readonly<Record<string, string>> = {
  IPAddress: 'inet',
  IPv4: 'inet',
  IPv6: 'inet',
  CIDR: 'cidr',
  MACAddress: 'macaddr',
  DateRange: 'daterange',
  Duration: 'interval',
  Float: 'numeric',
  Decimal: 'numeric',
  Int: 'integer',
}
/** Lists of numbers and geometries are in no column of text; test/plugins/pglite and postgres have them, with their extensions. */
const OWN_TEST = new Set(['Vector', 'HalfVector', 'SparseVector', 'BitVector', 'GeoJSON'])
const SCALARS = [...SEMANTIC_SCALARS.values()].flatMap((scalar) => {
  if (OWN_TEST.has(scalar.name)) return []
  const base = scalar.semantic!.base
  const [example = ''] = scalar.semantic!.example.split(' or ')
  const value: unknown = scalar.name === 'IPv6' ? '2001:db8::1' : JSON.parse(example)
  const field = `f_${scalar.name.toLowerCase()}`
  return { ...scalar, field, wire: toWireName(field), value, column: COLUMNS[scalar.name] ?? COLUMNS[base] ?? 'text' }
})
const quote = (value: unknown) => `'${String(value).replaceAll("'", "''")}'`
const SQL = `
CREATE TABLE tb_all (id integer PRIMARY KEY${SCALARS.map(({ field, column }) => `, ${field} ${column}`).join('')});
INSERT INTO tb_all VALUES (1${SCALARS.map(({ value }) => `, ${quote(value)}`).join('')}), (2${SCALARS.map(() => ', NULL').join('')});
CREATE VIEW v_doc AS SELECT id, to_jsonb(tb_all) AS data FROM tb_all;
CREATE FUNCTION fn_keep(mail text, place text, at inet) RETURNS text LANGUAGE sql AS $$ SELECT mail || ' ' || place || ' ' || at $$;
`
const fields: readonly AuthoredField[] = [
  { name: 'id', type: 'ID!' },
  ...SCALARS.map(({ field, name }) => ({ name: field, type: name })),
]
const SCHEMA = extendSchema(
  tableSchema({ name: 'All', sql_source: 'tb_all', list: 'alls', fields }),
  tableSchema({ name: 'Doc', sql_source: 'v_doc', jsonb_column: 'data', list: 'docs', fields }),
  {
    mutations: [
      {
        name: 'keep',
        type: 'String!',
        sql_source: 'fn_keep',
        arguments: [
          { name: 'mail', type: 'Email!' },
          { name: 'place', type: 'Coordinates!' },
          { name: 'at', type: 'IPAddress!' },
        ],
      },
    ],
  },
)

await eachDatabase(
  t,
  async (t, database) => {
    const app = await openApp(t, database, SCHEMA)
    const select = SCALARS.map(({ wire }) => wire).join(' ')
    const { data, errors } = await app.graphql(
      `{ alls(orderBy: [{ id: ASC }]) { ${select} } docs(orderBy: [{ id: ASC }]) { ${select} } }`,
    )
    t.equal(errors, undefined)
    for (const { wire, name, value } of SCALARS) {
      t.strictSame(data.alls[0][wire], value, name)
      t.strictSame(data.docs[0][wire], value, `${name} in a document`)
      t.equal(data.alls[1][wire], null)
    }
    for (const { wire, name, value } of SCALARS) {
      const text = `query($v: ${name}!) { alls(where: { ${wire}: { _eq: $v } }) { id } docs(where: { ${wire}: { _in: [$v] } }) { id } }`
      const found = await app.graphql(text, { v: value })
      t.same(found.data, { alls: [{ id: '1' }], docs: [{ id: '1' }] }, `${name} is found by its value`)
      const refused = await app.graphql(text, { v: ['no', 'value'] })
      t.match(refused.errors?.[0], { message: /got invalid value/, extensions: { code: 'BAD_USER_INPUT' } }, name)
      t.match(refused.errors?.[0]?.message, new RegExp(`${name} (must be|cannot)`), `${name} says what it wants`)
    }
    const keep =
      'mutation($mail: Email!, $at: IPAddress!) { keep(mail: $mail, place: { lat: 1.50, lng: -2 }, at: $at) }'
    t.match(await app.graphql(keep, { mail: 'a@b.de', at: '::1' }), { data: { keep: 'a@b.de 1.50,-2 ::1/128' } })
    const bad = await app.graphql(keep, { mail: 'nobody', at: '::1' })
    t.match(
      bad.errors?.[0]?.message,
      'Variable "$mail" got invalid value "nobody"; Email must be an e-mail address, such as "name@example.org", not "nobody"',
    )
    const literal = await app.graphql('mutation { keep(mail: "x", place: "1,2", at: "::1") }')
    t.match(literal.errors?.[0], {
      message: /Email must be an e-mail address/,
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    })
  },
  { sql: SQL },
)

t.test('introspection lists the semantic scalars that are used, with what specifies them', async (t) => {
  const url = await createPglite(t, { sql: 'CREATE TABLE tb_a (id integer PRIMARY KEY, mail text)' })
  const app = await openApp(
    t,
    { kind: 'pglite', url },
    tableSchema({ name: 'Image', sql_source: 'tb_a', list: 'images', fields: { id: 'ID!', mail: 'Email' } }),
  )
  const { data } = await app.graphql('{ __schema { types { name kind specifiedByURL description } } }')
  const types = data.__schema.types as readonly { name: string; kind: string }[]
  const scalars = types.filter(({ kind, name }) => kind === 'SCALAR' && SEMANTIC_SCALARS.has(name))
  t.match(scalars, [{ name: 'Email', specifiedByURL: 'https://datatracker.ietf.org/doc/html/rfc5322' }])
  t.equal(scalars.length, 1)
  t.match(
    types.find(({ name }) => name === 'Image'),
    { kind: 'OBJECT' },
    'a type of the schema wins over the scalar of its name',
  )
})

t.test('a column that cannot hold the scalar does not compile', async (t) => {
  const url = await createPostgresDatabase(t, {
    sql: 'CREATE TABLE tb_a (id integer PRIMARY KEY, mail uuid, at inet, lat text)',
  })
  const faults = async (type: string, column: string) => {
    const schema = tableSchema({
      name: 'A',
      sql_source: 'tb_a',
      list: 'as',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: column, type },
      ],
    })
    return openApp(t, { kind: 'postgres', url }, schema).then(
      () => null,
      (error: Error) => error.message,
    )
  }
  t.match(await faults('Email', 'mail'), /mail/)
  t.match(await faults('Latitude', 'lat'), /lat/)
  t.match(await faults('Email', 'at'), /\bat\b/)
  t.equal(await faults('IPAddress', 'at'), null)
})
