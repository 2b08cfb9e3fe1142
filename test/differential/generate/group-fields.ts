import type { Period } from '../../../core/doors/driver.ts'
import type { FieldModel } from '../../../core/doors/plugin.ts'
import { PERIODS } from '../../../core/schema/group-keys.ts'

/** A field that rows are grouped by, or, where it says so, the period that its values fall into. */
export interface PeriodField extends FieldModel {
  readonly period: Period
  /** Whose periods they are. */
  readonly base: FieldModel
}

const known = new WeakMap<FieldModel, readonly PeriodField[]>()

/** A field for each period of a day or a point in time. */
export function periodFields(base: FieldModel): readonly PeriodField[] {
  let fields = known.get(base)
  if (fields === undefined) {
    const { named, wireName } = base
    const kind = named.kind === 'scalar' ? named.base : ''
    const periods = kind === 'DateTime' ? PERIODS : kind === 'Date' ? PERIODS.slice(0, 4) : []
    fields = periods.map((period) => ({
      ...base,
      wireName: `${wireName}${period[0]!.toUpperCase()}${period.slice(1)}`,
      period,
      base,
    }))
    known.set(base, fields)
  }
  return fields
}

export function isPeriod(field: FieldModel): field is PeriodField {
  return 'period' in field
}
