import { isGroupKey } from './aggregate-type.ts'
import type { FieldModel } from './model.ts'
import { scalarOf } from './scalars.ts'

/** Periods of the calendar, in UTC, for dates and times. A week begins on Monday. */
export const PERIODS = ['year', 'quarter', 'month', 'week', 'day', 'hour'] as const
export type Period = (typeof PERIODS)[number]

/** A key to group rows by: the value of a field, or the period that the value falls into. */
export interface GroupKeyModel {
  readonly wireName: string
  readonly field: FieldModel
  /**
   * Period that groups the values. The key is the first day of the period, or the first second of an hour. `null`:
   * group by the value itself.
   */
  readonly period: Period | null
  /** Scalar type of the period; `null`: the key has the type of the field. */
  readonly type: 'Date' | 'DateTime' | null
}

/** Reserved words of GraphQL, which no enum value may have as its name. */
const NO_NAMES: ReadonlySet<string> = new Set(['true', 'false', 'null'])

/** Returns the scalar type of a period. */
export function periodType(period: Period): 'Date' | 'DateTime' {
  return period === 'hour' ? 'DateTime' : 'Date'
}

/** Returns the periods that a field can be grouped by, the longest first. Empty for a field that is neither a date nor a time. */
export function periodsOf(field: Pick<FieldModel, 'named' | 'list' | 'read' | 'place'>): readonly Period[] {
  const { named } = field
  // A custom scalar with `serialize` may return values that are not dates.
  if (!isGroupKey(field) || named.kind !== 'scalar' || named.codec?.serialize !== undefined) return []
  const { group } = scalarOf(named)
  if (group === 'datetime') return PERIODS
  return group === 'date' ? PERIODS.filter((period) => period !== 'day' && period !== 'hour') : []
}

/** Returns the wire name of a period: `createdAt` and `month` give `createdAtMonth`. */
export function periodName(wireName: string, period: Period): string {
  return `${wireName}${period[0]!.toUpperCase()}${period.slice(1)}`
}

/**
 * Returns the keys that rows of a type can be grouped by, by wire name. A field has precedence over the period of another field with the
 * same name.
 * @param allowed tests whether a field may be a key. If so, its periods are keys as well
 */
export function groupKeysOf(
  fields: ReadonlyMap<string, FieldModel>,
  allowed: (wireName: string) => boolean,
): ReadonlyMap<string, GroupKeyModel> {
  const keys = new Map<string, GroupKeyModel>()
  for (const field of fields.values()) {
    const { wireName } = field
    if (!isGroupKey(field) || NO_NAMES.has(wireName)) continue
    if (allowed(wireName)) keys.set(wireName, { wireName, field, period: null, type: null })
    for (const period of periodsOf(field)) {
      const name = periodName(wireName, period)
      if (fields.has(name) || !(allowed(wireName) || allowed(name))) continue
      keys.set(name, { wireName: name, field, period, type: periodType(period) })
    }
  }
  return keys
}

/** Converts a key to the form that operations use. */
export function groupedBy({ field, period }: GroupKeyModel): FieldModel | { field: FieldModel; period: Period } {
  return period === null ? field : { field, period }
}
