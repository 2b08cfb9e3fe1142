import { SvcError } from '../../../base/errors/svc-error.ts'
import type { Measure } from '../../../contract/operation.ts'
import type { AggregateColumn, Leaf } from '../../../contract/plan/read-plan.ts'
import type { SourceRow, Target } from '../../../contract/plan/stored-value.ts'
import { aggregateType, isGroupKey } from '../../../schema/aggregate-type.ts'
import { type Period, periodName, periodsOf, periodType } from '../../../schema/group-keys.ts'
import type { FieldModel, NamedType, ScalarType } from '../../../schema/model.ts'
import type { PlanContext } from '../context/plan-context.ts'
import { refuseClosed } from '../context/refuse-closed.ts'
import { targetOf, toText } from '../values/operand.ts'
import { fieldValue } from '../values/stored.ts'

function nameOf({ wireName }: FieldModel, period: Period | null): string {
  return period === null ? wireName : periodName(wireName, period)
}

/**
 * Collects the columns that an aggregate has to compute (group keys, `sum` and others), each once. The methods that add
 * a column return its index, by which other parts of the plan refer to it.
 */
export class AggregateColumns {
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

  /** Rejects a denied field, as in filters and orders. @throws SvcError the error of the denial */
  refuseClosed(field: FieldModel | null, place: string): void {
    const type = this.#of
    if (field === null || (type.kind !== 'object' && type.kind !== 'interface')) return
    refuseClosed(this.#context, type, field, `${place}.${field.wireName}`)
  }

  key(field: FieldModel, period: Period | null): number {
    if (period === null ? !isGroupKey(field) : !periodsOf(field).includes(period)) {
      throw this.#refuse(`Rows cannot be grouped by "${nameOf(field, period)}".`)
    }
    return this.#add(`key ${nameOf(field, period)}`, () => {
      const target = this.#targetOf(field)
      return { kind: 'key', target, period, field: period === null ? field : this.#shown(field, period) }
    })
  }

  /** Returns the column of a group key. The field must be in `groupBy`. */
  knownKey(field: FieldModel, period: Period | null): number {
    const known = this.#known.get(`key ${nameOf(field, period)}`)
    if (known === undefined) throw this.#refuse(`"${nameOf(field, period)}" is not one of the fields of groupBy.`)
    return known
  }

  /** Returns the field that shows a period. */
  #shown(field: FieldModel, period: Period): Leaf['field'] {
    const name = periodType(period)
    const named = this.#context.schema.types.get(name)
    if (named === undefined) throw new Error(`There is no ${name}`)
    return { name: field.name, type: { kind: 'named', name, nullable: field.type.nullable }, named }
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

  /** Returns the right side of a condition on a measure. */
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
