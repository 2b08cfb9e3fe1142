import type { FieldModel } from '../../../schema/model.ts'
import { scalarOf } from '../../../schema/scalars.ts'
import { toText } from './operand.ts'

/**
 * Tests whether a field, or an item of it, can equal a value at all: `"service-x"` cannot equal a UUID. It is for
 * conditions built from claims, where such a value matches no row instead of being an error.
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
