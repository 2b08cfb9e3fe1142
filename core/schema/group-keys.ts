import { isGroupKey } from './aggregate-type.ts'
import type { FieldModel } from './model.ts'
import { scalarOf } from './scalars.ts'

/** Periods of the calendar (UTC) that days and times fall into. A week begins on Monday. */
export const PERIODS = ['year', 'quarter', 'month', 'week', 'day', 'hour'] as const
export type Period = (typeof PERIODS)[number]

/** What rows can be grouped by: the value of a field, or the period that it falls into. */
export interface GroupKeyModel {
  readonly wireName: string
  readonly field: FieldModel
  /** Shown by its first day, an hour by its first second. `null`: the value itself. */
  readonly period: Period | null
  /** Name of the scalar that it gives; `null`: the type of the field. */
  readonly type: 'Date' | 'DateTime' | null
}

/** Words of GraphQL that no enum may have for a value. */
const NO_NAMES: ReadonlySet<string> = new Set(['true', 'false', 'null'])

/** The scalar that shows a period. */
export function periodType(period: Period): 'Date' | 'DateTime' {
  return period === 'hour' ? 'DateTime' : 'Date'
}

/** The periods that the values of a field fall into, from the longest. None: it is no day and no point in time. */
export function periodsOf(field: Pick<FieldModel, 'named' | 'list' | 'read' | 'place'>): readonly Period[] {
  const { named } = field
  // A scalar that writes itself means something by its values that the calendar need not mean.
  if (!isGroupKey(field) || named.kind !== 'scalar' || named.codec?.serialize !== undefined) return []
  const { group } = scalarOf(named)
  if (group === 'datetime') return PERIODS
  return group === 'date' ? PERIODS.filter((period) => period !== 'day' && period !== 'hour') : []
}

/** `createdAt` and `month`: `createdAtMonth`. */
export function periodName(wireName: string, period: Period): string {
  return `${wireName}${period[0]!.toUpperCase()}${period.slice(1)}`
}

/**
 * What rows of a type can be grouped by, by wire name. Where a field has the name of a period of another, the field has it.
 * @param allowed may a name be grouped by? A field that may be brings its periods along
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

/** A key as operations name it. */
export function groupedBy({ field, period }: GroupKeyModel): FieldModel | { field: FieldModel; period: Period } {
  return period === null ? field : { field, period }
}
