import type { ArgumentNode } from '../front/operation.ts'
import { EMPTY, integer, literal, parameter, type SqlFragment, sql } from '../sql/fragment.ts'
import { toText } from './operand.ts'
import { valueSlot } from './operand-slot.ts'
import { limitError, type PlanContext } from './plan-context.ts'
import { argumentValue, type PlanValue } from './plan-value.ts'

/** Which rows of a list. */
export interface Page {
  /** ` LIMIT … OFFSET …` with a leading space, or nothing. */
  readonly sql: SqlFragment
  /** ` HAVING …` that fails when the list is longer than `max_rows`; `null` when it cannot be. */
  readonly guard: SqlFragment | null
}

/**
 * `limit` and `offset`. A list without a limit is bounded by `svc.max_rows`: one row more is an error, never a silent
 * cut (decisions "No silent cap").
 */
export function compilePage(context: PlanContext, args: readonly ArgumentNode[]): Page {
  const limit = argumentValue(args, 'limit', context.variables)
  const offset = argumentValue(args, 'offset', context.variables)
  const { maxRows } = context.settings
  const skip = isNothing(offset) ? EMPTY : sql` OFFSET ${count(context, offset, 'offset', 0)}`
  if (!isNothing(limit)) return { sql: sql` LIMIT ${count(context, limit, 'limit', maxRows)}${skip}`, guard: null }
  if (maxRows === 0) return { sql: skip, guard: null }
  return { sql: sql` LIMIT ${integer(maxRows + 1)}${skip}`, guard: maxRowsGuard(context) }
}

export function isNothing(value: PlanValue): boolean {
  return value.sample === null || value.sample === undefined
}

/**
 * A number of rows: a constant of the document stands in the text, a variable is bound (performance.md: a parameter
 * in LIMIT makes generic plans look dear).
 * @param most 0 = no bound
 */
function count(context: PlanContext, value: PlanValue, name: string, most: number): SqlFragment {
  return rowCount(context, value, name, most, 0)
}

/** @param extra rows more than asked for (a page looks one row ahead) */
export function rowCount(
  context: PlanContext,
  value: PlanValue,
  name: string,
  most: number,
  extra: number,
): SqlFragment {
  const check = (raw: unknown): string => {
    const number = Number(toText(raw, null, 'int8'))
    if (number < 0) throw new Error(`${number} is negative`)
    if (most > 0 && number > most) {
      throw limitError(context, name, `${number} is more than the ${most} rows that a list may have.`)
    }
    return String(number + extra)
  }
  const slot = valueSlot(context, value, name, check)
  if (value.constant) return integer(Number(check(value.sample)))
  return sql`${parameter(slot)}::bigint`
}

/** Text in the database's error that names the guard: `svc:max_rows:<index>:`. */
export const GUARD_MARK = 'svc:max_rows:'

/**
 * Fails when more rows than `max_rows` were aggregated. It depends on an aggregate, so it can be neither folded into a
 * constant nor moved before the rows are counted.
 */
export function maxRowsGuard(context: PlanContext): SqlFragment {
  const index = context.guards.length
  context.guards.push({ path: context.path })
  const text = sql`${literal(`${GUARD_MARK}${index}:`)} || count(*)`
  return sql` HAVING CASE WHEN count(*) > ${integer(context.settings.maxRows)} THEN CAST(${text} AS int4) = 0 ELSE TRUE END`
}
