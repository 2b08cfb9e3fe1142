import type { FieldModel } from '../../../schema/model.ts'
import { scalarOf } from '../../../schema/scalars.ts'
import { toText } from './operand.ts'

/**
 * Can a value be compared with the field, as an operand of a filter, or with an item of it? `"service-x"` cannot with a column of uuids. For conditions
 * that are made of claims: what does not fit is equal to nothing, and no error of the request.
 */
export function fitsField({ named, read }: Pick<FieldModel, 'named' | 'read'>, value: unknown): boolean {
  if (named.kind !== 'scalar' && named.kind !== 'enum') return false
  try {
    if (named.kind === 'enum') toText(value, named, null)
    else {
      const { group, parse, documentCast } = scalarOf(named)
      const isTime = group === 'datetime' || group === 'date' || group === 'time'
      const column = read?.from === 'column' ? (read.column_type?.replace(/^_/, '') ?? null) : null
      toText(isTime ? parse(value) : value, named, isTime ? null : (column ?? documentCast))
    }
    return true
  } catch {
    return false
  }
}
