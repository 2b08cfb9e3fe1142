import { EMPTY, type SqlFragment, sql, word } from '../../../engine/sql/fragment.ts'

/** Writes a cast: `value::type`. */
export function cast(value: SqlFragment, type: string): SqlFragment {
  return sql`${value}::${typeName(type)}`
}

/** Converts svc's name of a PostgreSQL type to SQL: `_text` becomes `text[]`. */
export function typeName(type: string): SqlFragment {
  const array = type.startsWith('_')
  return sql`${word(array ? type.slice(1) : type)}${array ? sql`[]` : EMPTY}`
}
