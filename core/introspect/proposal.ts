import type { AuthoredSchema } from '../schema/authored.ts'

/** Options of {@link proposeSchema}. */
export interface ProposeOptions {
  /** Names that replace the derived ones. */
  readonly names?: NameOverrides
  /** Names of the database schemas whose objects are proposed. Default: all schemas of the model. */
  readonly schemas?: readonly string[]
  /** Also proposes mutations for volatile functions and procedures. Default: `false`. */
  readonly writes?: boolean
}

/** Names by the database's own. The key may omit the schema: `order_items`, `sales.order_items`. */
export interface NameOverrides {
  /** Table or view → type: `{ tbl_kunde: 'Customer' }`. */
  readonly types?: Readonly<Record<string, string>>
  /** Column → field: `{ 'customer.vat': 'vatNumber' }`. */
  readonly fields?: Readonly<Record<string, string>>
}

/** A schema for a database, and the differences between the two. */
export interface Proposal {
  readonly schema: AuthoredSchema
  readonly report: readonly ReportEntry[]
}

/** An object of the database that the proposed schema lacks, or whose name there differs from the convention. */
export type ReportEntry = SkippedEntry | RenamedEntry

export interface SkippedEntry {
  /** Kind of object: `table`, `view`, `column`, `function`, `relation`, … */
  readonly kind: string
  /** Name of the object, with its schema if it has one. A column: `schema.table.column`. */
  readonly name: string
  /** A sentence without a subject: `looks like a secret`. */
  readonly reason: string
}

export interface RenamedEntry {
  readonly kind: string
  readonly name: string
  /** Name in the schema: a type, `Type.field`, `Enum.VALUE` or a query. */
  readonly newName: string
}
