import { isGroupKey } from './aggregate-type.ts'
import type { FieldModel } from './model.ts'
import { scalarOf } from './scalars.ts'

/** Calendar periods that dates and times can be grouped by, in UTC, longest first. A week begins on Monday. */
export const PERIODS = ['year', 'quarter', 'month', 'week', 'day', 'hour'] as const
export type Period = (typeof PERIODS)[number]

/**
 * A key that an aggregate query can group rows by: the value of a field, or the calendar period that contains the
 * value.
 */
export interface GroupKeyModel {
  readonly wireName: string
  readonly field: FieldModel
  /**
   * Calendar period that the field's values are grouped by. The value of the key is the first day of the period, or the
   * start of the hour. `null`: rows are grouped by the value itself.
   */
  readonly period: Period | null
  /** Scalar of the key's values if it is a period; `null`: the type of the field. */
  readonly type: 'Date' | 'DateTime' | null
}

/** Reserved words of GraphQL, which no enum value may have as its name. */
const NO_NAMES: ReadonlySet<string> = new Set(['true', 'false', 'null'])

/** Returns the scalar of a group key for a calendar period: `DateTime` for hours, otherwise `Date`. */
export function periodType(period: Period): 'Date' | 'DateTime' {
  return period === 'hour' ? 'DateTime' : 'Date'
}

/**
 * Returns the calendar periods that aggregate queries can group a field by, longest first. Empty if the field is no
 * date or time.
 */
export function periodsOf(field: Pick<FieldModel, 'named' | 'list' | 'read' | 'place'>): readonly Period[] {
  const { named } = field
  // A custom scalar with `serialize` may return values that are not dates.
  if (!isGroupKey(field) || named.kind !== 'scalar' || named.codec?.serialize !== undefined) return []
  const { group } = scalarOf(named)
  if (group === 'datetime') return PERIODS
  return group === 'date' ? PERIODS.filter((period) => period !== 'day' && period !== 'hour') : []
}

/**
 * Returns the name in the API of the group key for a field and a calendar period: `createdAtMonth` for `createdAt` and
 * `month`.
 */
export function periodName(wireName: string, period: Period): string {
  return `${wireName}${period[0]!.toUpperCase()}${period.slice(1)}`
}

/**
 * Returns the keys that aggregate queries can group rows of a type by, by their name in the API. If a period would have
 * the name of a field, the field is the key.
 * @param fields fields of the type
 * @param allowed tests whether the author allows a field, or a period of it, as a key
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

/** Converts a group key to the form that aggregate operations use: the field, or the field with a period. */
export function groupedBy({ field, period }: GroupKeyModel): FieldModel | { field: FieldModel; period: Period } {
  return period === null ? field : { field, period }
}
