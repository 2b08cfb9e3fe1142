import type { ChangeEvent, ObservedChange } from '../../../core/doors/front.ts'
import type { ArgumentFilter } from './argument-filter.ts'
import { asShown } from './as-shown.ts'
import type { Target } from './target.ts'

/** Checks the filters of a subscription again on the row that will be sent. */
export interface RowChecks {
  /** The fields to read for the filters (`ToldRows.beside`), by type; empty without filters. */
  fields(type: string): readonly string[]
  /** Does the row still match? @param beside the values of these fields @throws ExpressionFailure */
  holds(event: ChangeEvent, beside: ReadonlyMap<string, string>): boolean
}

export function checksOf(
  { types }: Target,
  given: ArgumentFilter | null,
  accepts: (change: ObservedChange) => boolean,
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
