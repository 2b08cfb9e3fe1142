/**
 * A table of svc or of a plugin. It is created at start when the database role may do so (`svc.create_tables`), else by `svc tables`.
 */
export interface TableDefinition {
  /** Name of the table, beginning with `svc_`. */
  readonly name: string
  /** Description for readers of the SQL script, in one line. */
  readonly purpose: string
  /**
   * Condition for the table: this option of the plugin has this value, or one of these values. Absent: the table is
   * always needed.
   */
  readonly when?: { readonly option: string; readonly is: string | readonly string[] }
  /** The table is created on first use. A database without it is valid as long as svc may create it. Absent: created at start. */
  readonly onDemand?: true
  /**
   * Valid catalog types of PostgreSQL columns that the plugin relies on, because an existing table of this name may be of another origin or
   * version. Columns that are not listed may have any type.
   */
  readonly types?: Readonly<Record<string, readonly string[]>>
  /** Versions, the oldest first. A table lacks a version when it lacks one of its columns. */
  readonly versions: readonly TableVersion[]
}

export interface TableVersion {
  /** Columns that the version added. */
  readonly columns: readonly string[]
  /** SQL by name of the dialect. It must be repeatable: `CREATE TABLE IF NOT EXISTS …`. */
  readonly sql: Readonly<Record<string, string>>
}
