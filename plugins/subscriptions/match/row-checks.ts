import { type ChangeEvent, changes, jsonText } from '../../../core/doors/front.ts'
import { parseJson } from '../../../core/doors/plugin.ts'
import type { ArgumentFilter } from './argument-filter.ts'
import type { Target } from './target.ts'

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/**
 * Checks the filters of a subscription again with the row that is about to be sent, which may have changed since the
 * event.
 */
export interface RowChecks {
  /** Returns the fields that must be read with the rows of a type for this check; empty without filters. */
  fields(type: string): readonly string[]
  /**
   * Tests whether the row of an event still matches the filters.
   * @param beside JSON texts of the fields by their names in `schema.json`
   * @throws ExpressionFailure
   */
  holds(event: ChangeEvent, beside: ReadonlyMap<string, string>): boolean
}

export function checksOf(
  { types }: Target,
  given: ArgumentFilter | null,
  accepts: (change: changes.ObservedChange) => boolean,
): RowChecks {
  const byType = new Map(
    [...types].map(([name, { shape, filter }]) => {
      const fields = new Set([...filter.fields, ...(given?.fields(shape, filter.paths) ?? [])])
      return [name, [...fields].sort()] as const
    }),
  )
  return {
    fields: (type) => byType.get(type) ?? [],
    holds(event, beside) {
      const shape = types.get(event.entityType ?? '')?.shape
      return shape !== undefined && accepts(asShown(event, shape, beside))
    },
  }
}

/**
 * Copies an event with the values of the row that will be sent, which may have changed since the event, to check the filter
 * on that row.
 * @param beside values of the row (`ChangedRows.beside`), by declared name, as JSON texts
 */
function asShown(
  event: ChangeEvent,
  shape: changes.EntityShape,
  beside: ReadonlyMap<string, string>,
): changes.ObservedChange {
  const change = changes.observe(event, shape)
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
  return isNumber && typeof value === 'string' && NUMBER.test(value) ? jsonText.numberOf(value) : value
}
