import type {
  AbstractSelection,
  FieldSelection,
  ObjectSelection,
  SelectedRelation,
  Selection,
} from '../../../contract/operation.ts'
import type { Tie } from '../../../contract/plan/condition.ts'
import type { Embedded, Leaf, MemberValue, ObjectShape, Rows, Shape } from '../../../contract/plan/read-plan.ts'
import type { EmbeddedRow, RowRef, StoredValue } from '../../../contract/plan/stored-value.ts'
import type { FieldModel } from '../../../schema/model.ts'
import { planWhere } from '../conditions/where.ts'
import { below, type PlanContext } from '../context/plan-context.ts'
import { argumentValue } from '../context/plan-value.ts'
import type { OpenedRows } from '../sources/open-rows.ts'
import { refuseRuledCopy } from '../sources/refuse-ruled-copies.ts'
import { type RelationRead, relatedRows } from '../sources/related.ts'
import { fieldCondition } from '../sources/type-rules.ts'
import { columnOrKey, fieldValue, jsonTypeOf } from '../values/stored.ts'
import { planAggregate } from './aggregate.ts'
import { planOrder } from './order.ts'
import { guardOf, planPage, WHOLE } from './page.ts'

/**
 * Plans which values to read from a row, one for each selected field.
 * @param typeColumn column with the name of the row's type, for an interface or union
 */
export function planShape(
  context: PlanContext,
  selection: ObjectSelection | AbstractSelection,
  row: RowRef,
  typeColumn: string,
): Shape {
  if (selection.kind === 'object') return planObject(context, selection, row)
  const name = columnOrKey(row, typeColumn, 'text')
  const possible = [...selection.possible]
    .filter(([, member]) => member.denied === undefined)
    .map(([typeName, member]) => ({ typeName, object: planObject(context, member, row) }))
  const denied = [...selection.possible].flatMap(([typeName, member]) =>
    member.denied === undefined ? [] : [typeName],
  )
  return { kind: 'abstract', typeColumn: name, possible, denied }
}

function planObject(context: PlanContext, selection: ObjectSelection, row: RowRef): ObjectShape {
  context.counts.nodes += selection.fields.length
  const members = selection.fields.map((field) => ({
    key: field.responseKey,
    value: planMember(context, selection, field, row),
  }))
  return { kind: 'object', typeName: selection.type.name, members }
}

function planMember(context: PlanContext, selection: ObjectSelection, field: FieldSelection, row: RowRef): MemberValue {
  if (field.kind === 'typename') return { kind: 'typename', name: selection.type.name }
  if (field.kind === 'denied') return { kind: 'denied' }
  const model = field.field
  const at = below(context, field.responseKey)
  if (field.kind === 'aggregate') return planNumbers(at, field, row)
  if (model.read?.from === 'relation') return planRelation(at, field, model.read, row)
  const value = fieldValue(row, model)
  if (value === null) return { kind: 'nothing', type: model.type }
  if (model.named.kind === 'scalar' || model.named.kind === 'enum') {
    const leaf: Leaf = { kind: 'leaf', value, field: model, ...(field.masks === undefined ? {} : { masked: true }) }
    if (field.unless === undefined) return leaf
    return { kind: 'guarded', when: fieldCondition(at, selection.type, row, field.unless), value: leaf }
  }
  return planEmbedded(at, model, requireSelection(field.selection), value)
}

export function requireSelection(selection: Selection): ObjectSelection | AbstractSelection {
  if (selection?.kind === 'object' || selection?.kind === 'abstract') return selection
  throw new Error('An object needs a selection')
}

/** Plans objects that are part of their parent's document. */
function planEmbedded(
  context: PlanContext,
  field: FieldModel,
  selection: ObjectSelection | AbstractSelection,
  value: StoredValue,
): Embedded {
  const { named, type } = field
  refuseRuledCopy(named, context.access, context.path.join('.'))
  const typeColumn = named.kind === 'interface' || named.kind === 'union' ? named.typeColumn : '__typename'
  const row: EmbeddedRow = { kind: 'embedded', json: jsonTypeOf(value) }
  const object = planShape(context, selection, row, typeColumn)
  return { kind: 'embedded', value, type, row, object, guard: type.kind === 'list' ? guardOf(context) : null }
}

/** Plans aggregates over rows of another source that are related to the outer row. */
function planNumbers(
  context: PlanContext,
  asked: Extract<FieldSelection, { kind: 'aggregate' }>,
  outer: RowRef,
): MemberValue {
  const { named, read } = asked.field
  if (asked.denied !== undefined) return { kind: 'denied' }
  if (read?.from !== 'relation') throw new Error(`${asked.field.name} is no relation`)
  const { row, rules, tie } = relatedRows(context, asked.field, read, outer)
  const where = argumentValue(asked.arguments, 'where', context.variables)
  const isFiltered = named.kind === 'object' || named.kind === 'interface'
  const filter = isFiltered ? planWhere(context, named, row, where, 'where') : null
  return { kind: 'aggregate', of: planAggregate(context, asked, named, { row, rules, where: [], filter }, tie) }
}

/** Plans rows of another source that are related to the outer row. */
function planRelation(context: PlanContext, field: SelectedRelation, read: RelationRead, outer: RowRef): MemberValue {
  const { list, type } = field.field
  const { tie, ...opened } = relatedRows(context, field.field, read, outer)
  const rows = relatedObjects(context, field, opened, tie)
  return list ? { kind: 'toMany', rows } : { kind: 'toOne', rows, nullable: type.nullable }
}

/**
 * Plans the rows that a selected relation leads to. For a list, it applies filter, order and page of its arguments.
 * @param tie joins the rows to the parent row; `null`: they are looked up by key
 */
export function relatedObjects(
  context: PlanContext,
  { field, arguments: args, selection }: SelectedRelation,
  { row, rules }: OpenedRows,
  tie: Tie | null,
): Rows {
  const { named, list } = field
  if (named.kind !== 'object' && named.kind !== 'interface' && named.kind !== 'union') {
    throw new Error(`${field.name} is no relation to rows`)
  }
  const typeColumn = named.kind === 'object' ? '__typename' : named.typeColumn
  const object = planShape(context, requireSelection(selection), row, typeColumn)
  if (!list) return { row, object, tie, rules, where: [], filter: null, order: [], page: WHOLE }
  const filterable = named.kind === 'union' ? null : named
  const where = argumentValue(args, 'where', context.variables)
  const filter = filterable === null ? null : planWhere(context, filterable, row, where, 'where')
  const orderBy = argumentValue(args, 'orderBy', context.variables)
  const order = planOrder(context, filterable, row, orderBy, 'orderBy')
  const page = planPage(context, args)
  return { row, object, tie, rules, where: [], filter, order, page }
}
