import type { Digits } from '../schema/digits.ts'
import type { Place } from '../schema/place.ts'
import type { Cancellable } from './cancellable.ts'
import type { DatabaseModel } from './database-model.ts'
import type { Dialect } from './dialect.ts'
import type { Setting } from './setting.ts'
import type { Signals } from './signals.ts'
import type { LentRow, Parameter, Row, Rows, Statement } from './statement.ts'

/**
 * An open database, as a driver plugin provides it to the engine. All values are texts in PostgreSQL's text format, so that values which
 * svc only forwards are never decoded.
 */
export interface Database {
  /** Kind in `/health` and `svc plugins`: `postgres`, `pglite`, … */
  readonly kind: string
  /** SQL dialect of the database. */
  readonly dialect: Dialect
  /**
   * Runs one statement on any connection. A statement with a `name` is prepared once per connection. Concurrent calls are safe.
   * @param settings transaction-local settings for the statement, sent with it in one implicit transaction and one round trip. The
   *   setting `transaction_read_only` = `on` makes the transaction read-only, `role` sets its role
   * @returns the rows, with values as texts
   * @throws SettingsRefused: the database rejects a setting. SvcError SERVICE_UNAVAILABLE (no connection, broken connection), TIMEOUT
   *   (aborted). Otherwise the driver's own error, which `fromDatabaseError` converts
   */
  query(
    statement: Statement,
    parameters: readonly Parameter[],
    cancel: Cancellable | null,
    settings?: readonly Setting[],
  ): Promise<Rows>
  /**
   * Runs a read that returns one row, and passes its values as bytes, so that large values never become strings. Drivers that have strings
   * alone omit it.
   * @param take reads the row. Its bytes are valid until `take` returns. It is called again when the statement is repeated
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
  /** Runs `work` between BEGIN and COMMIT on one connection. A throw rolls back and is rethrown. */
  transaction<T>(work: (session: Session) => Promise<T>, options: TransactionOptions): Promise<T>
  /** Reads the rows of a statement in batches from a cursor, with back-pressure. Leaving the iteration closes cursor and transaction. */
  stream(statement: Statement, parameters: readonly Parameter[], options: StreamOptions): AsyncIterable<readonly Row[]>
  /** Reads the catalog entries of the named relations and functions that exist, for the compiler and `svc doctor`. */
  catalog(names: CatalogNames): Promise<Catalog>
  /** Describes the whole database by its catalog. Drivers whose databases svc cannot describe omit it. */
  introspect?(): Promise<DatabaseModel>
  /** Runs a script of several statements, such as the files in `db/` of `svc init`. */
  script(sql: string): Promise<void>
  /** Runs `EXPLAIN (FORMAT JSON)` without executing the statement, with the role of the settings. @returns JSON text */
  explain(statement: Statement, parameters: readonly Parameter[], settings?: readonly Setting[]): Promise<string>
  /**
   * Returns how the next run of a statement is planned: for the values, or once for any values. `null`: the database decides. Drivers
   * without this choice omit it.
   */
  planning?(statement: Statement): 'values' | 'generic' | null
  /**
   * Listens to the notifications of a channel (NOTIFY). Drivers without notifications omit it.
   * @param onGap is called after the connection was lost and restored: messages may be missing
   * @returns a function that ends listening
   */
  listen?(channel: string, onMessage: (payload: string) => void, onGap?: () => void): Promise<() => Promise<void>>
  /** Statements may end with a comment, which logs and statistics views of the database show. */
  readonly takesComments?: true
  /** Makes a round trip to the server. @throws SvcError SERVICE_UNAVAILABLE */
  ping(): Promise<void>
  readonly pool: PoolState
  /** Closes all connections after their running statements have finished. */
  close(): Promise<void>
}

/** An open transaction. */
export interface Session {
  query(statement: Statement, parameters: readonly Parameter[]): Promise<Rows>
}

export interface TransactionOptions {
  readonly readOnly?: boolean
  readonly cancel?: Cancellable | null
  /**
   * All statements see one snapshot (PostgreSQL: REPEATABLE READ). A write of a row that another transaction has changed since fails with
   * an error for which `isTransient` is true. Drivers with a single writer ignore the option.
   */
  readonly snapshot?: boolean
  /** Transaction-local settings, `set_config(name, value, true)`, in the same round trip as BEGIN where possible. */
  readonly settings?: readonly Setting[] | undefined
}

export interface StreamOptions {
  readonly cancel: Cancellable | null
  /** Maximum number of rows in a batch. Batches of large rows have fewer rows, to limit memory. */
  readonly batchSize: number
  /** Settings as in {@link Database.query}, for the whole stream. */
  readonly settings?: readonly Setting[] | undefined
}

export interface PoolState {
  readonly active: number
  readonly idle: number
  readonly waiting: number
  readonly connected: boolean
  /** Number of connections that the server grants, when it is below `pool_max`. */
  readonly granted?: number
  /** New sessions are read-only: the server is a standby, or its settings say so. */
  readonly readOnly?: true
}

export interface CatalogNames {
  /** Names of relations as in `sql_source`: `v_user` or `schema.v_user`. */
  readonly relations: readonly string[]
  readonly functions: readonly string[]
}

export interface Catalog {
  /** Relations by requested name. Names that do not exist have no entry. */
  readonly relations: ReadonlyMap<string, CatalogRelation>
  /** All overloads, by requested name. */
  readonly functions: ReadonlyMap<string, readonly CatalogFunction[]>
  /** Names of all relations and functions in the search path, for suggestions in messages. */
  readonly allRelations: readonly string[]
  readonly allFunctions: readonly string[]
  /** Names outside the search path, as `schema.name`, for suggestions. Absent: none. */
  readonly elsewhere?: CatalogNames
  /**
   * Text search configurations, with schema and, if in the search path, without; of several databases in the form of `inDatabase`.
   * Absent: none.
   */
  readonly searchConfigs?: readonly string[]
  /** Installed extensions; of several databases in the form of `inDatabase`. Absent: none. */
  readonly extensions?: readonly string[]
}

export interface CatalogRelation {
  readonly schema: string
  readonly name: string
  readonly kind: 'view' | 'table'
  readonly columns: readonly {
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
    /** Length of the vectors or bit strings, if the column declares it. */
    readonly dimensions?: number
    /** Precision and scale of decimals, if the column declares them. */
    readonly digits?: Digits
    /** Geometry type of a PostGIS column. */
    readonly place?: Place
  }[]
  readonly primaryKey: readonly string[]
  /** Keys of several columns, also of the rows of a view. Absent: none is known. */
  readonly compositeKeys?: readonly (readonly string[])[]
  /** The database has no types for dates and times; texts hold them. */
  readonly textTimes?: true
  /** The relation calls a function that may change settings of the session (`Statement.resets`). */
  readonly resets?: boolean
  /** Tables whose row-level security does not apply to rows of this view, with the exempt owner of the view. Absent: none. */
  readonly bypasses?: readonly { readonly table: string; readonly owner: string }[]
}

export interface CatalogFunction {
  /** The function may set the search_path of its transaction, which changes the meaning of unqualified names after the call. */
  readonly movesPath?: true
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

/** The section `[database]` of svc.toml, after interpolation. */
export interface DatabaseConfig {
  readonly url: string
  readonly ssl_mode: 'disable' | 'allow' | 'prefer' | 'require'
  readonly pool_min: number
  readonly pool_max: number
  readonly connect_timeout_ms: number
  readonly idle_timeout_ms: number
  readonly prepared_statements: boolean
  readonly plan_cache_mode: 'auto' | 'force_generic_plan' | 'force_custom_plan'
  /** Folder with scripts for mutations, relative to svc.toml, for databases without stored functions. */
  readonly functions?: string
}

export interface DatabaseDriver {
  readonly name: string
  /** Tests the scheme of a database URL. */
  accepts(url: string): boolean
  /** Returns the dialect without opening a database, for `svc compile --offline`. Absent: `--offline` is an error. */
  dialect?(): Promise<Dialect>
  /**
   * Tests whether the database exists, without creating it. Only for embedded databases, which opening creates.
   * @param baseDir absolute base path of relative paths in the URL
   */
  exists?(url: string, baseDir: string): Promise<boolean>
  /**
   * Returns the absolute folder of the data; `null`: in memory. Required with `exists`.
   * @param baseDir absolute base path of relative paths in the URL
   */
  folder?(url: string, baseDir: string): string | null
  /**
   * Creates the pools without waiting for the server. While the server is down, each statement fails with SERVICE_UNAVAILABLE, and the
   * driver reconnects by itself.
   */
  open(config: DatabaseConfig, context: DriverContext): Promise<Database>
}

export interface DriverContext {
  /** Absolute base path of relative paths in the URL: the folder of svc.toml. */
  readonly baseDir: string
  readonly signals: Signals
  /**
   * Largest result of a read (`Statement.readOnly`) in bytes. The driver throws ResultTooLarge as soon as it detects a larger one. Drivers
   * that only know the size of complete results leave the check to the engine. Absent or 0: no limit.
   */
  readonly maxResultBytes?: number
  /** The database is only read: opening it must not change its files either, such as the journal mode of an SQLite file. */
  readonly readOnly?: boolean
  /** Number of processes that share `pool_max`. Default: 1. */
  readonly workers?: number
}
