import { SvcError } from '../../../base/errors/svc-error.ts'
import type { AbstractSelection, ObjectSelection } from '../../../contract/operation.ts'
import type { Condition } from '../../../contract/plan/condition.ts'
import type { Rows } from '../../../contract/plan/read-plan.ts'
import type { Target } from '../../../contract/plan/stored-value.ts'
import type { Slot } from '../../../contract/slot.ts'
import type { ObjectType, QueryModel } from '../../../schema/model.ts'
import { inputError, type PlanContext } from '../context/plan-context.ts'
import { openRows } from '../sources/open-rows.ts'
import { targetOf, toText } from '../values/operand.ts'
import { columnOrKey, fieldValue } from '../values/stored.ts'
import { keyColumns } from './key-columns.ts'
import { ONE_ROW, WHOLE } from './page.ts'
import { planShape } from './selection.ts'

/** The parameter by which rows of a type are looked up: one id, or a list of ids. */
export interface Keys {
  /** `true`: the parameter is a list of ids; `false`: one id. */
  readonly list: boolean
  /** `true`: read a list in the order of the ids; `false`: read one row. */
  readonly many: boolean
  /** Returns the parameter, whose values are converted for a comparison with `target`, the stored id. */
  readonly slotOf: (target: Target) => Slot
}

/**
 * Plans the read of rows of a type by id.
 * @param query the query whose access rules apply; `null`: the calling code has checked access already
 * @throws SvcError INTERNAL_SERVER_ERROR if the type has no source with an id
 */
export function planByKeys(
  context: PlanContext,
  type: ObjectType,
  selection: ObjectSelection | AbstractSelection,
  query: QueryModel | null,
  keys: Keys,
): Rows {
  const source = query?.source ?? type.source
  const id = type.fields.get('id')
  if (source === null || id === undefined || id.named.kind !== 'scalar') {
    throw noSource(type)
  }
  const of = { named: type, typeColumn: '__typename' }
  const { row, rules } = openRows(context, of, source, query?.document ?? type.document, query)
  const stored = fieldValue(row, id)
  if (stored === null) throw new SvcError('INTERNAL_SERVER_ERROR', `The id of ${type.name} is not stored.`)
  const target = targetOf(id.named, stored)
  const slot = keys.slotOf(target)
  const object = planShape(context, selection, row, '__typename')
  const key = keys.list
    ? ({ kind: 'compare', operator: '_in', target, operand: { kind: 'list', slot } } as const)
    : ({ kind: 'compare', operator: '_eq', target, operand: { kind: 'field', slot } } as const)
  return {
    row,
    object,
    tie: null,
    rules,
    where: [key],
    filter: null,
    order: keys.many ? [{ kind: 'position', target, slot }] : [],
    page: keys.many ? WHOLE : ONE_ROW,
  }
}

/**
 * Plans the read of rows by values that the engine passes when it runs the statement (`BindInput.keys`): ids, or for a
 * type without an id the values of the key columns of one row.
 * @throws SvcError INTERNAL_SERVER_ERROR when the type has no source with an id or a key
 */
export function planBoundKeys(
  context: PlanContext,
  type: ObjectType,
  selection: ObjectSelection | AbstractSelection,
  many: boolean,
): Rows {
  const columns = keyColumns(type)
  if (columns === null || columns.length === 0) {
    const named = type.fields.get('id')?.named ?? null
    const slot: Slot = { read: ({ keys = [] }) => keys.map((key) => toText(key, named, null)) }
    return planByKeys(context, type, selection, null, { list: true, many, slotOf: () => slot })
  }
  return planByColumns(context, type, selection, columns)
}

/** Plans the read of one row by its key columns. */
function planByColumns(
  context: PlanContext,
  type: ObjectType,
  selection: ObjectSelection | AbstractSelection,
  columns: readonly string[],
): Rows {
  if (type.source === null) throw noSource(type)
  const of = { named: type, typeColumn: '__typename' }
  const { row, rules } = openRows(context, of, type.source, type.document, null)
  const where = columns.map((column, index): Condition => {
    const value = columnOrKey(row, column, null)
    const target: Target = { value, named: null, list: false, type: value.from === 'column' ? value.type : 'text' }
    const slot: Slot = {
      read({ keys = [] }) {
        try {
          return toText(keys[index] ?? null, null, target.type)
        } catch (cause) {
          throw inputError(context, column, (cause as Error).message)
        }
      },
    }
    return { kind: 'compare', operator: '_eq', target, operand: { kind: 'field', slot } }
  })
  const object = planShape(context, selection, row, '__typename')
  return { row, object, tie: null, rules, where, filter: null, order: [], page: ONE_ROW }
}

function noSource({ name }: ObjectType): SvcError {
  return new SvcError('INTERNAL_SERVER_ERROR', `${name} cannot be read by key: it has no source with an id.`)
}
