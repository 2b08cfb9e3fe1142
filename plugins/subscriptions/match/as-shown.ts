import {
  type ChangeEvent,
  type EntityShape,
  numberOf,
  type ObservedChange,
  observe,
} from '../../../core/doors/front.ts'
import { parseJson } from '../../../core/doors/plugin.ts'

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/**
 * An event with its row as it is shown, which may have been changed since: what is sent has to be what was asked for.
 * @param beside `ToldRows.beside` of the row, by declared name, as JSON texts
 */
export function asShown(event: ChangeEvent, shape: EntityShape, beside: ReadonlyMap<string, string>): ObservedChange {
  const change = observe(event, shape)
  const row: Record<string, unknown> = { ...change.row }
  for (const [name, text] of beside) row[name] = likeThere(readValue(text), row[name])
  return { ...change, row, now: row }
}

function readValue(text: string): unknown {
  // A number by itself would lose digits.
  return (parseJson(`[${text}]`) as readonly unknown[])[0]
}

/** A number that is read as text is a number where the event has one. */
function likeThere(value: unknown, there: unknown): unknown {
  const isNumber =
    typeof there === 'number' || (typeof there === 'object' && there !== null && NUMBER.test(String(there)))
  return isNumber && typeof value === 'string' && NUMBER.test(value) ? numberOf(value) : value
}
