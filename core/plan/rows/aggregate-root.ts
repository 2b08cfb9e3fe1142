import type { AggregateField, AggregateRoot, Measure } from '../../contract/operation.ts'
import { SvcError } from '../../errors/svc-error.ts'
import type { FieldModel, NamedType, ScalarType } from '../../schema/model.ts'
import { targetOf, toText } from '../conditions/operand.ts'
import { valueSlot } from '../conditions/operand-slot.ts'
import { queryConditions } from '../conditions/query-conditions.ts'
import { refuseClosed } from '../conditions/refuse-closed.ts'
import { below, inputError, type PlanContext } from '../plan-context.ts'
import { valueOfNode } from '../plan-value.ts'
import type { Aggregate, AggregateColumn, AggregateMember, GroupCondition } from '../read-plan.ts'
import { WHOLE } from '../read-plan.ts'
import { aggregateType, isGroupKey } from './aggregate-type.ts'
import { planPage } from './page.ts'
import { openQueryRows } from './query-rows.ts'
import { fieldValue } from './stored.ts'
import type { SourceRow, Target } from './stored-value.ts'

/**
 * Numbers about the rows of a list query, under the rules and filters of the list.
 * @throws SvcError VALIDATION_ERROR for an aggregate that there is not, BAD_USER_INPUT for an operand that is none
 */
export function planAggregateRoot(context: PlanContext, root: AggregateRoot): Aggregate {
  const at = below(context, root.responseKey)
  const { operation: query, groupBy } = root
  const { row, rules } = openQueryRows(at, query)
  const from = { row, rules, ...queryConditions(at, query, root.arguments, row) }
  const columns = new Columns(at, row, query.named)
  const keys = (groupBy ?? []).map((field) => columns.key(field))
  const members = root.fields.map((field) => planMember(columns, field))
  const having = root.having.map(({ measure, operator, value }): GroupCondition => {
    const given = valueOfNode(value, context.variables)
    const operand = valueSlot(at, given, `having.${measure.function}`, (raw) => columns.operandOf(measure, raw))
    if (given.sample === null || given.sample === undefined) {
      throw inputError(at, `having.${measure.function}`, 'null cannot be compared.')
    }
    columns.refuseClosed(measure.field, 'having')
    return { column: columns.measure(measure), operator, operand }
  })
  const order = root.orderBy.map(({ by, direction }) => {
    columns.refuseClosed('key' in by ? by.key : by.field, 'orderBy')
    return { column: 'key' in by ? columns.knownKey(by.key) : columns.measure(by), direction }
  })
  for (const column of keys) {
    if (!order.some((term) => term.column === column)) order.push({ column, direction: 'ASC' })
  }
  // Without groups there is one object, and its rows are counted where nothing else is asked.
  if (columns.all.length === 0) columns.measure({ function: 'count', field: null })
  const page = groupBy === null ? WHOLE : planPage(at, root.arguments)
  context.counts.nodes += columns.all.length
  return { kind: 'aggregate', from, columns: columns.all, grouped: groupBy !== null, members, having, order, page }
}

function planMember(columns: Columns, field: AggregateField): AggregateMember {
  const key = field.responseKey
  switch (field.kind) {
    case 'typename':
      return { key, kind: 'typename', name: field.typeName }
    case 'key':
      return { key, kind: 'column', column: columns.knownKey(field.field) }
    case 'measure':
      return { key, kind: 'column', column: columns.measure(field) }
    case 'denied':
      return { key, kind: 'denied' }
    case 'object':
      return { key, kind: 'object', members: field.fields.map((inner) => planMember(columns, inner)) }
  }
}

/** What is computed, each thing once. */
class Columns {
  readonly all: AggregateColumn[] = []
  readonly #known = new Map<string, number>()
  readonly #context: PlanContext
  readonly #row: SourceRow
  readonly #of: NamedType

  constructor(context: PlanContext, row: SourceRow, of: NamedType) {
    this.#context = context
    this.#row = row
    this.#of = of
  }

  /** As filters and orders of rows are. @throws SvcError the error of the denial */
  refuseClosed(field: FieldModel | null, place: string): void {
    const type = this.#of
    if (field === null || (type.kind !== 'object' && type.kind !== 'interface')) return
    refuseClosed(this.#context, type, field, `${place}.${field.wireName}`)
  }

  key(field: FieldModel): number {
    if (!isGroupKey(field)) throw this.#refuse(`Rows cannot be grouped by "${field.wireName}".`)
    return this.#add(`key ${field.name}`, () => ({ kind: 'key', target: this.#targetOf(field), field }))
  }

  /** A field of `groupBy`. */
  knownKey(field: FieldModel): number {
    const known = this.#known.get(`key ${field.name}`)
    if (known === undefined) throw this.#refuse(`"${field.wireName}" is not one of the fields of groupBy.`)
    return known
  }

  measure({ function: measure, field }: Measure): number {
    if (field === null) {
      if (measure !== 'count') throw this.#refuse(`"${measure}" is of a field.`)
      return this.#add('rows', () => ({ kind: 'rows' }))
    }
    return this.#add(`${measure} ${field.name}`, () => {
      const named = this.#resultOf(measure, field)
      const result = { name: field.name, type: { kind: 'named', name: named.name, nullable: true } as const, named }
      return { kind: 'measure', function: measure, target: this.#targetOf(field), field: result }
    })
  }

  /** The right side of a condition on a measure. */
  operandOf({ function: measure, field }: Measure, raw: unknown): string {
    if (field === null) return toText(raw, null, 'int8')
    const named = this.#resultOf(measure, field)
    const isNumber = measure !== 'min' && measure !== 'max'
    return toText(raw, named, isNumber ? 'numeric' : this.#targetOf(field).type)
  }

  #resultOf(measure: Measure['function'], field: FieldModel): ScalarType {
    const name = aggregateType(measure, field)
    const named: NamedType | undefined = name === null ? undefined : this.#context.schema.types.get(name)
    if (named?.kind !== 'scalar') throw this.#refuse(`There is no "${measure}" of "${field.wireName}".`)
    return named
  }

  #targetOf(field: FieldModel): Target {
    const stored = fieldValue(this.#row, field)
    const { named } = field
    if (stored === null || (named.kind !== 'scalar' && named.kind !== 'enum')) {
      throw this.#refuse(`"${field.wireName}" is not stored.`)
    }
    return targetOf(named, stored)
  }

  #add(name: string, make: () => AggregateColumn): number {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    this.#known.set(name, this.all.length)
    return this.all.push(make()) - 1
  }

  #refuse(message: string): SvcError {
    return new SvcError('VALIDATION_ERROR', message, { path: this.#context.path.slice(0, 1) })
  }
}
