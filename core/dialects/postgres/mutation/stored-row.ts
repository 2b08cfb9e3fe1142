import { createHash } from 'node:crypto'
import type { Statement } from '../../../contract/statement.ts'
import {
  identifier,
  escapedLiteral as literal,
  parameter,
  qualified,
  render,
  type SqlFragment,
  sql,
} from '../../../engine/sql/fragment.ts'
import type { ObjectType } from '../../../schema/model.ts'
import { PRIMITIVES } from '../primitives/primitives.ts'

const ROW: SqlFragment = identifier('svc_stored')

/**
 * Writes a subquery of type `jsonb` that reads a row by id from the view or table of a type; NULL if there is no such
 * row. Keys of the object are the columns of the view or table, as in rows that functions return. It applies no access
 * rules, so use it for plugins that observe writes, never for a response.
 * @param id SQL of the id, of type text
 */
export function storedRow(type: ObjectType, id: SqlFragment): SqlFragment {
  const { source, document } = type
  if (source === null) throw new Error(`${type.name} has no source`)
  return sql`(SELECT ${documentOf(document)} FROM ${qualified(source.schema, source.name)} AS ${ROW} WHERE ${hasId(type, id)} LIMIT 1)`
}

/** Writes the document: the columns of the row, and the keys of its JSON column. */
function documentOf(document: string | null): SqlFragment {
  const all = sql`to_jsonb(${ROW})`
  if (document === null) return all
  const inner = sql`${ROW}.${identifier(document)}::jsonb`
  return sql`CASE WHEN jsonb_typeof(${inner}) = 'object' THEN ${inner} ELSE '{}' END || (${all} - ${literal(document)})`
}

function hasId({ name, source, fields, document }: ObjectType, id: SqlFragment): SqlFragment {
  const read = fields.get('id')?.read
  if (read?.from === 'document') return sql`${ROW}.${identifier(document!)} ->> ${literal(read.key)} = ${id}`
  if (read?.from !== 'column') throw new Error(`The id of ${name} is not stored`)
  const column = sql`${ROW}.${identifier(read.column)}`
  const type = source?.columns.find((candidate) => candidate.name === read.column)?.type ?? read.column_type
  if (type === null) return sql`${column}::text = ${id}`
  // Compares in the type of the column, so that its index is used. A text that is no valid id of that type matches nothing.
  if (type === 'uuid') return sql`${column} = CASE WHEN ${id} ~ ${UUID} THEN ${id}::uuid END`
  if (/^int[248]$/.test(type)) {
    const value = sql`CASE WHEN ${id}::numeric BETWEEN -9223372036854775808 AND 9223372036854775807 THEN ${id}::int8 END`
    return sql`${column} = CASE WHEN ${id} ~ '^-?[0-9]{1,19}$' THEN ${value} END`
  }
  return type === 'text' || type === 'varchar' ? sql`${column} = ${id}` : sql`${column}::text = ${id}`
}

const UUID: SqlFragment = literal('^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$')

const ID = parameter({ read: () => null })

/**
 * Returns the statement that reads a row by id from the view or table of a type, as JSON text with the columns as keys;
 * NULL if there is no row. Its only parameter is the id, as text. It applies no access rules.
 */
export function storedRowById(type: ObjectType): Statement {
  const { text } = render(sql`SELECT ${storedRow(type, sql`${ID}::text`)}::text`, PRIMITIVES.placeholder)
  const name = `s_${createHash('sha256').update(text).digest('hex').slice(0, 40)}`
  return { name, text }
}
