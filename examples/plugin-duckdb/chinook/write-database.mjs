/** Writes chinook.duckdb beside this file: the tables, rows and views of ../../chinook, in the SQL of DuckDB. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'

const here = fileURLToPath(new URL('.', import.meta.url))
const source = process.argv[2] ?? join(here, '../../chinook/db')
const read = (name) => readFileSync(join(source, name), 'utf8')

/** DuckDB cannot add a foreign key to a table, so that they are in CREATE TABLE, and a table comes after those it refers to. */
function tables() {
  const text = read('01_tables.sql')
  const keys = new Map()
  for (const [, table, key] of text.matchAll(/ALTER TABLE (\w+) ADD CONSTRAINT \w+\s+(FOREIGN KEY .*?) ON DELETE/g)) {
    keys.set(table, [...(keys.get(table) ?? []), key])
  }
  const created = new Map(
    [...text.matchAll(/CREATE TABLE (\w+)\n\((.*?)\n\);/gs)].map(([, table, columns]) => [
      table,
      `CREATE TABLE ${table} (${[columns, ...(keys.get(table) ?? [])].join(',\n    ')});`,
    ]),
  )
  const order = []
  const add = (table) => {
    if (order.includes(table)) return
    for (const key of keys.get(table) ?? []) {
      const other = /REFERENCES (\w+)/.exec(key)[1]
      if (other !== table) add(other)
    }
    order.push(table)
  }
  for (const table of created.keys()) add(table)
  return order.map((table) => created.get(table)).join('\n')
}

/** Dates with two digits, and strings without their N, which PostgreSQL reads without the spaces at their end. */
function rows() {
  return (
    read('02_data.sql')
      .replace(/(N?)'((?:[^']|'')*)'/g, (_found, n, text) => `'${n === '' ? toIsoDate(text) : text.trimEnd()}'`)
      // DuckDB looks a referenced row up among those of earlier statements: employees refer to employees.
      .replace(/(INSERT INTO employee .*? VALUES)(.*?);/s, (_found, head, list) =>
        list.split(/,\n\s*(?=\()/).map((row) => `${head} ${row};`).join('\n'),
      )
  )
}

/** `2021/11/7` → `2021-11-07` */
function toIsoDate(text) {
  const [, year, month, day] = /^(\d{4})\/(\d{1,2})\/(\d{1,2})$/.exec(text) ?? []
  return year === undefined ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

function views() {
  return (
    read('03_views.sql')
      .replaceAll('jsonb_build_object(', 'json_object(')
      .replace('jsonb_agg(', 'to_json(list(')
      .replace('ORDER BY l.invoice_line_id)', 'ORDER BY l.invoice_line_id))')
      // A number in a JSON document of DuckDB has no trailing zeros, and NUMERIC without digits has three.
      .replace("'total', i.total", "'total', CAST(i.total AS VARCHAR)")
      .replace('NULL::numeric', 'NULL::numeric(10, 2)')
  )
}

const file = join(process.argv[3] ?? here, 'chinook.duckdb')
rmSync(file, { force: true })
const instance = await DuckDBInstance.create(file)
const connection = await instance.connect()
for (const script of [tables(), rows(), views()]) await connection.run(script)
connection.closeSync()
instance.closeSync()
