import type { FieldModel, ObjectType } from '../schema/model.ts'
import { identifier, join, type SqlFragment, sql } from '../sql/fragment.ts'
import { didYouMean, listNames } from '../util/nearest.ts'
import { comparable } from './operand.ts'
import { inputError, type PlanContext } from './plan-context.ts'
import { entriesOf, itemsOf, type PlanValue } from './plan-value.ts'
import { columnOf, columnOrKey, fieldValue, type Row } from './row.ts'
import type { Filterable } from './where.ts'

const DIRECTIONS: Readonly<Record<string, { readonly sql: SqlFragment; readonly descending: boolean }>> = {
  ASC: { sql: sql` ASC`, descending: false },
  DESC: { sql: sql` DESC`, descending: true },
  ASC_NULLS_FIRST: { sql: sql` ASC NULLS FIRST`, descending: false },
  ASC_NULLS_LAST: { sql: sql` ASC NULLS LAST`, descending: false },
  DESC_NULLS_FIRST: { sql: sql` DESC NULLS FIRST`, descending: true },
  DESC_NULLS_LAST: { sql: sql` DESC NULLS LAST`, descending: true },
}

/**
 * `ORDER BY`, always total where the source has a key: the key breaks ties, in the direction of the last sort key, so
 * that pages neither overlap nor miss rows.
 * @param type `null` for unions, which have no fields of their own
 * @returns `null` = the source has no key and the client asked for no order
 */
export function compileOrder(
  context: PlanContext,
  type: Filterable | null,
  row: Row,
  value: PlanValue,
  place: string,
): SqlFragment | null {
  const keys: SqlFragment[] = []
  const sorted = new Set<string>()
  let descending = false
  const wanted = value.sample === null || value.sample === undefined ? [] : itemsOf(value, context.variables)
  for (const [index, item] of wanted.entries()) {
    const entries = entriesOf(item, context.variables) ?? []
    const at = `${place}[${index}]`
    if (entries.length !== 1) throw inputError(context, at, 'each element names exactly one field, { field: ASC }.')
    for (const [name, direction] of entries) {
      const known = typeof direction.sample === 'string' ? DIRECTIONS[direction.sample] : undefined
      if (known === undefined) {
        throw inputError(context, `${at}.${name}`, `a direction is one of ${Object.keys(DIRECTIONS).join(', ')}.`)
      }
      const field = orderable(context, type, name, `${at}.${name}`)
      keys.push(sql`${sortKey(context, row, field, `${at}.${name}`)}${known.sql}`)
      if (field.read?.from === 'column') sorted.add(field.read.column)
      descending = known.descending
    }
  }
  const suffix = descending ? sql` DESC` : sql` ASC`
  const unique = uniqueKey(type, row)
  if (unique.length === 0 || !unique.every((column) => sorted.has(column))) {
    for (const column of unique) if (!sorted.has(column)) keys.push(sql`${keyColumn(type, row, column)}${suffix}`)
  }
  return keys.length === 0 ? null : join(keys, ', ')
}

function orderable(context: PlanContext, type: Filterable | null, name: string, place: string): FieldModel {
  const field = type?.fields.get(name)
  if (type !== null && field !== undefined && isOrderable(field)) return field
  const names = type === null ? [] : [...type.fields.values()].filter(isOrderable).map((f) => f.wireName)
  const hint = `${didYouMean(name, names)} It can be sorted by ${listNames(names)}.`
  throw inputError(context, place, `there is no sort key "${name}".${names.length === 0 ? '' : hint}`)
}

/** Scalars and enums that the source stores; no lists, no JSON. */
export function isOrderable(field: FieldModel): boolean {
  const { named, read } = field
  if (!field.orderable || field.list || read === null || read.from === 'relation') return false
  return named.kind === 'enum' || (named.kind === 'scalar' && named.base !== 'JSON')
}

function sortKey(context: PlanContext, row: Row, field: FieldModel, place: string): SqlFragment {
  const value = fieldValue(row, field)
  const { named } = field
  if (value === null || (named.kind !== 'scalar' && named.kind !== 'enum')) {
    throw inputError(context, place, 'this field cannot be sorted by.')
  }
  return comparable(named, value).value
}

/** Names of the columns that identify a row of the source; empty when nothing is known to. */
function uniqueKey(type: Filterable | null, row: Row): readonly string[] {
  const source = row.source
  if (source === null) return []
  if (source.key.length > 0) return source.key
  const cursor = cursorOf(type)
  if (cursor !== null) return [cursor.column]
  const id = type?.fields.get('id')?.read
  if (id?.from === 'column') return [id.column]
  if (id?.from === 'document' && row.document !== null) return [id.key]
  return columnOf(source, 'id') === undefined ? [] : ['id']
}

function keyColumn(type: Filterable | null, row: Row, column: string): SqlFragment {
  const cursor = cursorOf(type)
  if (cursor !== null && cursor.column === column && cursor.document === null && row.alias !== null) {
    return sql`${row.alias}.${identifier(column)}`
  }
  const value = columnOrKey(row, column, null)
  return value.from === 'column' ? value.sql : value.text
}

function cursorOf(type: Filterable | null): ObjectType['cursor'] {
  return type?.kind === 'object' ? type.cursor : null
}
