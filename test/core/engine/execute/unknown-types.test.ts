import t from 'tap'
import { eachDatabase } from '../../../helpers/databases.ts'
import { openExecuteWorld } from '../../../helpers/execute-world.ts'
import { extendSchema } from '../../../schemas/extend-schema.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

/** A stored object of an interface or union that names none of its types is null and an error at its place, and never null alone. */

const PETS = [
  '{"pet":{"__typename":"Cat","name":"Tom"},"any":{"__typename":"Dog","name":"Rex"},"pets":[{"__typename":"Cat","name":"A"},null]}',
  '{"pet":{"__typename":"Horse","name":"x"},"any":{"__typename":"Horse"},"pets":[{"__typename":"?"},{"__typename":"Cat","name":"B"}]}',
  '{"pet":{"name":"x"},"any":{"__typename":null},"pets":[{"__typename":5},{}]}',
  '{"pet":null}',
]
const inserts = PETS.map((row, i) => `INSERT INTO owner VALUES (${i + 1}, '${row}');`).join('\n')
const TABLES = `CREATE TABLE item (id int PRIMARY KEY, kind text, name text);
  INSERT INTO item VALUES (1, 'Book', 'a'), (2, 'Film', 'b'), (3, NULL, 'c');`
const NAME = { name: 'String' }
const stored = (name: string) =>
  tableSchema({ name, sql_source: 'item', implements: ['Item'], fields: { id: 'Int!', ...NAME } })
const pet = (name: string) => tableSchema({ name, embedded: true, implements: ['Pet'], fields: NAME })
const SCHEMA = extendSchema(
  tableSchema(
    {
      name: 'Owner',
      sql_source: 'owner',
      list: 'owners',
      fields: { id: 'Int!', pet: 'Pet', any: 'Any', pets: '[Pet]' },
    },
    {
      interfaces: [
        { name: 'Pet', fields: [{ name: 'name', type: 'String' }] },
        {
          name: 'Item',
          sql_source: 'item',
          type_column: 'kind',
          fields: [
            { name: 'id', type: 'Int!' },
            { name: 'name', type: 'String' },
          ],
        },
      ],
      unions: [{ name: 'Any', members: ['Cat', 'Dog'] }],
      queries: [
        { name: 'items', type: '[Item]', sql_source: 'item' },
        { name: 'needed', type: '[Item!]!', sql_source: 'item' },
      ],
      mutations: [
        {
          name: 'touch',
          type: 'Owner',
          sql_source: 'fn_touch',
          operation: 'CUSTOM',
          arguments: [{ name: 'data', type: 'JSON!' }],
        },
      ],
    },
  ),
  pet('Cat'),
  pet('Dog'),
  stored('Book'),
  stored('Disc'),
)
const FIELDS = 'pet { __typename name } any { ... on Cat { name } ... on Dog { name } } pets { name }'

await eachDatabase(
  t,
  async (t, database) => {
    const { run } = await openExecuteWorld(t, database, SCHEMA)
    const said = (errors: readonly { path?: readonly (string | number)[] | undefined; message: string }[]) =>
      errors.map(({ path, message }) => `${path?.join('.')} ${message}`)
    const unknown = (place: string, field: string) =>
      `${place} What is stored for ${field} is not an object of one of its types.`

    await t.test('in a document', async (t) => {
      const { data, errors } = await run(`{ owners(orderBy: [{ id: ASC }]) { ${FIELDS} } }`)
      t.same(data.owners, [
        { pet: { __typename: 'Cat', name: 'Tom' }, any: { name: 'Rex' }, pets: [{ name: 'A' }, null] },
        { pet: null, any: null, pets: [null, { name: 'B' }] },
        { pet: null, any: null, pets: [null, null] },
        { pet: null, any: null, pets: null },
      ])
      t.same(said(errors), [
        unknown('owners.1.pet', 'Owner.pet'),
        unknown('owners.1.any', 'Owner.any'),
        unknown('owners.1.pets.0', 'Owner.pets'),
        unknown('owners.2.pet', 'Owner.pet'),
        unknown('owners.2.any', 'Owner.any'),
        unknown('owners.2.pets.0', 'Owner.pets'),
        unknown('owners.2.pets.1', 'Owner.pets'),
      ])
      const causes = errors.map(({ cause }) => (cause as Error).message)
      t.equal(causes[0], 'Owner.pet holds an object with the type name "Horse"')
      t.equal(causes[3], 'Owner.pet holds an object with no type name')
    })

    await t.test('in rows', async (t) => {
      const { data, errors } = await run('{ items(orderBy: [{ id: ASC }]) { __typename id } }')
      t.same(data.items, [{ __typename: 'Book', id: 1 }, null, null])
      t.same(said(errors), [unknown('items.1', 'Query.items'), unknown('items.2', 'Query.items')])
      const needed = await run('{ needed(where: { id: { _lte: 2 } }, orderBy: [{ id: ASC }]) { id } }')
      t.same([needed.data, said(needed.errors)], [null, [unknown('needed.1', 'Query.needed')]])
    })

    await t.test('in the answer of a mutation', async (t) => {
      const { data, errors } = await run(`mutation($data: JSON!) { touch(data: $data) { ${FIELDS} } }`, {
        data: JSON.parse(PETS[1]!),
      })
      t.same(data, { touch: { pet: null, any: null, pets: [null, { name: 'B' }] } })
      t.same(said(errors), [
        unknown('touch.pet', 'Owner.pet'),
        unknown('touch.any', 'Owner.any'),
        unknown('touch.pets.0', 'Owner.pets'),
      ])
    })
  },
  {
    sql: `${TABLES} CREATE TABLE owner (id int PRIMARY KEY, data jsonb NOT NULL); ${inserts}
      CREATE FUNCTION fn_touch(p_data jsonb) RETURNS jsonb LANGUAGE sql AS $$ SELECT jsonb_build_object('status', 'ok', 'entity', p_data) $$;`,
    sqlite: {
      sql: `${TABLES} CREATE TABLE owner (id INTEGER PRIMARY KEY, data JSON TEXT NOT NULL); ${inserts}`,
      scripts: { fn_touch: "-- :data json\nSELECT 'ok' AS status, :data AS entity;" },
    },
  },
)
