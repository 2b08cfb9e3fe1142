import { type Dialect, defineDialect, integer, qualified, type SampledSource } from '../../../core/doors/driver.ts'
import { identifier, render, type Statement, sql } from '../../../core/doors/plugin.ts'
import { ERRORS } from './errors.ts'
import { type Flavour, MARIADB, MYSQL_8 } from './flavour.ts'
import { isReadByCast } from './leaf.ts'
import { primitivesOf } from './primitives.ts'
import { TIMES, writeCallOf } from './write.ts'

const REPLACEABLE =
  /^CREATE\s+(?:DEFINER\s*=\s*\S+\s+)?(PROCEDURE|FUNCTION|TRIGGER)\s+((?:\w+|"(?:[^"]|"")*"|`(?:[^`]|``)*`)(?:\s*\.\s*(?:\w+|"(?:[^"]|"")*"|`(?:[^`]|``)*`))?)/i

/** MySQL has CREATE OR REPLACE for views only, so that a DROP comes before the others. */
function replacing(statement: string): readonly string[] {
  const [, kind, name] = REPLACEABLE.exec(statement) ?? []
  if (kind === undefined) return [statement.replace(/^CREATE\s+(?=VIEW\b)/i, 'CREATE OR REPLACE ')]
  return name === undefined || /^IF$/i.test(name) ? [statement] : [`DROP ${kind} IF EXISTS ${name}`, statement]
}

function dialectOf(flavour: Flavour): Dialect {
  const primitives = primitivesOf(flavour)
  return defineDialect({
    name: 'mysql',
    primitives,
    times: TIMES,
    write: writeCallOf(primitives),
    describeCall: null,
    replacing,
    sampleKeys: (source, column, rows) => sampleKeys(primitives.placeholder, source, column, rows),
    readsDocuments: ({ columns }, isNeeded) => isNeeded && columns.length > 0,
    isReadByCast,
    errors: ERRORS,
  })
}

/** The SQL dialect of MariaDB 10.11 and later: how svc writes statements for it and reads its errors. */
export const MYSQL: Dialect = dialectOf(MARIADB)

/** The SQL dialect of MySQL 8.0.14 and later. */
export const MYSQL_SERVER: Dialect = dialectOf(MYSQL_8)

/** Samples the keys of JSON documents, with PostgreSQL's names for the JSON types. */
function sampleKeys(
  placeholder: (number: number) => string,
  { schema, name }: SampledSource,
  column: string,
  rows: number,
): Statement {
  const some = sql`SELECT ${identifier(column)} AS d FROM ${qualified(schema, name)} LIMIT ${integer(rows)}`
  const object = sql`CASE WHEN JSON_TYPE(r.d) = 'OBJECT' THEN r.d ELSE '{}' END`
  const type = sql`LOWER(JSON_TYPE(JSON_EXTRACT(${object}, CONCAT('$.', JSON_QUOTE(k.v)))))`
  const named = sql`CASE WHEN ${type} IN ('integer', 'double', 'decimal', 'unsigned integer') THEN 'number' ELSE ${type} END`
  const { text } = render(
    sql`SELECT k.v, ${named}, CONCAT(COUNT(*)) FROM (${some}) r, JSON_TABLE(JSON_KEYS(${object}), '$[*]' COLUMNS (v LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$')) k GROUP BY 1, 2 ORDER BY 1, 2`,
    placeholder,
  )
  return { name: null, text, readOnly: true }
}
