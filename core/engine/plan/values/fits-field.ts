import type { FieldModel } from '../../../schema/model.ts'
import { scalarOf } from '../../../schema/scalars.ts'
import { toText } from './operand.ts'

/**
 * Tests whether a value can be compared with the field, or with an item of it, as the operand of a filter. `"service-x"` cannot be
 * compared with a column of UUIDs. For conditions built from claims: a value that does not fit equals nothing, and is no error.
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
