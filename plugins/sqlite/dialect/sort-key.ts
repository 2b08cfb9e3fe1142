import { literal, type PageKey, type SqlFragment, type SqlValue, type Target } from '../../../core/doors/driver.ts'
import { sql } from '../../../core/doors/plugin.ts'
import { comparable } from './comparable.ts'
import { comparedForm, digitsOf, exactText } from './forms.ts'
import { kindOf } from './kind.ts'

/** A sort key of a page by keyset. */
export function sortKey(target: Omit<Target, 'value'>, given: SqlValue): PageKey {
  const kind = kindOf(target.named, target.type ?? (given.from === 'column' ? given.type : null))
  const { value } = comparable(target, given)
  switch (kind) {
    case 'decimal':
      return { value, text: digitsOf(given), operand: (slot) => ofCursor(kind, slot) }
    case 'boolean':
      return { value, text: sql`CAST(${value} AS TEXT)`, operand: (slot) => sql`CAST(${slot} AS INTEGER)` }
    // Compared as they are stored, in whichever case that is.
    case 'uuid':
      return { value, text: value, operand: (slot) => slot }
    case 'datetime':
    case 'date':
    case 'time':
      return { value, text: exactText(value), operand: (slot) => ofCursor(kind, slot) }
    default:
      return { value, text: exactText(value), operand: (slot) => comparedForm(kind, slot) }
  }
}

/** As {@link comparedForm}; a text that is none was not stored: a client has made its cursor. */
function ofCursor(kind: 'decimal' | 'datetime' | 'date' | 'time', slot: SqlFragment): SqlFragment {
  return sql`svc_cursor(${literal(kind)}, ${slot})`
}
