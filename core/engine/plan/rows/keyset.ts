import type { ArgumentNode } from '../../../contract/operation.ts'
import type { Count, Keyset } from '../../../contract/plan/read-plan.ts'
import type { SourceRow, StoredValue } from '../../../contract/plan/stored-value.ts'
import type { Slot } from '../../../contract/slot.ts'
import type { ObjectType, QueryModel } from '../../../schema/model.ts'
import { inputError, type PlanContext } from '../context/plan-context.ts'
import { argumentValue, type PlanValue } from '../context/plan-value.ts'
import { toText } from '../values/operand.ts'
import { valueSlot } from '../values/operand-slot.ts'
import { columnOrKey, columnValue, documentValue, fieldValue } from '../values/stored.ts'
import { readKeyCursor } from './cursor.ts'
import { isNothing, planCount } from './page.ts'
import { type ConnectionKey, planSortedPage } from './sorted-page.ts'

const DEFAULT_PAGE = 20

/**
 * Plans the page of a connection from `first`, `after`, `last` and `before`. Rows are in the order of `orderBy`, or of
 * the connection's key.
 * @param args arguments of the root field
 */
export function planKeyset(
  context: PlanContext,
  query: QueryModel,
  args: readonly ArgumentNode[],
  row: SourceRow,
): Keyset {
  const value = (name: string): PlanValue => argumentValue(args, name, context.variables)
  const [first, last, after, before] = [value('first'), value('last'), value('after'), value('before')]
  const forward = !isNothing(first) || isNothing(last)
  const given = forward ? first : last
  const name = forward ? 'first' : 'last'
  const { maxRows } = context.settings
  const size = (extra: number): Count =>
    isNothing(given) ? DEFAULT_PAGE + extra : planCount(context, given, name, maxRows, extra)
  const page = { forward, size: size(0), sizePlusOne: size(1) }
  const key = planKey(context, query, row)
  const sorted = planSortedPage(context, query, args, row, key)
  if (sorted !== null) return { by: 'order', ...page, ...sorted }
  const { keyed } = key
  if (keyed === null) throw new Error('A key that is an order of its own has a sorted page')
  const types = keyed.tie === null ? [keyed.type] : [keyed.type, keyed.tie.type]
  const slots = (bound: PlanValue, place: string): readonly Slot[] | null =>
    isNothing(bound) ? null : cursorSlots(context, bound, place, types)
  return { by: 'key', ...page, ...keyed, after: slots(after, 'after'), before: slots(before, 'before') }
}

function planKey(context: PlanContext, { named }: QueryModel, row: SourceRow): ConnectionKey {
  if (named.kind !== 'object' || named.cursor === null) {
    throw inputError(context, 'first', `${named.name} has no cursor column to page by.`)
  }
  const { cursor } = named
  if (cursor.by !== null) {
    const terms = cursor.by.map((column) => {
      const value = columnOrKey(row, column, column === cursor.column ? cursor.columnType : null)
      const type = value.from === 'document' && column === cursor.column ? (cursor.columnType ?? 'int8') : typeOf(value)
      return keyTerm(value, type, !(value.from === 'column' && value.notNull))
    })
    return { keyed: null, terms, digest: cursor.digest ? digestOf(named, row) : null }
  }
  const key =
    cursor.document === null
      ? columnValue(row, cursor.column, cursor.columnType, false)
      : documentValue(row, cursor.column)
  const second = cursor.tie === null ? null : columnOrKey(row, cursor.tie, null)
  const type = key.from === 'column' ? key.type : (cursor.columnType ?? 'int8')
  const tie = second === null ? null : { value: second, type: typeOf(second) }
  const terms = [keyTerm(key, type, false), ...(tie === null ? [] : [keyTerm(tie.value, tie.type, false)])]
  return { keyed: { key, type, tie }, terms, digest: null }
}

function keyTerm(value: StoredValue, type: string | null, nullable: boolean): ConnectionKey['terms'][number] {
  return { target: { value, named: null, list: false, type }, nullable }
}

function typeOf(value: StoredValue): string | null {
  return value.from === 'column' ? value.type : 'text'
}

/** Returns the stored values of a row's fields, without relations. */
function digestOf({ fields }: ObjectType, row: SourceRow): readonly StoredValue[] {
  return [...fields.values()].flatMap((field) =>
    field.read === null || field.read.from === 'relation' ? [] : (fieldValue(row, field) ?? []),
  )
}

/** @param types types of the key, and of the tie if the cursor contains one */
function cursorSlots(
  context: PlanContext,
  value: PlanValue,
  name: string,
  types: readonly (string | null)[],
): readonly Slot[] {
  return types.map((type, index) =>
    valueSlot(context, value, name, (raw) => {
      const text = readKeyCursor(raw, types.length)[index]!
      try {
        return toText(text, null, type)
      } catch {
        throw new Error('this is no cursor of this list')
      }
    }),
  )
}
