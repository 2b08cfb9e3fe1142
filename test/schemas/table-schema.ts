import type { AuthoredField, AuthoredQuery, AuthoredSchema, AuthoredType } from '../../core/schema/authored.ts'

/** Fields by name, each with its GraphQL type, or with its type and options; or written in full. */
type Fields = Readonly<Record<string, string | Omit<AuthoredField, 'name'>>> | readonly AuthoredField[]

interface TableType extends Omit<AuthoredType, 'fields'> {
  readonly fields: Fields
  /** Name of a query for a list of all rows. Absent: only the queries of `more`. */
  readonly list?: string
}

/**
 * A schema with one type over one table or view, for a test whose subject is the columns of that table.
 *
 * @param more the rest of the schema; its queries follow the list query
 */
export function tableSchema(
  { list, fields, ...type }: TableType,
  { queries = [], ...more }: Partial<AuthoredSchema> = {},
): AuthoredSchema {
  const all: readonly AuthoredQuery[] = list === undefined ? [] : [{ name: list, type: `[${type.name}!]!` }]
  return { version: '1', ...more, types: [{ ...type, fields: inFull(fields) }], queries: [...all, ...queries] }
}

function inFull(fields: Fields): readonly AuthoredField[] {
  if (Array.isArray(fields)) return fields
  return Object.entries(fields).map(([name, field]) =>
    typeof field === 'string' ? { name, type: field } : { name, ...field },
  )
}
