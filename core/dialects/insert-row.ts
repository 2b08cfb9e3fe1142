import type { Statement } from '../contract/statement.ts'
import { identifier, join, parameter, qualified, render, sql } from '../engine/sql/fragment.ts'
import type { Primitives } from './primitives.ts'

/**
 * Returns the unnamed statement `INSERT INTO "t" ("a", "b") VALUES ($1, $2)`. Its parameters are the values of the
 * columns, in the same order.
 * @param table unquoted name of the table, `t` or `schema.t`
 */
export function insertRow({ placeholder }: Primitives, table: string, columns: readonly string[]): Statement {
  const [first, second] = table.split('.') as [string, string?]
  const target = second === undefined ? qualified(undefined, first) : qualified(first, second)
  const names = join(columns.map(identifier), ', ')
  const values = join(
    columns.map(() => parameter({ read: () => null })),
    ', ',
  )
  const { text } = render(sql`INSERT INTO ${target} (${names}) VALUES (${values})`, placeholder)
  return { name: null, text }
}
