import type { AuthoredSchema } from '../schema/authored.ts'

/** Options of {@link proposeSchema}, which proposes a schema for a database. */
export interface ProposeOptions {
  /** Names of types and fields that replace the derived ones. */
  readonly names?: NameOverrides
  /** Names of the database schemas whose objects are proposed. Default: all. */
  readonly schemas?: readonly string[]
  /** `true`: join tables stay types, because mutations write their rows. Default: `false`. */
  readonly joinTypes?: boolean
  /**
   * `true`: proposes mutations, too, for functions that may write (volatile functions and procedures). Default:
   * `false`.
   */
  readonly writes?: boolean
}

/**
 * Names that replace those that svc derives from the database. A key may omit the database schema: `order_items` for
 * `sales.order_items`.
 */
export interface NameOverrides {
  /** Type name by table or view: `{ tbl_kunde: 'Customer' }`. */
  readonly types?: Readonly<Record<string, string>>
  /** Field name by column: `{ 'customer.vat': 'vatNumber' }`. */
  readonly fields?: Readonly<Record<string, string>>
}

/** A schema that svc proposes for a database, and a report of what it leaves out or renames. */
export interface Proposal {
  readonly schema: AuthoredSchema
  readonly report: readonly ReportEntry[]
}

/** A database object that a proposed schema leaves out, or that has a name there which differs from the usual one. */
export type ReportEntry = SkippedEntry | RenamedEntry

export interface SkippedEntry {
  /** Kind of the database object: `table`, `view`, `column`, `function`, `relation`, … */
  readonly kind: string
  /** Name of the database object, with its schema if it has one; for a column: `schema.table.column`. */
  readonly name: string
  /** Why the object is left out, as the end of a sentence that begins with its name: `looks like a secret`. */
  readonly reason: string
}

export interface RenamedEntry {
  readonly kind: string
  readonly name: string
  /** Name in the proposed schema: a type, `Type.field`, `Enum.VALUE` or a query. */
  readonly newName: string
}
