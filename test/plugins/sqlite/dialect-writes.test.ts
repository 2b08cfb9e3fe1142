import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { executeWorldOn } from '../../helpers/execute-world.ts'
import { tableSchema } from '../../schemas/table-schema.ts'
import { eachLibrary, makeFolder, open } from './open-sqlite.ts'

const SQL = 'CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, price DECIMAL TEXT, sold BOOLEAN)'
const SCRIPTS: Readonly<Record<string, string>> = {
  fn_add: `-- :name text
-- :price numeric = NULL
-- :sold boolean = 0
-- returns integer
INSERT INTO item (name, price, sold) VALUES (:name, :price, :sold) RETURNING id;`,
  fn_clear: '-- returns void\nDELETE FROM item;',
  fn_refuse: `-- :name text
-- returns integer
INSERT INTO item (name) VALUES (:name);
SELECT svc_raise('SOLD_OUT', 'Nothing is left');`,
  fn_status: `-- :status text
INSERT INTO item (name) VALUES (:status);
SELECT :status AS status, 'why' AS message, NULL AS entity_id, json_object('id', id, 'name', name) AS entity
FROM item WHERE name = :status;`,
  fn_rows: 'UPDATE item SET sold = 1 RETURNING id, name, price, sold;',
  fn_text: "-- returns json\nINSERT INTO item (name) VALUES ('text');\nSELECT 'no json';",
  fn_thing: "-- :kind text\nSELECT 'ok' AS status, 'm' AS message, :kind AS entity_type, '{\"id\":1}' AS entity;",
  fn_own: 'CREATE TEMP TABLE own (id INTEGER, name TEXT); SELECT id, name FROM own;',
}
const name = { name: 'name', type: 'String!' }
const SCHEMA = tableSchema(
  {
    name: 'Item',
    sql_source: 'item',
    list: 'items',
    fields: { id: 'ID!', name: 'String!', price: 'Decimal', sold: 'Boolean' },
  },
  {
    unions: [{ name: 'Thing', members: ['Item'] }],
    mutations: [
      {
        name: 'add',
        type: 'Item',
        sql_source: 'fn_add',
        operation: 'CREATE',
        arguments: [name, { name: 'price', type: 'Decimal' }, { name: 'sold', type: 'Boolean' }],
      },
      { name: 'clear', type: 'Boolean', sql_source: 'fn_clear' },
      { name: 'refuse', type: 'Item', sql_source: 'fn_refuse', arguments: [name] },
      { name: 'status', type: 'Item', sql_source: 'fn_status', arguments: [{ name: 'status', type: 'String!' }] },
      { name: 'rows', type: '[Item!]!', sql_source: 'fn_rows' },
      { name: 'text', type: 'Item', sql_source: 'fn_text' },
      { name: 'thing', type: 'Thing', sql_source: 'fn_thing', arguments: [{ name: 'kind', type: 'String!' }] },
    ],
  },
)

await eachLibrary(t, 'mutations call scripts', async (t, library) => {
  const folder = await makeFolder(t)
  await mkdir(join(folder, 'db/functions'), { recursive: true })
  for (const [file, text] of Object.entries(SCRIPTS)) await writeFile(join(folder, 'db/functions', `${file}.sql`), text)
  const database = await open(t, { library, folder, sql: SQL })
  const world = await executeWorldOn(database, SCHEMA)

  const added = await world.run('mutation { add(name: "a", price: "1.10", sold: true) { id name price sold } }')
  t.strictSame(added, { ...added, data: { add: { id: '1', name: 'a', price: '1.10', sold: true } }, errors: [] })
  const least = await world.run('mutation { add(name: "b") { name price sold } }')
  t.strictSame(least.data, { add: { name: 'b', price: null, sold: false } }, 'the defaults of the script hold')

  const twice = await world.run('mutation { add(name: "a") { id } }')
  t.match(twice.errors, [{ code: 'CONFLICT', details: { column: 'name' } }])
  const refused = await world.run('mutation { refuse(name: "c") { id } }')
  t.match(refused.errors, [{ code: 'SOLD_OUT', message: 'Nothing is left' }])
  t.strictSame((await world.run('{ items { name } }')).data, { items: [{ name: 'a' }, { name: 'b' }] }, 'undone')

  t.strictSame((await world.run('mutation { clear }')).data, { clear: true })
  t.strictSame((await world.run('{ items { name } }')).data, { items: [] })

  await t.test('results that are records and rows', async (t) => {
    const item = (name: string) => world.look(`SELECT count(*) FROM item WHERE name = '${name}'`)
    const status = (word: string) => world.run(`mutation { status(status: "${word}") { id name sold } }`)
    t.strictSame((await status('created')).data, { status: { id: '1', name: 'created', sold: null } }, 'read again')
    const failed = await status('failed:too_late')
    t.match([failed.data, failed.errors], [{ status: null }, [{ code: 'TOO_LATE', message: 'why' }]])
    t.strictSame(await item('failed:too_late'), [['1']], 'what fails by its status is committed')
    const unknown = await status('perhaps')
    t.match(unknown.errors, [
      { code: 'INTERNAL_SERVER_ERROR', message: /"fn_status" answered with the status "perhaps"/ },
    ])
    t.strictSame(await item('perhaps'), [['0']], 'what breaks the contract is undone')
    await world.run('mutation { add(name: "c", price: "2.50") { id } }')
    const { data } = await world.run('mutation { rows { id name price sold } }')
    t.strictSame(data.rows.at(-1), { id: '3', name: 'c', price: '2.50', sold: true })
  })

  await t.test('a write that cannot be answered is an error and writes nothing', async (t) => {
    const text = await world.run('mutation { text { id } }')
    t.match(text.errors, [
      { code: 'INTERNAL_SERVER_ERROR', message: 'What function "fn_text" gave is no JSON. Nothing was written.' },
    ])
    t.strictSame(await world.look("SELECT count(*) FROM item WHERE name = 'text'"), [['0']])
    const thing = await world.run('mutation { thing(kind: "Alien") { __typename } }')
    t.match(thing.errors, [{ message: /gave an entity of the type "Alien", which thing does not return/ }])
    t.strictSame((await world.run('mutation { thing(kind: "Item") { __typename } }')).data, {
      thing: { __typename: 'Item' },
    })
  })

  // proves: error.write-result
  await t.test('a result of unknown type does not compile', async (t) => {
    const own = { name: 'own', type: 'Item', sql_source: 'fn_own' }
    await t.rejects(executeWorldOn(database, { ...SCHEMA, mutations: [own] }), {
      message: /Mutation "own" calls "fn_own", whose columns are not known before it runs.*-- returns json.*"sqlite"/,
    })
    await t.rejects(executeWorldOn(database, SCHEMA, { offline: true }), {
      message: /Mutation "add" calls "fn_add", and nothing is known of its result. Compile with the database/,
    })
  })
})
