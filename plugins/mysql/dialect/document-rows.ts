import { join, type Primitives, type SqlFragment } from '../../../core/doors/driver.ts'
import { identifier, sql } from '../../../core/doors/plugin.ts'
import type { Flavour } from './flavour.ts'
import { momentOf } from './forms.ts'
import { key, tableOf } from './json.ts'
import { kindOfType } from './kind.ts'

type Source = Parameters<NonNullable<Primitives['documentRows']>>[0]

/** Writes a source of rows from a JSON list, with the types of the source's columns. */
export function documentRows(flavour: Flavour, { columns }: Source, slot: SqlFragment): SqlFragment {
  const values = columns.map(({ name, type }) => sql`${columnOf(flavour, name, type)} AS ${identifier(name)}`)
  return sql`(SELECT ${join(values, ', ')} FROM ${tableOf(slot, sql`d$`)})`
}

const NUMBER = sql`'^[+-]?[0-9]*[.]?[0-9]+([eE][+-]?[0-9]+)?$'`

function columnOf(flavour: Flavour, name: string, type: string): SqlFragment {
  const { json, text } = key(flavour, sql`d$.j`, name)
  // A text that is no number would become 0, which may satisfy a rule.
  const number = (target: SqlFragment): SqlFragment =>
    sql`CASE WHEN ${text} REGEXP ${NUMBER} THEN CAST(${text} AS ${target}) END`
  switch (kindOfType(type)) {
    case 'integer':
    case 'decimal':
      return number(sql`DECIMAL(65,30)`)
    case 'real':
      return number(sql`DOUBLE`)
    case 'boolean':
      return sql`CASE WHEN ${text} IN ('true', '1') THEN 1 WHEN ${text} IN ('false', '0') THEN 0 END`
    case 'datetime':
      return momentOf(text)
    case 'date':
      return sql`CAST(${momentOf(text)} AS DATE)`
    case 'time':
      return sql`CAST(${text} AS TIME(6))`
    case 'json':
      // A function may have returned JSON as a text.
      return sql`CASE WHEN JSON_TYPE(${json}) = 'STRING' AND JSON_VALID(${text}) THEN ${text} ELSE ${json} END`
    case 'bytes':
      return sql`UNHEX(SUBSTR(${text}, 3))`
    default:
      return text
  }
}
