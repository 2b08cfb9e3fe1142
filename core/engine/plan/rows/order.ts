import { didYouMean, listNames } from '../../../base/util/nearest.ts'
import type { Direction, OrderTerm } from '../../../contract/plan/read-plan.ts'
import type { SourceRow, StoredValue, Target } from '../../../contract/plan/stored-value.ts'
import type { FieldModel, ObjectType } from '../../../schema/model.ts'
import { isManyValued, scalarOf } from '../../../schema/scalars.ts'
import type { Filterable } from '../conditions/relation-filter.ts'
import { boundSortKeys } from '../context/limits.ts'
import { inputError, type PlanContext } from '../context/plan-context.ts'
import { entriesOf, itemsOf, type PlanValue } from '../context/plan-value.ts'
import { refuseClosed } from '../context/refuse-closed.ts'
import { targetOf } from '../values/operand.ts'
import { columnOf, columnOrKey, columnValue, fieldValue } from '../values/stored.ts'

const DIRECTIONS: readonly Direction[] = [
  'ASC',
  'DESC',
  'ASC_NULLS_FIRST',
  'ASC_NULLS_LAST',
  'DESC_NULLS_FIRST',
  'DESC_NULLS_LAST',
]

/**
 * Plans the order of rows from `orderBy`. If the view or table has a key, the key is added as the last sort key, with
 * the direction of the one before it, so that pages neither overlap nor miss rows.
 * @param type type of the rows; `null` for unions, which cannot be sorted
 * @param value the argument `orderBy`
 * @param place name of the argument, for errors
 * @returns an empty list if the view or table has no key and the client passed no `orderBy`
 */
export function planOrder(
  context: PlanContext,
  type: Filterable | null,
  row: SourceRow,
  value: PlanValue,
  place: string,
): readonly OrderTerm[] {
  const { terms, columns, direction } = wantedOrder(context, type, row, value, place)
  const keys = uniqueKey(type, row)
    .filter((column) => !columns.has(column))
    .map((column): WantedTerm => {
      const value = keyColumn(type, row, column)
      return { kind: 'by', target: { value, named: null, list: false, type: null }, direction }
    })
  return [...terms.map(({ term }) => term), ...keys]
}

type WantedTerm = Extract<OrderTerm, { kind: 'by' }>

/** The sort keys that a client passed in `orderBy`, without repetitions. */
export interface WantedOrder {
  readonly terms: readonly { readonly field: FieldModel; readonly term: WantedTerm }[]
  /** Columns of the view or table that are among the sort keys. */
  readonly columns: ReadonlySet<string>
  /**
   * Direction of the last sort key, or ASC without one. The key of the view or table is added as a sort key with this
   * direction.
   */
  readonly direction: 'ASC' | 'DESC'
}

/**
 * Reads the sort keys of a client's `orderBy`.
 * @param type type of the rows; `null` for unions, which cannot be sorted
 * @param value the argument `orderBy`
 * @param place name of the argument, for errors
 */
export function wantedOrder(
  context: PlanContext,
  type: Filterable | null,
  row: SourceRow,
  value: PlanValue,
  place: string,
): WantedOrder {
  const terms: { readonly field: FieldModel; readonly term: WantedTerm }[] = []
  const columns = new Set<string>()
  const fields = new Set<FieldModel>()
  let descending = false
  const wanted = value.sample === null || value.sample === undefined ? [] : itemsOf(value, context.variables)
  boundSortKeys(context, wanted.length, place)
  for (const [index, item] of wanted.entries()) {
    const entries = entriesOf(item, context.variables) ?? []
    const at = `${place}[${index}]`
    if (entries.length !== 1) throw inputError(context, at, 'each element names exactly one field, { field: ASC }.')
    for (const [name, direction] of entries) {
      const known = readDirection(context, direction.sample, `${at}.${name}`)
      const field = orderable(context, type, name, `${at}.${name}`)
      // Ties are broken in the direction of the last key, even if that key is a repetition.
      descending = known.startsWith('DESC')
      // A repeated key has no effect on the order, and thousands of them exceed the limits of SQLite.
      if (fields.has(field)) continue
      fields.add(field)
      const target = sortKey(context, row, field, `${at}.${name}`)
      terms.push({ field, term: { kind: 'by', target, direction: known } })
      if (field.read?.from === 'column') columns.add(field.read.column)
    }
  }
  return { terms, columns, direction: descending ? 'DESC' : 'ASC' }
}

/**
 * Returns a sort direction after a check that it is valid. @param place path of the value in the arguments, for the
 * error
 * @throws SvcError BAD_USER_INPUT
 */
export function readDirection(context: PlanContext, given: unknown, place: string): Direction {
  const known = DIRECTIONS.find((candidate) => candidate === given)
  if (known === undefined) throw inputError(context, place, `a direction is one of ${DIRECTIONS.join(', ')}.`)
  return known
}

function orderable(context: PlanContext, type: Filterable | null, name: string, place: string): FieldModel {
  const field = type?.fields.get(name)
  if (type !== null && field !== undefined && isOrderable(field)) {
    refuseClosed(context, type, field, place)
    return field
  }
  const names = type === null ? [] : [...type.fields.values()].filter(isOrderable).map((f) => f.wireName)
  const hint = `${didYouMean(name, names)} It can be sorted by ${listNames(names)}.`
  throw inputError(context, place, `there is no sort key "${name}".${names.length === 0 ? '' : hint}`)
}

/**
 * Tests whether clients can sort by a field: a stored scalar or enum, except lists, JSON, vectors and PostGIS
 * locations.
 */
export function isOrderable(field: FieldModel): boolean {
  const { named, read } = field
  if (!field.orderable || field.list || field.place !== null || read === null || read.from === 'relation') return false
  return named.kind === 'enum' || (named.kind === 'scalar' && !isManyValued(scalarOf(named)))
}

function sortKey(context: PlanContext, row: SourceRow, field: FieldModel, place: string): Target {
  const value = fieldValue(row, field)
  const { named } = field
  if (value === null || (named.kind !== 'scalar' && named.kind !== 'enum')) {
    throw inputError(context, place, 'this field cannot be sorted by.')
  }
  return targetOf(named, value)
}

/** Returns the names of the columns that identify a row of the source; empty if unknown. */
function uniqueKey(type: Filterable | null, row: SourceRow): readonly string[] {
  const { source } = row
  if (type?.kind === 'object' && type.key !== null) return type.key
  if (source.key.length > 0) return source.key
  const cursor = cursorOf(type)
  if (cursor !== null) return [cursor.column]
  const id = type?.fields.get('id')?.read
  if (id?.from === 'column') return [id.column]
  if (id?.from === 'document' && row.document !== null) return [id.key]
  return columnOf(source, 'id') === undefined ? [] : ['id']
}

function keyColumn(type: Filterable | null, row: SourceRow, column: string): StoredValue {
  const cursor = cursorOf(type)
  if (cursor !== null && cursor.column === column && cursor.document === null) {
    return columnValue(row, column, null, false)
  }
  return columnOrKey(row, column, null)
}

function cursorOf(type: Filterable | null): ObjectType['cursor'] {
  return type?.kind === 'object' ? type.cursor : null
}
