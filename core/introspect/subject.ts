import type { ModelColumn, ModelForeignKey, ModelRelation } from '../contract/database-model.ts'
import type { EnumNames } from './enum-names.ts'
import type { ProposeOptions, ReportEntry } from './proposal.ts'

/** A column with the type of its field. */
export interface ColumnField {
  readonly column: ModelColumn
  /** Type in GraphQL notation without the field's own `!`: `String`, `[Int]`. */
  readonly type: string
}

/** A foreign key as a field of the type on one of its sides. */
export interface Link {
  readonly direction: 'forward' | 'reverse'
  readonly key: ModelForeignKey
  /** The type that the field returns. */
  readonly target: Subject
  readonly list: boolean
  /** `true` if a row may have no related row, or if the caller may not see the related row. */
  readonly nullable: boolean
  /** Columns of the foreign key on this side. `to` has the columns of the other side, in the same order. */
  readonly from: readonly string[]
  readonly to: readonly string[]
  /** The field for the same foreign key on the other type; `null`: there is none. */
  readonly counterpart: Link | null
  /** Columns that the link replaces as fields. */
  readonly replaces: readonly string[]
}

/** A relation of the database that becomes a type. */
export interface Subject {
  readonly relation: ModelRelation
  /** Name of the type. */
  readonly type: string
  /** Columns that identify a row; `null`: the relation has no known key. */
  readonly key: readonly string[] | null
  /** Columns that a field can read, in the order of the relation. */
  readonly columns: readonly ColumnField[]
  /** Relations to other subjects, in the order of their fields. */
  readonly links: Link[]
  /** Names of fields, by column and link. */
  readonly names: Map<ColumnField | Link, string>
}

/** The types and fields of a proposal before the schema is written. */
export interface Layout {
  readonly subjects: readonly Subject[]
  readonly enums: EnumNames
  readonly options: ProposeOptions
  readonly report: ReportEntry[]
  /** Finds the subject of a relation. */
  subjectOf(name: { readonly schema?: string; readonly name: string }): Subject | undefined
}
