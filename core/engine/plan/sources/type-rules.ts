import { SvcError } from '../../../base/errors/svc-error.ts'
import type { Access } from '../../../contract/access.ts'
import type { Condition } from '../../../contract/plan/condition.ts'
import type { LaidFilter, RowRef, SourceRow, TypedRows } from '../../../contract/plan/stored-value.ts'
import type { Slot } from '../../../contract/slot.ts'
import type { CompiledSource } from '../../../schema/compiled.ts'
import type { ObjectType, OutputComposite } from '../../../schema/model.ts'
import { parseAuthored } from '../context/authored-parts.ts'
import type { PlanContext } from '../context/plan-context.ts'
import type { PlanValue } from '../context/plan-value.ts'
import { toText } from '../values/operand.ts'
import { accessValues } from '../values/operand-slot.ts'
import { columnOrKey } from '../values/stored.ts'
import { contextSlot, injectConditions } from './security.ts'

/**
 * Tests whether rows of a type are restricted: by rules of the schema (`row_filter`, `inject`), or by an `authorize`
 * hook in this request.
 */
export function hasRules(type: ObjectType, access: Access | undefined): boolean {
  return type.rowFilter !== undefined || type.inject.length > 0 || access?.conditions.has(type.name) === true
}

/** The type of rows in a plan, whose access rules apply to them. */
export type RowsOf = TypeRows | JoinSourceRows

/** Rows of an object type, interface or union. */
export interface TypeRows {
  readonly named: OutputComposite
  /** Column with the name of a row's type, for an interface or union. */
  readonly typeColumn: string
}

/** Rows of a join table (many-to-many). The row rules of all types that read this table apply to each row. */
export interface JoinSourceRows {
  readonly every: readonly ObjectType[]
}

const NO_CONDITIONS: readonly Condition[] = []
const NO_FILTERS: readonly LaidFilter[] = []

/**
 * Plans the access rules that restrict rows because of their type: `inject` of the type, and filters of `authorize`
 * hooks. For an interface or union, rules of each member type apply to its own rows, and rows of a denied type are left
 * out.
 */
export function typeConditions(context: PlanContext, of: RowsOf, row: SourceRow): readonly Condition[] {
  // Conditions of `authorize` may read all rows, without the rules of their type.
  if (context.bound === 'access') return NO_CONDITIONS
  const typeColumn = typeColumnOf(of)
  const conditions: Condition[] = []
  for (const member of membersOf(of)) {
    const isDenied = context.access?.denied.has(member.name) === true
    // The relation of a denied join type is denied. This holds for a plan that does not come from a document, too.
    if (isDenied && 'every' in of) conditions.push(NO_ROW)
    else if (isDenied && typeColumn !== null)
      conditions.push({ kind: 'not', condition: isOfType(row, typeColumn, member) })
    else {
      const injected = member.inject.length === 0 ? NO_CONDITIONS : injectConditions(context, member, row)
      const own = [...injected, ...accessFilters(context, member, row)]
      if (typeColumn === null) conditions.push(...own)
      else for (const rule of own) conditions.push(onlyFor(row, typeColumn, member, rule))
    }
  }
  return conditions.length === 0 ? NO_CONDITIONS : conditions
}

const NO_ROW: Condition = { kind: 'constant', holds: false }

function membersOf(of: RowsOf): readonly ObjectType[] {
  if ('every' in of) return of.every
  return of.named.kind === 'object' ? [of.named] : of.named.members
}

/** Returns the column with the concrete type of a row; `null`: the rules of each member apply to every row. */
function typeColumnOf(of: RowsOf): string | null {
  return 'every' in of || of.named.kind === 'object' ? null : of.typeColumn
}

/** Restricts a rule to rows of one member of an interface or union. Rows of other members are unaffected. */
function onlyFor(row: SourceRow, typeColumn: string, member: ObjectType, rule: Condition): Condition {
  const other: Condition = { kind: 'not', condition: isOfType(row, typeColumn, member) }
  return { kind: 'group', joint: 'or', conditions: [other, rule] }
}

function isOfType(row: SourceRow, typeColumn: string, { name }: ObjectType): Condition {
  const value = columnOrKey(row, typeColumn, 'text')
  const type = value.from === 'column' ? value.type : 'text'
  const slot: Slot = { read: () => name }
  const target = { value, named: null, list: false, type }
  return { kind: 'compare', operator: '_eq', target, operand: { kind: 'field', slot } }
}

/**
 * Plans the condition under which a row shows the value of a field that an `authorize` hook denied with `unless`. In
 * other rows, the field is null.
 * @param target denied field: `User.email`
 */
export function fieldCondition(context: PlanContext, type: ObjectType, row: RowRef, target: string): Condition {
  const ruled: PlanContext = { ...context, bound: 'access' }
  const trees = (context.access?.values[target] ?? []) as readonly unknown[]
  const conditions = trees.flatMap((_, index) => {
    const value = accessValue(context, target, index)
    return ruled.planFilter(ruled, type, row, value, `access.deny("${target}")`) ?? []
  })
  // Without a condition, or with an empty one, no row shows the value.
  if (conditions.length < trees.length || trees.length === 0) return { kind: 'constant', holds: false }
  return { kind: 'group', joint: 'and', conditions }
}

function accessFilters(context: PlanContext, type: ObjectType, row: SourceRow): readonly Condition[] {
  const given = context.access?.conditions.get(type.name)
  if (given === undefined) return NO_CONDITIONS
  const ruled: PlanContext = { ...context, bound: 'access' }
  return given.flatMap(({ kind }, index) => {
    if (kind !== 'filter') return []
    const condition = ruled.planFilter(
      ruled,
      type,
      row,
      accessValue(context, type.name, index),
      `access.where("${type.name}")`,
    )
    // `access.where` rejects empty trees, so this would be a bug in svc.
    if (condition === null) throw new Error(`A condition on ${type.name} is empty`)
    return [condition]
  })
}

function accessValue(context: PlanContext, name: string, index: number): PlanValue {
  const read = (values: Readonly<Record<string, unknown>>): unknown => (values[name] as readonly unknown[])[index]
  return { sample: read(context.access?.values ?? {}), read, constant: false, node: null }
}

/**
 * Returns the access rules in SQL that restrict rows because of their type: `row_filter` of the type, and `rowFilter`
 * conditions of `authorize` hooks.
 * @param document JSON column of the source; `null`: none
 */
export function laidFilters(
  context: PlanContext,
  of: RowsOf,
  source: CompiledSource,
  document: SourceRow['document'],
): readonly LaidFilter[] {
  if (context.bound === 'access') return NO_FILTERS
  const bySource = context.laid.get(source) ?? new Map<string, readonly LaidFilter[]>()
  const typeColumn = typeColumnOf(of)
  const key = 'every' in of ? `every ${of.every.map(({ name }) => name).join(' ')}` : `${of.named.name} ${typeColumn}`
  let filters = bySource.get(key)
  if (filters === undefined) {
    filters = membersOf(of).flatMap((member) => {
      const only = typeColumn === null ? null : typedRows(source, document, typeColumn, member)
      return filtersOf(context, member).map((parts) => ({ parts, only }))
    })
    context.laid.set(source, bySource.set(key, filters))
  }
  return filters
}

function filtersOf(context: PlanContext, type: ObjectType): readonly LaidFilter['parts'][] {
  const filters: LaidFilter['parts'][] = []
  if (type.rowFilter !== undefined) filters.push(parseAuthored(type.rowFilter, (name) => contextSlot(context, name)))
  for (const [index, condition] of (context.access?.conditions.get(type.name) ?? []).entries()) {
    if (condition.kind !== 'authored') continue
    filters.push(parseAuthored(condition.text, (name) => accessSlot(context, type, index, name)))
  }
  return filters
}

function typedRows(
  source: CompiledSource,
  document: SourceRow['document'],
  typeColumn: string,
  { name }: ObjectType,
): TypedRows {
  const isColumn = document === null || source.columns.some((column) => column.name === typeColumn)
  return isColumn
    ? { typeName: name, column: typeColumn, key: null }
    : { typeName: name, column: document.column, key: typeColumn }
}

/** Makes the slot of a value in a `rowFilter`. A list is one parameter. */
function accessSlot({ path }: PlanContext, type: ObjectType, index: number, name: string): Slot {
  return {
    read: (input) => {
      const values = accessValues(input)[type.name]?.[index] as Readonly<Record<string, unknown>> | undefined
      const value = values?.[name]
      try {
        return Array.isArray(value) ? value.map((item) => toText(item, null, null)) : toText(value, null, null)
      } catch (cause) {
        const message = 'A condition on what you may see compares with a value that does not fit.'
        throw new SvcError('FORBIDDEN', message, { path: path.slice(0, 1), cause })
      }
    },
  }
}
