import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { AuthoredSchema } from '../../../core/index.ts'
import { executeWorldOn } from '../../helpers/execute-world.ts'
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
  fn_status: "SELECT 'ok' AS status, 'fine' AS message, NULL AS entity;",
}
const name = { name: 'name', type: 'String!' }
const SCHEMA: AuthoredSchema = {
  version: '1',
  types: [
    {
      name: 'Item',
      sql_source: 'item',
      fields: [
        { name: 'id', type: 'ID!' },
        { name: 'name', type: 'String!' },
        { name: 'price', type: 'Decimal' },
        { name: 'sold', type: 'Boolean' },
      ],
    },
  ],
  queries: [{ name: 'items', type: '[Item!]!', sql_source: 'item' }],
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
  ],
}

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

  const status = { name: 'status', type: 'Item', sql_source: 'fn_status' }
  await t.rejects(executeWorldOn(database, { ...SCHEMA, mutations: [status] }), {
    message: /Mutation "status" calls "fn_status", which gives the result itself.*"sqlite"/,
  })
})
