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
 * Copies an event with the values of the row that will be sent, which may have changed since the event, to check the filter
 * on that row.
 * @param beside values of the row (`ToldRows.beside`), by declared name, as JSON texts
 */
export function asShown(event: ChangeEvent, shape: EntityShape, beside: ReadonlyMap<string, string>): ObservedChange {
  const change = observe(event, shape)
  const row: Record<string, unknown> = { ...change.row }
  for (const [name, text] of beside) row[name] = likeThere(readValue(text), row[name])
  return { ...change, row, now: row }
}

function readValue(text: string): unknown {
  // In a list, because `parseJson` does not keep all digits of a number that is the whole text.
  return (parseJson(`[${text}]`) as readonly unknown[])[0]
}

/** Converts a text to a number when the event has a number there: some numbers are read as texts. */
function likeThere(value: unknown, there: unknown): unknown {
  const isNumber =
    typeof there === 'number' || (typeof there === 'object' && there !== null && NUMBER.test(String(there)))
  return isNumber && typeof value === 'string' && NUMBER.test(value) ? numberOf(value) : value
}
