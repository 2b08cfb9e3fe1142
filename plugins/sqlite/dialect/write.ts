import {
  type BindInput,
  type BoundWrite,
  join,
  type PlannedCall,
  type PreparedWrite,
  passedBy,
  type SqlFragment,
  type TimeForms,
  type WritePlan,
  writeResultRows,
} from '../../../core/doors/driver.ts'
import { identifier, type ObjectSelection, parameter, render, sql } from '../../../core/doors/plugin.ts'
import { readDate, readDateTime, readTime } from '../child/read-time.ts'
import { comparedForm } from './forms.ts'
import { kindOfType } from './kind.ts'
import { PRIMITIVES } from './primitives.ts'

/** How svc reads times in SQLite, where they are stored in several notations. */
export const TIMES: TimeForms = { DateTime: readDateTime, Date: readDate, Time: readTime }

/**
 * Prepares a mutation for SQLite: a call of its SQL script. svc reads the rows of the result in this process, because a
 * script cannot be used in FROM.
 */
export function writeCall(plan: WritePlan): PreparedWrite {
  const { root, call, kind, list, cascadeKeys, isRuled } = plan
  const bindCall = (input: BindInput): Pick<BoundWrite, 'statement' | 'parameters'> => {
    const { text, slots } = render(callText(call, call.shapeOf(input)), PRIMITIVES.placeholder)
    return { statement: { name: null, text }, parameters: slots.map((slot) => slot.read(input)) }
  }
  if (kind === 'documents') return writeResultRows(plan, { times: TIMES, call: bindCall })
  const selection = root.selection as ObjectSelection
  const columns = new Map(kind === 'ids' ? [['data', 0] as const] : [])
  return {
    root,
    kind,
    list,
    targets:
      kind === 'ids'
        ? [{ at: null, possible: new Map([[selection.type.name, selection]]), ruled: isRuled(selection.type) }]
        : [],
    rowsMatter: true,
    readsAgain: kind === 'ids',
    errorMembers: [],
    cascadeKeys,
    bind: (input) => ({ ...bindCall(input), columns }),
  }
}

/** `CALL "fn_buy"("item" => CAST(?1 AS INTEGER))` */
function callText(call: PlannedCall, shape: string): SqlFragment {
  const passed = passedBy(call, shape).map(({ name, type, slot }) => {
    const value = argument(type, parameter(slot))
    return call.named && name !== null ? sql`${identifier(name)} => ${value}` : value
  })
  return sql`CALL ${identifier(call.function.name)}(${join(passed, ', ')})`
}

/** An argument as its value is stored: decimals and times as text. */
function argument(type: string | null, value: SqlFragment): SqlFragment {
  const kind = kindOfType(type)
  return kind === 'integer' || kind === 'real' || kind === 'boolean' ? comparedForm(kind, value) : value
}
