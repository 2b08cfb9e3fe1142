import { join, type Primitives, type SqlFragment } from '../../../core/doors/driver.ts'
import { identifier, sql } from '../../../core/doors/plugin.ts'
import { key } from './json.ts'
import { kindOfType } from './kind.ts'

type Source = Parameters<NonNullable<Primitives['documentRows']>>[0]

/** Rows of JSON text in the place of a source, with the affinities that its columns have: SQL of authors compares by them. */
export function documentRows({ columns }: Source, slot: SqlFragment): SqlFragment {
  const values = columns.map(({ name, type }) => sql`${columnOf(name, type)} AS ${identifier(name)}`)
  return sql`(SELECT ${join(values, ', ')} FROM json_each(${slot}) d$)`
}

function columnOf(name: string, type: string | null): SqlFragment {
  const { json, text } = key(sql`d$.value`, name)
  switch (kindOfType(type)) {
    case 'integer':
    case 'real':
    case 'decimal':
    case 'boolean':
      // A text that is no number would become 0, for which a rule may hold.
      return sql`CAST(CASE WHEN json_type(${json}) <> 'text' OR (${text} GLOB '[0-9.+-]*' AND ${text} NOT GLOB '*[^0-9.eE+-]*') THEN ${text} END AS NUMERIC)`
    case 'json':
      // A function may have given the text of the JSON.
      return sql`CASE WHEN json_type(${json}) = 'text' AND json_valid(${text}) THEN ${text} ELSE ${json} END`
    default:
      return type === 'text' ? sql`CAST(${text} AS TEXT)` : text
  }
}
