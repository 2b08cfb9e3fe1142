import type { ArgumentNode } from '../../contract/operation.ts'
import { toText } from '../conditions/operand.ts'
import { valueSlot } from '../conditions/operand-slot.ts'
import { limitError, type PlanContext } from '../plan-context.ts'
import { argumentValue, type PlanValue } from '../plan-value.ts'
import type { Count, Guard, Page } from '../read-plan.ts'

/**
 * `limit` and `offset`. A list without a limit is bounded by `svc.max_rows`: one row more is an error, never a silent
 * cut (decisions "No silent cap").
 * @param extra rows more than the limit says
 */
export function planPage(context: PlanContext, args: readonly ArgumentNode[], extra = 0): Page {
  return pageOf(context, args, context.settings.maxRows, extra)
}

/** The same for a stream, which nobody holds: no limit is too large, and without one it has all rows. */
export function planUnboundedPage(context: PlanContext, args: readonly ArgumentNode[]): Page {
  return pageOf(context, args, 0, 0)
}

/** @param maxRows 0 = no bound */
function pageOf(context: PlanContext, args: readonly ArgumentNode[], maxRows: number, extra: number): Page {
  const limit = argumentValue(args, 'limit', context.variables)
  const offset = argumentValue(args, 'offset', context.variables)
  const skip = isNothing(offset) ? null : planCount(context, offset, 'offset', 0, 0)
  if (!isNothing(limit)) return { limit: planCount(context, limit, 'limit', maxRows, extra), offset: skip, guard: null }
  if (maxRows === 0) return { limit: null, offset: skip, guard: null }
  return { limit: maxRows + 1, offset: skip, guard: guardOf(context) }
}

/** What bounds the list that is planned; `null` = nothing does. */
export function guardOf(context: PlanContext): Guard | null {
  const { maxRows } = context.settings
  return maxRows === 0 ? null : { most: maxRows, path: context.path }
}

export function isNothing(value: PlanValue): boolean {
  return value.sample === null || value.sample === undefined
}

/**
 * A number of rows: a constant of the document stands in the text, a variable is bound (performance.md: a parameter
 * in LIMIT makes generic plans look dear).
 * @param most 0 = no bound
 * @param extra rows more than asked for (a page looks one row ahead)
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
