/**
 * A database table that svc or a plugin needs for its own data. svc creates it at start if the configuration
 * (`svc.create_tables`) and the database role allow it; otherwise the operator runs `svc tables`.
 */
export interface TableDefinition {
  /** Name of the table, beginning with `svc_`. */
  readonly name: string
  /** What the table is for, in one line: a comment in the SQL that `svc tables` prints. */
  readonly purpose: string
  /** The table is needed only if this option of the plugin has this value, or one of these values. Absent: always. */
  readonly when?: { readonly option: string; readonly is: string | readonly string[] }
  /**
   * `true`: the table is created on first use, and may be missing until then if svc may create it. Absent: it is
   * created at start.
   */
  readonly onDemand?: true
  /**
   * For PostgreSQL: the valid catalog types of columns, by column name. svc checks them because an existing table of
   * this name may have another origin or version. Columns that are not listed may have any type.
   */
  readonly types?: Readonly<Record<string, readonly string[]>>
  /**
   * Versions of the table, the oldest first. A table in the database is of a version if it has all columns of the
   * version.
   */
  readonly versions: readonly TableVersion[]
}

export interface TableVersion {
  /** Columns that the version adds to the table. */
  readonly columns: readonly string[]
  /**
   * SQL that upgrades the table from the previous version, by name of the dialect. It may run again, so it must be
   * repeatable: `CREATE TABLE IF NOT EXISTS …`.
   */
  readonly sql: Readonly<Record<string, string>>
}
