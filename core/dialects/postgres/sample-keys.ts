import type { SampledSource } from '../../contract/dialect.ts'
import type { Statement } from '../../contract/statement.ts'
import { identifier, integer, qualified, render, sql } from '../../engine/sql/fragment.ts'
import { PRIMITIVES } from './primitives.ts'

/** A value that is no object has no keys. */
export function sampleKeys({ schema, name }: SampledSource, column: string, rows: number): Statement {
  const some = sql`SELECT ${identifier(column)}::jsonb AS d FROM ${qualified(schema, name)} LIMIT ${integer(rows)}`
  const keys = sql`jsonb_each(CASE WHEN jsonb_typeof(r.d) = 'object' THEN r.d END) k`
  const { text } = render(
    sql`SELECT k.key, jsonb_typeof(k.value), count(*)::text FROM (${some}) r, ${keys} GROUP BY 1, 2 ORDER BY 1, 2`,
    PRIMITIVES.placeholder,
  )
  return { name: null, text, readOnly: true }
}
