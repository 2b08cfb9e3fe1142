import type { ArgumentNode } from '../../../contract/operation.ts'
import type { Count, Guard, Page } from '../../../contract/plan/read-plan.ts'
import { limitError, type PlanContext } from '../context/plan-context.ts'
import { argumentValue, type PlanValue } from '../context/plan-value.ts'
import { toText } from '../values/operand.ts'
import { valueSlot } from '../values/operand-slot.ts'

export const WHOLE: Page = { limit: null, offset: null, guard: null }
export const ONE_ROW: Page = { limit: 1, offset: null, guard: null }

/**
 * Plans the arguments `limit` and `offset` of a list. Without a limit, the list may have up to `svc.max_rows` rows. One
 * row more is an error; svc does not truncate the list (docs/guides/query.md#lists).
 * @param extra number of rows to read beyond the limit
 * @param maxRows 0 = no limit
 */
export function planPage(
  context: PlanContext,
  args: readonly ArgumentNode[],
  extra = 0,
  maxRows = context.settings.maxRows,
): Page {
  const limit = argumentValue(args, 'limit', context.variables)
  const offset = argumentValue(args, 'offset', context.variables)
  const skip = isNothing(offset) ? null : planCount(context, offset, 'offset', 0, 0)
  if (!isNothing(limit)) return { limit: planCount(context, limit, 'limit', maxRows, extra), offset: skip, guard: null }
  if (maxRows === 0) return { limit: null, offset: skip, guard: null }
  return { limit: maxRows + 1, offset: skip, guard: guardOf(context) }
}

/**
 * Plans the arguments `limit` and `offset` of a stream. `svc.max_rows` does not apply, because streamed rows are not
 * held in memory.
 */
export function planUnboundedPage(context: PlanContext, args: readonly ArgumentNode[]): Page {
  return planPage(context, args, 0, 0)
}

/** Returns the limit `svc.max_rows` for the list that is being planned; `null`: no limit is configured. */
export function guardOf(context: PlanContext): Guard | null {
  const { maxRows } = context.settings
  return maxRows === 0 ? null : { most: maxRows, path: context.path }
}

export function isNothing(value: PlanValue): boolean {
  return value.sample === null || value.sample === undefined
}

/**
 * Plans an argument that is a number of rows. A constant of the document becomes part of the SQL text; a variable
 * becomes a parameter. With a parameter in LIMIT, PostgreSQL overestimates the cost of generic plans.
 * @param name name of the argument, for errors
 * @param most maximum allowed number; 0: no limit
 * @param extra number of rows to add, for example one to detect a next page
 */
export function planCount(context: PlanContext, value: PlanValue, name: string, most: number, extra: number): Count {
  const check = (raw: unknown): string => {
    const number = Number(toText(raw, null, 'int8'))
    if (number < 0) throw new Error(`${number} is negative`)
    if (most > 0 && number > most) {
      throw limitError(context, name, `${number} is more than the ${most} rows that a list may have.`)
    }
    return String(number + extra)
  }
  const slot = valueSlot(context, value, name, check)
  return value.constant ? Number(check(value.sample)) : slot
}
