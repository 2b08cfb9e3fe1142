import type { ModelColumn } from '../../contract/database-model.ts'
import type { ColumnField, Subject } from '../subject.ts'

/** A column that a statement sets, as a field of an input. */
export interface WrittenColumn {
  readonly column: ModelColumn
  /** Name of the field of the input. */
  readonly name: string
  /** Type of the field, without the mark of a required one. */
  readonly type: string
  /** Key of the input as JSON, and name of the parameter without its prefix. */
  readonly key: string
}

/** How a conflict with an existing row is found and resolved. */
export interface Upsert {
  /** Columns of the key that identifies the existing row. */
  readonly on: readonly WrittenColumn[]
  /** Columns that an existing row gets. Empty: all columns belong to the key. */
  readonly set: readonly WrittenColumn[]
}

/** The writes that are generated for a table. */
export interface TableWrites {
  readonly subject: Subject
  /** Columns that identify a row. Empty: none do, so that only `create` is possible. */
  readonly key: readonly WrittenColumn[]
  /** Column of the field `id`, by which svc reads a row again; `null`: the type has none. */
  readonly id: ModelColumn | null
  /** Columns of an INSERT, those that need a value first; `null`: no INSERT. */
  readonly create: readonly WrittenColumn[] | null
  /** Columns of an UPDATE; `null`: no UPDATE. */
  readonly update: readonly WrittenColumn[] | null
  readonly delete: boolean
  readonly upsert: Upsert | null
}

/** Must an INSERT set the column? */
export function isRequired({ column }: WrittenColumn): boolean {
  return !column.hasDefault
}

/** Columns of a table by what an entity may show of them. */
export interface ShownColumns {
  readonly shown: readonly ModelColumn[]
  /** Secrets, columns without a field, and columns whose JSON form is not that of their field. */
  readonly hidden: readonly ModelColumn[]
  /** The role may read every column, so that a statement may use the whole row. */
  readonly whole: boolean
}

/** Types whose values have another form in a JSON document than in a field. svc reads them again from the table. */
const READ_AGAIN = /^_?(?:vector|halfvec|sparsevec|bit|varbit|geometry|geography|bytea)$/

/** Divides the columns of a table for the entity that a function returns. */
export function shownColumns({ relation, columns }: Subject): ShownColumns {
  const readable = new Set(columns.map(({ column }: ColumnField) => column))
  const isShown = (column: ModelColumn): boolean => readable.has(column) && !READ_AGAIN.test(column.type)
  return {
    shown: relation.columns.filter(isShown),
    hidden: relation.columns.filter((column) => !isShown(column)),
    whole: relation.columns.every(({ unreadable }) => unreadable !== true),
  }
}
