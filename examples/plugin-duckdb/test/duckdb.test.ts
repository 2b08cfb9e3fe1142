import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { testPlugin } from 'svc/testing'
import t from 'tap'
import { openDuckdb } from '../driver.ts'
import duckdb from '../index.ts'

const CONFIG = {
  url: 'duckdb:',
  ssl_mode: 'disable',
  pool_min: 0,
  pool_max: 2,
  connect_timeout_ms: 1000,
  idle_timeout_ms: 1000,
  prepared_statements: true,
  plan_cache_mode: 'auto',
} as const

t.test('reads a file, and writes nothing', async (t) => {
  const file = join(t.testdir(), 'shop.duckdb')
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  await connection.run("CREATE TABLE item (id INTEGER PRIMARY KEY, name VARCHAR); INSERT INTO item VALUES (1, 'Tea')")
  connection.closeSync()
  instance.closeSync()

  const database = await openDuckdb(file, CONFIG, {})
  const read = { name: null, text: 'SELECT id, name FROM item WHERE id = CAST($1 AS INTEGER)', readOnly: true }
  t.same((await database.query(read, ['1'], null)).rows, [['1', 'Tea']])
  await t.rejects(database.query({ name: null, text: 'DELETE FROM item' }, [], null), { code: '25006' })
  const { relations } = await database.catalog({ relations: ['item'], functions: [] })
  t.match(relations.get('item'), { primaryKey: ['id'], columns: [{ name: 'id', type: 'int4', notNull: true }, {}] })
  await database.close()
})

t.test('has a driver', async (t) => {
  const tested = await testPlugin(duckdb)
  t.match(tested.kernel.drivers, [{ name: 'duckdb' }])
  t.ok(tested.kernel.drivers[0]?.accepts('duckdb:./shop.duckdb'))
  await tested.close()
})
