import type { ModelColumn } from '../../contract/database-model.ts'
import type { ColumnField, Subject } from '../subject.ts'

/** A column that a generated write sets, with its field in the input type. */
export interface WrittenColumn {
  readonly column: ModelColumn
  /** Name of the column's field in the generated input type. */
  readonly name: string
  /** GraphQL type of the field in the input, without `!`. */
  readonly type: string
  /** Name of the SQL parameter without its prefix, and key of the value if the input is passed as JSON. */
  readonly key: string
}

/** How a generated upsert finds an existing row, and which columns it then updates. */
export interface Upsert {
  /** Columns of the unique key by which an existing row is found (`ON CONFLICT`). */
  readonly on: readonly WrittenColumn[]
  /** Columns that are updated in an existing row. Empty: all columns belong to the key. */
  readonly set: readonly WrittenColumn[]
}

/** Which writes svc generates for a table, and the columns that they use. */
export interface TableWrites {
  readonly subject: Subject
  /**
   * Columns that identify a row, as arguments of update and delete. Empty: there are none, so only `create` is
   * possible.
   */
  readonly key: readonly WrittenColumn[]
  /** Column of the field `id`, by which svc reads a row again after the write; `null`: the type has no such field. */
  readonly id: ModelColumn | null
  /** Columns that the generated create can set, required ones first; `null`: no create is generated. */
  readonly create: readonly WrittenColumn[] | null
  /** Columns that the generated update can set; `null`: no update is generated. */
  readonly update: readonly WrittenColumn[] | null
  readonly delete: boolean
  readonly upsert: Upsert | null
}

/** Tests whether an INSERT must set the column, because it has no default. */
export function isRequired({ column }: WrittenColumn): boolean {
  return !column.hasDefault
}

/** The columns of a table, divided by whether a generated function returns them. */
export interface ShownColumns {
  readonly shown: readonly ModelColumn[]
  /**
   * Columns that are not returned: secrets, columns without a field, and columns whose JSON form differs from that of
   * their field.
   */
  readonly hidden: readonly ModelColumn[]
  /** `true` if the role may read every column, so that SQL may refer to the whole row. */
  readonly whole: boolean
}

/** Types whose values have another form in a JSON document than in a field. svc reads them again from the table. */
const READ_AGAIN = /^_?(?:vector|halfvec|sparsevec|bit|varbit|geometry|geography|bytea)$/

/**
 * Divides the columns of a table into those that a generated function returns with the written row and those that it
 * hides.
 */
export function shownColumns({ relation, columns }: Subject): ShownColumns {
  const readable = new Set(columns.map(({ column }: ColumnField) => column))
  const isShown = (column: ModelColumn): boolean => readable.has(column) && !READ_AGAIN.test(column.type)
  return {
    shown: relation.columns.filter(isShown),
    hidden: relation.columns.filter((column) => !isShown(column)),
    whole: relation.columns.every(({ unreadable }) => unreadable !== true),
  }
}
