import type { CompiledColumn } from '../schema/compiled-column.ts'
import type { Cancellable } from './cancellable.ts'
import type { DatabaseModel } from './database-model.ts'
import type { Dialect } from './dialect.ts'
import type { Setting } from './setting.ts'
import type { Signals } from './signals.ts'
import type { LentRow, Parameter, Row, Rows, Statement } from './statement.ts'

/**
 * An open database, as a driver plugin provides it. All values are texts in PostgreSQL's text format, so that svc need
 * not decode values that it only forwards.
 */
export interface Database {
  /** Kind of database, as `/health` and `svc plugins` show it: `postgres`, `pglite`, … */
  readonly kind: string
  /** SQL dialect of the database. */
  readonly dialect: Dialect
  /**
   * Runs one statement on any connection. A statement with a `name` is prepared once per connection. Concurrent calls
   * are safe.
   * @param settings transaction-local settings, sent with the statement in one implicit transaction and one round trip.
   *   `transaction_read_only` = `on` makes the transaction read-only, `role` sets its role
   * @throws SettingsRefused: the database rejects a setting. SvcError SERVICE_UNAVAILABLE (no connection, broken
   *   connection), TIMEOUT (aborted). Otherwise the driver's own error, which `fromDatabaseError` converts
   */
  query(
    statement: Statement,
    parameters: readonly Parameter[],
    cancel: Cancellable | null,
    settings?: readonly Setting[],
  ): Promise<Rows>
  /**
   * Runs a read that returns one row, and passes its values as bytes, so that large values never become strings.
   * Drivers that cannot do so omit it.
   * @param take reads the row, whose bytes are valid until it returns. Called again if the driver repeats the read
   * @returns the result of `take`; `null` when there was not exactly one row
   * @throws as `query`; errors of `take` pass through
   */
  readRow?<T>(
    statement: Statement,
    parameters: readonly Parameter[],
    cancel: Cancellable | null,
    take: (row: LentRow) => T,
    settings?: readonly Setting[],
  ): Promise<T | null>
  /**
   * Runs `work` between BEGIN and COMMIT on one connection. A throw of `work` rolls the transaction back and is
   * rethrown.
   */
  transaction<T>(work: (session: Session) => Promise<T>, options: TransactionOptions): Promise<T>
  /**
   * Reads the rows of a statement in batches from a cursor, with back-pressure. Ending the iteration closes the cursor.
   */
  stream(statement: Statement, parameters: readonly Parameter[], options: StreamOptions): AsyncIterable<readonly Row[]>
  /** Describes the named relations and functions, for the compiler. `model`: result of {@link introspect}, if known. */
  catalog(names: CatalogNames, model?: DatabaseModel): Promise<Catalog>
  /** Describes the whole database from its catalog, for `svc introspect`. Drivers that cannot do so omit it. */
  introspect?(): Promise<DatabaseModel>
  /** Runs a script of several statements, such as the files in `db/` of `svc init`. */
  script(sql: string): Promise<void>
  /** Explains a statement without executing it: EXPLAIN (FORMAT JSON). @returns JSON text */
  explain(statement: Statement, parameters: readonly Parameter[], settings?: readonly Setting[]): Promise<string>
  /**
   * Returns how the database will plan the next run of a statement. `values`: for its parameter values; `generic`: once
   * for any values. `null`: the database decides. Drivers without this choice omit it.
   */
  planning?(statement: Statement): 'values' | 'generic' | null
  /**
   * Listens to the notifications of a channel (NOTIFY of PostgreSQL). Drivers without notifications omit it.
   * @param onGap called after the connection was lost and restored: notifications may be missing
   * @returns a function that ends listening
   */
  listen?(channel: string, onMessage: (payload: string) => void, onGap?: () => void): Promise<() => Promise<void>>
  /** `true`: svc may append a comment to a statement, to identify it in logs and statistics views of the database. */
  readonly takesComments?: true
  /** Tests the connection with a round trip to the server. @throws SvcError SERVICE_UNAVAILABLE */
  ping(): Promise<void>
  readonly pool: PoolState
  /** Closes all connections after their running statements have finished. */
  close(): Promise<void>
}

/** An open transaction, valid until the `work` of {@link Database.transaction} ends. */
export interface Session {
  query(statement: Statement, parameters: readonly Parameter[]): Promise<Rows>
}

export interface TransactionOptions {
  readonly readOnly?: boolean
  readonly cancel?: Cancellable | null
  /**
   * `true`: all statements see one snapshot (PostgreSQL: REPEATABLE READ). Writing a row that another transaction has
   * changed since then fails with an error for which `isTransient` is true. Drivers with a single writer ignore it.
   */
  readonly snapshot?: boolean
  /** Transaction-local settings, `set_config(name, value, true)`, in the same round trip as BEGIN where possible. */
  readonly settings?: readonly Setting[] | undefined
}

export interface StreamOptions {
  readonly cancel: Cancellable | null
  /** Maximum number of rows in a batch. Batches of large rows have fewer rows, to limit memory. */
  readonly batchSize: number
  /** Transaction-local settings for the whole stream, as in {@link Database.query}. */
  readonly settings?: readonly Setting[] | undefined
}

export interface PoolState {
  readonly active: number
  readonly idle: number
  readonly waiting: number
  readonly connected: boolean
  /** Maximum number of connections that the server allows, if that is below `pool_max`. Absent: it is not. */
  readonly granted?: number
  /** `true`: new connections are read-only, because the server is a standby or its settings say so. */
  readonly readOnly?: true
}

export interface CatalogNames {
  /** Names of views and tables in the form of `sql_source`: `v_user` or `schema.v_user`. */
  readonly relations: readonly string[]
  readonly functions: readonly string[]
}

export interface Catalog {
  /** Views and tables by requested name. Names that do not exist have no entry. */
  readonly relations: ReadonlyMap<string, CatalogRelation>
  /** Functions by requested name, with all overloads. Names that do not exist have no entry. */
  readonly functions: ReadonlyMap<string, readonly CatalogFunction[]>
  /** Names of all views and tables in the search path, for suggestions in messages. */
  readonly allRelations: readonly string[]
  readonly allFunctions: readonly string[]
  /** Relations and functions outside the search path, as `schema.name`, for suggestions in messages. Absent: none. */
  readonly elsewhere?: CatalogNames
  /**
   * Text search configurations, with their schema, and also without it if the search path contains it. Names of a
   * further database are prefixed: `crm:english`. Absent: none.
   */
  readonly searchConfigs?: readonly string[]
  /** Installed extensions of the database. Names of a further database are prefixed: `crm:postgis`. Absent: none. */
  readonly extensions?: readonly string[]
}

export interface CatalogRelation {
  readonly schema: string
  readonly name: string
  readonly kind: 'view' | 'table'
  readonly columns: readonly (Pick<CompiledColumn, 'casts' | 'dimensions' | 'digits' | 'place'> & {
    readonly name: string
    /** `int4`, `_text` for an array, `enum:mood`, `row:address` for a composite. */
    readonly type: string
    readonly notNull: boolean
    /** The catalog proves that no two rows have the same value. */
    readonly unique: boolean
    /** The catalog proves that the column may be NULL. Absent: unknown. */
    readonly nullable?: true
    /** Values of the enum type of the column or of its elements. Absent: it has another type. */
    readonly labels?: readonly string[]
  })[]
  readonly primaryKey: readonly string[]
  /** Lists of columns that together identify a row, also of a view. Absent: none is known. */
  readonly compositeKeys?: readonly (readonly string[])[]
  /** `true`: the database has no types for dates and times, so text columns hold them (SQLite). */
  readonly textTimes?: true
  /** `true`: reading the relation calls a function that may change settings of the connection (`Statement.resets`). */
  readonly resets?: boolean
  /** Tables whose row-level security this view bypasses, with the view's owner, who is exempt. Absent: none. */
  readonly bypasses?: readonly { readonly table: string; readonly owner: string }[]
}

export interface CatalogFunction {
  /** The function may set the search_path of its transaction, which changes the meaning of unqualified names after the call. */
  readonly movesPath?: true
  /** A CALL of the procedure returns its result (MariaDB, MySQL). Absent: procedures return nothing. */
  readonly yields?: true
  readonly schema: string
  readonly name: string
  readonly kind: 'function' | 'procedure'
  readonly parameters: readonly {
    readonly name: string | null
    readonly type: string
    readonly hasDefault: boolean
    /** Values of the enum type of the parameter or of its elements. Absent: it has another type. */
    readonly labels?: readonly string[]
  }[]
  readonly returns: {
    readonly set: boolean
    readonly kind: 'void' | 'scalar' | 'composite'
    readonly type: string
    readonly columns: readonly { readonly name: string; readonly type: string }[]
    /** The function returns `record` without declared columns, so that a query has to declare them. */
    readonly opaque?: true
  }
}

/** Options of a database: `[database]` or `[databases.<name>]` of svc.toml, with `${VAR}` replaced. */
export interface DatabaseConfig {
  readonly url: string
  readonly ssl_mode: 'disable' | 'allow' | 'prefer' | 'require'
  readonly pool_min: number
  readonly pool_max: number
  readonly connect_timeout_ms: number
  readonly idle_timeout_ms: number
  readonly prepared_statements: boolean
  readonly plan_cache_mode: 'auto' | 'force_generic_plan' | 'force_custom_plan'
  /** Folder of SQL scripts for databases without stored functions (SQLite), relative to svc.toml. */
  readonly functions?: string
}

export interface DatabaseDriver {
  readonly name: string
  /** Tests whether the driver can open a database, by the scheme of its URL. */
  accepts(url: string): boolean
  /** Returns the SQL dialect without opening a database, for `svc compile --offline`. Absent: that is an error. */
  dialect?(): Promise<Dialect>
  /**
   * Tests whether an embedded database exists. Relative paths in the URL start from `baseDir`, an absolute folder.
   */
  exists?(url: string, baseDir: string): Promise<boolean>
  /** Returns the absolute folder of an embedded database; `null`: it is in memory. Present if `exists` is. */
  folder?(url: string, baseDir: string): string | null
  /**
   * Opens the database without waiting for its server. While the server is down, each statement fails with
   * SERVICE_UNAVAILABLE, and the driver reconnects by itself.
   */
  open(config: DatabaseConfig, context: DriverContext): Promise<Database>
}

export interface DriverContext {
  /** Absolute folder of svc.toml. Relative paths in a database URL start from it. */
  readonly baseDir: string
  readonly signals: Signals
  /**
   * Maximum size in bytes of a read's result (`Statement.readOnly`). The driver throws ResultTooLarge once it detects a
   * larger one; a driver that knows only the size of complete results leaves it to the engine. Absent or 0: no limit.
   */
  readonly maxResultBytes?: number
  /** `true`: the database is only read. Opening it must not change its files either. */
  readonly readOnly?: boolean
  /** Number of processes that share the connections of `pool_max`. Default: 1. */
  readonly workers?: number
}
