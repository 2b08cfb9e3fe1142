import type { ModelColumn, ModelForeignKey, ModelRelation } from '../contract/database-model.ts'
import type { EnumNames } from './enum-names.ts'
import type { ProposeOptions, ReportEntry } from './proposal.ts'

/** A database column that becomes a field, with the GraphQL type of the field. */
export interface ColumnField {
  readonly column: ModelColumn
  /** GraphQL type of the field without `!` at the end: `String`, `[Int]`. */
  readonly type: string
}

/** A relation field that svc derives from a foreign key, on the type of one of its two sides. */
export interface Link {
  /** Side with the foreign key: this type (`forward`), the other one (`reverse`), or a join table (`through`). */
  readonly direction: 'forward' | 'reverse' | 'through'
  readonly key: ModelForeignKey
  /** The type of the related rows, which the field returns. */
  readonly target: Subject
  readonly list: boolean
  /** `true`: the field may be null, because there is no related row, or because the caller may not see it. */
  readonly nullable: boolean
  /**
   * Columns of the foreign key in the type's own table. `to` lists the columns of the other table, in the same order.
   */
  readonly from: readonly string[]
  readonly to: readonly string[]
  /** The relation field for the same foreign key on the other type; `null`: that type has none. */
  readonly counterpart: Link | null
  /** Columns that get no field of their own, because this relation field takes their place. */
  readonly replaces: readonly string[]
  /** The join table, whose columns `from` and `to` have the values of {@link from} and {@link to}. */
  readonly through?: { readonly join: Subject; readonly from: readonly string[]; readonly to: readonly string[] }
}

/** A table or view that becomes a type of the proposed schema. */
export interface Subject {
  readonly relation: ModelRelation
  /** Name of the type in the proposed schema. */
  readonly type: string
  /** Columns that identify a row; `null`: the table or view has no known key. */
  readonly key: readonly string[] | null
  /** The columns that become fields, in the order of the table. */
  readonly columns: readonly ColumnField[]
  /** Relation fields to other types, in the order in which the type declares them. */
  readonly links: Link[]
  /** Names of the type's fields, by column or relation field. */
  readonly names: Map<ColumnField | Link, string>
}

/** Plan of a proposed schema: its types, fields and their names, before the schema is created. */
export interface Layout {
  readonly subjects: readonly Subject[]
  readonly enums: EnumNames
  readonly options: ProposeOptions
  readonly report: ReportEntry[]
  /** Finds the planned type for a table or view; `undefined`: the object is left out. */
  subjectOf(name: { readonly schema?: string; readonly name: string }): Subject | undefined
}
