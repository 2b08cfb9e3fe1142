import { didYouMean, listNames } from '../../base/util/nearest.ts'
import type { RowFilter, RowFilterValue } from '../../contract/access.ts'
import { rowFilterProblem, splitRowFilter } from '../../schema/row-filter.ts'
import { absent, invalid } from './invalid.ts'

class SqlRowFilter {
  readonly text: string
  readonly values: Readonly<Record<string, RowFilterValue>>

  constructor(text: string, values: Readonly<Record<string, RowFilterValue>>) {
    this.text = text
    this.values = values
  }
}

/**
 * Creates an SQL condition for `access.where` over the columns of the type's view or table. Values that vary must be
 * placeholders: they are bound as parameters and never become part of the text.
 *
 *     access.where('Document', rowFilter('owner_id = {owner} OR team = ANY({teams})', { owner, teams }))
 *
 * @throws SvcError SVC_ACCESS_INVALID: the text is no condition, or placeholders and values do not match
 */
export function rowFilter(text: string, values: Readonly<Record<string, RowFilterValue>> = {}): RowFilter {
  const problem = typeof text !== 'string' || text.trim() === '' ? 'there is no text.' : rowFilterProblem(text)
  if (problem !== null) throw invalid(`rowFilter: ${problem}`)
  const names = Object.keys(values)
  const wanted = new Set(splitRowFilter(text).flatMap((part) => ('placeholder' in part ? [part.placeholder] : [])))
  for (const name of wanted) {
    if (Object.hasOwn(values, name)) continue
    throw invalid(`rowFilter: there is no value for {${name}}.${didYouMean(name, names)}`)
  }
  const unused = names.filter((name) => !wanted.has(name))
  if (unused.length > 0) {
    throw invalid(`rowFilter: the text has no placeholder for ${listNames(unused.map((name) => `"${name}"`))}.`)
  }
  return new SqlRowFilter(text, { ...values }) as unknown as RowFilter
}

/**
 * Returns the text of a SQL condition that {@link rowFilter} made, with frozen copies of its values; `null`: {@link
 * rowFilter} did not make the argument.
 * @param known `true`: the caller has a credential
 * @throws SvcError SVC_ACCESS_INVALID for a value of another type. For a missing value, FORBIDDEN, or UNAUTHENTICATED
 * without a credential
 */
export function readRowFilter(
  filter: unknown,
  known: boolean,
): { readonly text: string; readonly values: Readonly<Record<string, unknown>> } | null {
  if (!(filter instanceof SqlRowFilter)) return null
  const values: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(filter.values)) values[name] = copyValue(name, value, known)
  return { text: filter.text, values }
}

function copyValue(name: string, value: unknown, known: boolean): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map((item) => copyValue(name, item, known)))
  if (value === undefined || value === null) throw absent(known, `rowFilter: {${name}} has no value.`)
  if (['string', 'number', 'bigint', 'boolean'].includes(typeof value)) return value
  throw invalid(`rowFilter: {${name}} is a text, a number, a boolean, or a list of them, not a ${typeof value}.`)
}
