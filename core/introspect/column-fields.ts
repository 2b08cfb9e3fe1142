import type { ModelColumn, ModelRelation } from '../contract/database-model.ts'
import { isIdType, scalarOfColumn } from './column-scalar.ts'
import type { EnumNames } from './enum-names.ts'
import { wordsOf } from './names/words.ts'
import type { ReportEntry } from './proposal.ts'
import { qualified } from './qualified.ts'
import { looksLikeSecret } from './secret-columns.ts'

/** A column with the type of its field. */
export interface ColumnField {
  readonly column: ModelColumn
  /** Type in GraphQL notation, without the mark of the field itself: `String`, `[Int]`. */
  readonly type: string
}

/** Returns the columns that fields can read, and reports the others. */
export function fieldsOfColumns(
  relation: ModelRelation,
  enums: EnumNames,
  report: ReportEntry[],
): readonly ColumnField[] {
  const isReference = (name: string): boolean => relation.foreignKeys.some(({ columns }) => columns.includes(name))
  return relation.columns.flatMap((column) => {
    const type = typeOf(relation, column, enums)
    const reason =
      column.unreadable === true
        ? 'cannot be read with the privileges of the role'
        : looksLikeSecret(column) && !isReference(column.name)
          ? 'looks like a secret'
          : typeof type === 'string'
            ? null
            : type.reason
    if (reason === null) return [{ column, type: type as string }]
    report.push({ kind: 'column', name: `${qualified(relation)}.${column.name}`, reason })
    return []
  })
}

/** Returns the type of the field of a column. Items of a list may be null, because those of an array may. */
function typeOf(relation: ModelRelation, column: ModelColumn, enums: EnumNames): string | { readonly reason: string } {
  if (column.enum !== undefined && !column.sqlType.endsWith('[][]')) {
    const name = enums.use(column.enum)
    if (name !== null) return column.type.startsWith('_') ? `[${name}]` : name
  }
  const found = scalarOfColumn(column)
  if ('reason' in found) return found
  if (found.list) return `[${found.scalar}]`
  return isIdType(column.type) && isKeyLike(relation, column.name) ? 'ID' : found.scalar
}

/** Is the column a key, a reference, or named like one? A position in a composite key is a number. */
function isKeyLike({ primaryKey, foreignKeys }: ModelRelation, name: string): boolean {
  if (primaryKey.length === 1 && primaryKey[0] === name) return true
  if (foreignKeys.some(({ columns }) => columns.includes(name))) return true
  return wordsOf(name).at(-1) === 'id'
}
