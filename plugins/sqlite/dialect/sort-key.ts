import { type PageKey, type SqlValue, sql, type Target } from '../../../core/index.ts'
import { comparable } from './comparable.ts'
import { comparedForm, digitsOf, exactText } from './forms.ts'
import { kindOf } from './kind.ts'

/** A sort key of a page by keyset. */
export function sortKey(target: Omit<Target, 'value'>, given: SqlValue): PageKey {
  const kind = kindOf(target.named, target.type ?? (given.from === 'column' ? given.type : null))
  const { value } = comparable(target, given)
  switch (kind) {
    case 'decimal':
      return { value, text: digitsOf(given), operand: (slot) => comparedForm(kind, slot) }
    case 'boolean':
      return { value, text: sql`CAST(${value} AS TEXT)`, operand: (slot) => sql`CAST(${slot} AS INTEGER)` }
    // Compared as they are stored, in whichever case that is.
    case 'uuid':
      return { value, text: value, operand: (slot) => slot }
    default:
      return { value, text: exactText(value), operand: (slot) => comparedForm(kind, slot) }
  }
}
