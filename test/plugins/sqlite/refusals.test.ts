import t from 'tap'
import type { AuthoredSchema } from '../../../core/doors/command.ts'
import { POSTGRES } from '../../../core/doors/driver.ts'
import { compileFixture, readCatalogFor } from '../../helpers/compile-fixture.ts'
import { tableSchema } from '../../schemas/table-schema.ts'
import { eachLibrary, open } from './open-sqlite.ts'

/** A connection over the table of that name, whose key is its first column. */
function schemaOver(table: string): AuthoredSchema {
  return tableSchema(
    { name: 'Item', sql_source: table, relay: true, fields: { id: 'ID!' } },
    { queries: [{ name: 'items', type: '[Item!]!', sql_source: table, relay: true }] },
  )
}

await eachLibrary(t, 'a connection pages by integers and texts alone', async (t, library) => {
  const types = [
    'INTEGER',
    'BIGINT',
    'TEXT',
    'UUID',
    'DECIMAL TEXT',
    'NUMERIC',
    'REAL',
    'DATETIME',
    'DATE',
    'BOOLEAN',
    'JSON TEXT',
    'BLOB',
  ]
  const tables = types.map((type, i) => `CREATE TABLE t${i} (pk_item ${type} PRIMARY KEY NOT NULL, id TEXT NOT NULL);`)
  const odd = 'CREATE TABLE odd (pk_item INTEGER PRIMARY KEY, id DECIMAL TEXT NOT NULL);'
  const view = 'CREATE VIEW v_any AS SELECT pk_item + 0 AS pk_item, id FROM t0;'
  const database = await open(t, { library, sql: [...tables, odd, view].join('\n') })
  const compile = async (table: string, dialect: Parameters<typeof compileFixture>[3] = database.dialect) =>
    compileFixture(schemaOver(table), await readCatalogFor(schemaOver(table), database), undefined, dialect)
  for (const [i, type] of types.entries()) {
    if (i < 4) t.ok(await compile(`t${i}`), type)
    else {
      const message = new RegExp(
        `Query "items" is relay: its cursors hold t${i}\\.pk_item, which is \\w+\\. .*"sqlite".*int8, text, uuid`,
      )
      await t.rejects(compile(`t${i}`), { message }, type)
    }
  }
  await t.rejects(compile('odd'), { message: /its cursors hold odd\.id, which is numeric/ }, 'what tells rows apart')
  t.ok(await compile('v_any'), 'a column of which nothing is known')
  t.ok(await compile('t4', POSTGRES), 'PostgreSQL pages by whatever has an order')
})
