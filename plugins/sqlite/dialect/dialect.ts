import { defineDialect, integer, type SampledSource } from '../../../core/doors/driver.ts'
import { identifier, render, type Statement, sql } from '../../../core/doors/plugin.ts'
import { ERRORS } from './errors.ts'
import { isReadByCast } from './leaf.ts'
import { PRIMITIVES } from './primitives.ts'
import { TIMES, writeCall } from './write.ts'

const REPLACEABLE = /^CREATE\s+(VIEW|TRIGGER)\s+((?:\w+|"(?:[^"]|"")*")(?:\s*\.\s*(?:\w+|"(?:[^"]|"")*"))?)/i

/** SQLite has no CREATE OR REPLACE, so that a DROP comes first. */
function replacing(statement: string): readonly string[] {
  const [, kind, name] = REPLACEABLE.exec(statement) ?? []
  return name === undefined || /^IF$/i.test(name) ? [statement] : [`DROP ${kind} IF EXISTS ${name}`, statement]
}

/** The SQL dialect of SQLite: how svc writes statements for it and reads its errors. */
export const SQLITE = defineDialect({
  name: 'sqlite',
  primitives: PRIMITIVES,
  times: TIMES,
  cursorTypes: new Set(['int8', 'text', 'uuid']),
  write: writeCall,
  describeCall: null,
  replacing,
  sampleKeys,
  // Without rules the values of a row are shown as written in its document, with all digits of numbers.
  readsDocuments: ({ columns }, isNeeded) => isNeeded && columns.length > 0,
  isReadByCast,
  errors: ERRORS,
})

/** Samples the keys of JSON documents, with PostgreSQL's names for the JSON types. */
function sampleKeys({ name }: SampledSource, column: string, rows: number): Statement {
  const some = sql`SELECT ${identifier(column)} AS d FROM ${identifier(name)} LIMIT ${integer(rows)}`
  const object = sql`CASE WHEN json_valid(r.d) AND json_type(r.d) = 'object' THEN r.d ELSE '{}' END`
  const type = sql`CASE k.type WHEN 'text' THEN 'string' WHEN 'integer' THEN 'number' WHEN 'real' THEN 'number' ELSE k.type END`
  const { text } = render(
    sql`SELECT k.key, ${type}, CAST(count(*) AS TEXT) FROM (${some}) r, json_each(${object}) k GROUP BY 1, 2 ORDER BY 1, 2`,
    PRIMITIVES.placeholder,
  )
  return { name: null, text, readOnly: true }
}
