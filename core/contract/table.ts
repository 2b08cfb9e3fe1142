/**
 * A table of svc's own, or of a plugin. It is made at start where the role may (`svc.create_tables`), else by
 * `svc tables`.
 */
export interface TableDefinition {
  /** `svc_…` */
  readonly name: string
  /** One line for people who read the script. */
  readonly purpose: string
  /** Only where this option of the plugin has this value, or one of these. Absent: always. */
  readonly when?: { readonly option: string; readonly is: string | readonly string[] }
  /** Made when it is needed first, so that a database without it is no fault as long as it may be made. Absent: at start. */
  readonly onDemand?: true
  /**
   * What columns of PostgreSQL may be, as the catalog names types, where the plugin relies on it: a table of this name may be somebody
   * else's, or of another time. Those that are left out may be anything.
   */
  readonly types?: Readonly<Record<string, readonly string[]>>
  /** The oldest first. A table lacks a version where it lacks one of its columns. */
  readonly versions: readonly TableVersion[]
}

export interface TableVersion {
  /** What it added. */
  readonly columns: readonly string[]
  /** By name of the dialect. Repeatable: `CREATE TABLE IF NOT EXISTS …`. */
  readonly sql: Readonly<Record<string, string>>
}
