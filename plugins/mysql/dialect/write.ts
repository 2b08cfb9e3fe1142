import {
  type BindInput,
  type BoundWrite,
  join,
  NULL,
  type PlannedCall,
  type PreparedWrite,
  type Primitives,
  qualified,
  type SqlFragment,
  type TimeForms,
  type WritePlan,
  writeResultRows,
} from '../../../core/doors/driver.ts'
import { type ObjectSelection, parameter, render, sql } from '../../../core/doors/plugin.ts'
import { kindOfType } from './kind.ts'
import { convertSlot, operandValue } from './slot-values.ts'
import { readDate, readDateTime, readTime } from './times.ts'

/** How svc reads times in the rows of a routine: DATETIME is in UTC. */
export const TIMES: TimeForms = { DateTime: readDateTime, Date: readDate, Time: readTime }

/**
 * Returns how mutations are prepared: a call of their procedure or stored function. svc reads the rows of the result in
 * this process, because a routine cannot be used in FROM.
 */
export function writeCallOf({ placeholder }: Pick<Primitives, 'placeholder'>): (plan: WritePlan) => PreparedWrite {
  return (plan) => {
    const { root, call, kind, list, cascadeKeys, isRuled } = plan
    const { text, slots } = render(callText(call), placeholder)
    const statement: BoundWrite['statement'] = { name: null, text, functionCall: true }
    const bindCall = (input: BindInput): Pick<BoundWrite, 'statement' | 'parameters'> => ({
      statement,
      parameters: slots.map((slot) => slot.read(input)),
    })
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
}

/** `CALL "fn_buy"(?1, ?2)`, or `SELECT "fn_buy"(?1, ?2)` for a stored function. */
function callText(call: PlannedCall): SqlFragment {
  const { schema, name, kind } = call.function
  const called = sql`${qualified(schema, name)}(${join(argumentsOf(call), ', ')})`
  return kind === 'function' ? sql`SELECT ${called}` : sql`CALL ${called}`
}

/**
 * Parameters of routines have no names in a call, and no defaults: one that receives nothing is NULL. The server returns
 * the value of an OUT parameter only in place of a parameter of the statement.
 */
function argumentsOf({ function: routine, parameters, named }: PlannedCall): readonly SqlFragment[] {
  if (!named || routine.parameters === null) return parameters.map(argumentOf)
  const byName = new Map(parameters.map((one) => [one.name, one]))
  return routine.parameters.map(({ name, has_default: isOut }) => {
    const given = byName.get(name)
    if (isOut) return parameter({ read: () => null })
    return given === undefined ? NULL : argumentOf(given)
  })
}

/** An argument as its value is stored: booleans as 1 and 0, points in time in UTC. */
function argumentOf({ type, slot }: PlannedCall['parameters'][number]): SqlFragment {
  const kind = kindOfType(type)
  const isStored = kind === 'boolean' || kind === 'datetime' || kind === 'date'
  return isStored ? convertSlot(parameter(slot), operandValue(kind)) : parameter(slot)
}
