import { integer, type SampledSource } from '../../../core/doors/driver.ts'
import { identifier, render, type Statement, sql } from '../../../core/doors/plugin.ts'
import { PRIMITIVES } from './primitives.ts'

/** The types of JSON by PostgreSQL's names. */
export function sampleKeys({ name }: SampledSource, column: string, rows: number): Statement {
  const some = sql`SELECT ${identifier(column)} AS d FROM ${identifier(name)} LIMIT ${integer(rows)}`
  const object = sql`CASE WHEN json_valid(r.d) AND json_type(r.d) = 'object' THEN r.d ELSE '{}' END`
  const type = sql`CASE k.type WHEN 'text' THEN 'string' WHEN 'integer' THEN 'number' WHEN 'real' THEN 'number' ELSE k.type END`
  const { text } = render(
    sql`SELECT k.key, ${type}, CAST(count(*) AS TEXT) FROM (${some}) r, json_each(${object}) k GROUP BY 1, 2 ORDER BY 1, 2`,
    PRIMITIVES.placeholder,
  )
  return { name: null, text, readOnly: true }
}
