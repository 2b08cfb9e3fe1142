import type { ModelColumn, ModelForeignKey, ModelRelation } from '../contract/database-model.ts'
import type { EnumNames } from './enum-names.ts'
import type { ProposeOptions, ReportEntry } from './proposal.ts'

/** A column with the type of its field. */
export interface ColumnField {
  readonly column: ModelColumn
  /** Type in GraphQL notation, without the mark of the field itself: `String`, `[Int]`. */
  readonly type: string
}

/** A foreign key as a field, on one of its sides. */
export interface Link {
  readonly direction: 'forward' | 'reverse'
  readonly key: ModelForeignKey
  /** The type of the field. */
  readonly target: Subject
  readonly list: boolean
  /** A row may have no related row, or the caller may not see it. */
  readonly nullable: boolean
  /** Columns of this side and of the other one, in the same order. */
  readonly from: readonly string[]
  readonly to: readonly string[]
  /** The field on the other side. */
  readonly counterpart: Link | null
  /** Columns that the field stands for, so that they have no field of their own. */
  readonly replaces: readonly string[]
}

/** A relation of the database that becomes a type. */
export interface Subject {
  readonly relation: ModelRelation
  /** Name of the type. */
  readonly type: string
  /** Columns that identify a row; `null`: none are known. */
  readonly key: readonly string[] | null
  /** Columns that a field can read, in the order of the relation. */
  readonly columns: readonly ColumnField[]
  /** Relations to other subjects, in the order of their fields. */
  readonly links: Link[]
  /** Names of fields, by column and link. */
  readonly names: Map<ColumnField | Link, string>
}

/** The types of a proposal before they are written as a schema. */
export interface Layout {
  readonly subjects: readonly Subject[]
  readonly enums: EnumNames
  readonly options: ProposeOptions
  readonly report: ReportEntry[]
  /** Finds the subject of a relation. */
  subjectOf(name: { readonly schema?: string; readonly name: string }): Subject | undefined
}
