import type { AuthoredSchema } from '../schema/authored.ts'

/** Options of {@link proposeSchema}. */
export interface ProposeOptions {
  /** Names that replace the derived ones. */
  readonly names?: NameOverrides
  /** Only objects of these schemas. Default: those of all schemas of the model. */
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

/** An object of the database that the schema lacks, or that has another name in the schema than the convention gives it. */
export type ReportEntry = SkippedEntry | RenamedEntry

export interface SkippedEntry {
  /** `table`, `view`, `column`, `function`, `relation`, … */
  readonly kind: string
  /** Name with its schema, where it has one. A column: `schema.table.column`. */
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
