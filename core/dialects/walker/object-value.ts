import { join, type SqlFragment, sql } from '../../engine/sql/fragment.ts'
import type { Projection, TextMember } from '../sql-value.ts'

/** Alias of the subquery whose row is the object. No response key has this name, because a name would refer to a column before a row. */
const ROW = sql`r$`

/**
 * Writes the subquery `(SELECT … FROM …) r$` for a response object. @param rest clauses after the select list, with a
 * leading space
 */
export function subquery(projection: Projection, rest: SqlFragment): SqlFragment {
  return sql`(SELECT ${projection.columns}${rest}) ${ROW}`
}

/**
 * Writes a response object as a subquery that returns one value. @param rest clauses after the select list, with a
 * leading space
 */
export function objectValue(projection: Projection, rest: SqlFragment): SqlFragment {
  const { flat } = projection
  if (flat !== undefined) return rest.parts.length === 0 ? flat : sql`(SELECT ${flat}${rest})`
  return sql`(SELECT ${projection.value} FROM ${subquery(projection, rest)})`
}

/**
 * Returns the SQL texts whose concatenation is the JSON text of an object, in order. Constant texts next to each other
 * are one literal.
 * @param literal writes a SQL literal
 */
export function objectTextParts(
  members: readonly TextMember[],
  literal: (text: string) => SqlFragment,
): readonly SqlFragment[] {
  const parts: SqlFragment[] = []
  let known = '{'
  for (const [index, { key, value }] of members.entries()) {
    known += `${index === 0 ? '' : ','}${JSON.stringify(key)}:`
    if (typeof value === 'string') known += value
    else {
      parts.push(literal(known), value)
      known = ''
    }
  }
  parts.push(literal(`${known}}`))
  return parts
}

/**
 * Writes the concatenation of SQL texts with `||`. The parse tree of a chain is as deep as the chain is long, so more
 * than `longest` texts become nested chains.
 * @param parts at least one
 */
export function concatenated(parts: readonly SqlFragment[], longest: number): SqlFragment {
  if (parts.length <= longest) return sql`(${join(parts, ' || ')})`
  const chains: SqlFragment[] = []
  for (let i = 0; i < parts.length; i += longest) chains.push(concatenated(parts.slice(i, i + longest), longest))
  return concatenated(chains, longest)
}
