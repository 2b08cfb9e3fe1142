import type { Dialect } from '../dialects/dialect.ts'
import type { Digits } from '../schema/digits.ts'
import type { Place } from '../schema/place.ts'
import type { Signals } from '../signals/signals.ts'
import type { Cancellable } from './cancellable.ts'
import type { Setting } from './setting.ts'
import type { LentRow, Parameter, Row, Rows, Statement } from './statement.ts'

/**
 * The driver interface: what a driver plugin provides and the engine uses. All values cross it as text (PostgreSQL's
 * text format), so nothing is decoded that only passes through.
 */
export interface Database {
  /** `postgres`, `pglite`, … as shown by `/health` and `svc plugins`. */
  readonly kind: string
  /** The SQL that it speaks. */
  readonly dialect: Dialect
  /**
   * Runs one statement on any connection and gives its rows as text. A statement with a `name` is prepared once per
   * connection. Safe to call concurrently.
   * @param settings transaction-local settings that this statement sees: both run in one implicit transaction and in
   * one round trip, so a read or a single call of a function with session variables needs no `transaction`.
   * `transaction_read_only` = `on` makes it a read-only one, `role` takes on a role for it.
   * @throws SettingsRefused: the database does not take one of the settings. SvcError SERVICE_UNAVAILABLE (no connection, broken connection), TIMEOUT (aborted); else the driver's own
   * error, which `fromDatabaseError` reads.
   */
  query(
    statement: Statement,
    parameters: readonly Parameter[],
    cancel: Cancellable | null,
    settings?: readonly Setting[],
  ): Promise<Rows>
  /**
   * `query` of a read that gives one row, for whoever wants its values as bytes: of large ones no string is ever made. Drivers
   * that have strings only leave it out.
   * @param take gets the row, whose bytes are lent until it returns; called again when the statement is run again
   * @returns what `take` returned; `null` when there was not exactly one row
   * @throws as `query`, and what `take` throws
   */
  readRow?<T>(
    statement: Statement,
    parameters: readonly Parameter[],
    cancel: Cancellable | null,
    take: (row: LentRow) => T,
    settings?: readonly Setting[],
  ): Promise<T | null>
  /** Runs `work` between BEGIN and COMMIT on one connection; a throw rolls back and is thrown on. */
  transaction<T>(work: (session: Session) => Promise<T>, options: TransactionOptions): Promise<T>
  /** Rows of one statement from a cursor, with back-pressure. Ending the iteration early closes cursor and transaction. */
  stream(statement: Statement, parameters: readonly Parameter[], options: StreamOptions): AsyncIterable<readonly Row[]>
  /** Reads what the compiler and `svc doctor` need: the relations and functions of these names that exist. */
  catalog(names: CatalogNames): Promise<Catalog>
  /** Runs a script of several statements (`svc init`'s `db/` files). */
  script(sql: string): Promise<void>
  /** `EXPLAIN (FORMAT JSON)` without executing, by who the settings say. JSON text. */
  explain(statement: Statement, parameters: readonly Parameter[], settings?: readonly Setting[]): Promise<string>
  /**
   * How the next run of a statement is planned: with its values, or once for any values. `null`: as the database decides.
   * Drivers of databases with one kind of plan leave it out.
   */
  planning?(statement: Statement): 'values' | 'generic' | null
  /**
   * Calls back for every NOTIFY on the channel. Drivers without it leave it out.
   * @param onGap called when the channel is heard again after its connection was lost: messages may be missing
   */
  listen?(channel: string, onMessage: (payload: string) => void, onGap?: () => void): Promise<() => Promise<void>>
  /** Its logs and views show comments behind a statement, and its statements are texts that may have one. */
  readonly takesComments?: true
  /** A round trip. @throws SvcError SERVICE_UNAVAILABLE */
  ping(): Promise<void>
  readonly pool: PoolState
  /** Closes all connections; statements in flight finish first. */
  close(): Promise<void>
}

export interface Session {
  query(statement: Statement, parameters: readonly Parameter[]): Promise<Rows>
}

export interface TransactionOptions {
  readonly readOnly?: boolean
  readonly cancel?: Cancellable | null
  /**
   * One view of the database for all statements; a write of a row that somebody else has changed since fails with an error that
   * `isTransient` knows. Drivers whose writers wait for each other's end have that anyway.
   */
  readonly snapshot?: boolean
  /** Transaction-local settings, `set_config(name, value, true)`, in the same round trip as BEGIN where possible. */
  readonly settings?: readonly Setting[] | undefined
}

export interface StreamOptions {
  readonly cancel: Cancellable | null
  /** Rows that are read at once, at most: fewer where they are large, so that a batch is never much memory. */
  readonly batchSize: number
  /** As in {@link Database.query}: all rows are read with them. */
  readonly settings?: readonly Setting[] | undefined
}

export interface PoolState {
  readonly active: number
  readonly idle: number
  readonly waiting: number
  readonly connected: boolean
  /** Connections that the server grants, where it refuses more of them below `pool_max`. */
  readonly granted?: number
  /** The server lets new sessions write nothing: a standby, or one that is read-only by its settings. */
  readonly readOnly?: true
}

export interface CatalogNames {
  /** `v_user` or `schema.v_user`, as `sql_source` writes them. */
  readonly relations: readonly string[]
  readonly functions: readonly string[]
}

export interface Catalog {
  /** Keyed by the name as asked for; a name that does not exist has no entry. */
  readonly relations: ReadonlyMap<string, CatalogRelation>
  /** Overloads are listed; the compiler picks. */
  readonly functions: ReadonlyMap<string, readonly CatalogFunction[]>
  /** Names of all relations and functions of the search path, for "did you mean". */
  readonly allRelations: readonly string[]
  readonly allFunctions: readonly string[]
  /** What is outside the search path, as `schema.name`, for the same. Absent: there is nothing. */
  readonly elsewhere?: CatalogNames
  /** Configurations of text search, with their schema and, where the search path finds them, without; of several databases, as `inDatabase` names things. Absent: there are none to name. */
  readonly searchConfigs?: readonly string[]
  /** Names of the extensions that it has; of several databases, as `inDatabase` names things. Absent: none. */
  readonly extensions?: readonly string[]
}

export interface CatalogRelation {
  readonly schema: string
  readonly name: string
  readonly kind: 'view' | 'table'
  readonly columns: readonly {
    readonly name: string
    /** `int4`, `_text` of a list, `enum:mood`, `row:address` of a composite. */
    readonly type: string
    readonly notNull: boolean
    /** Proven: no two rows have the same value. */
    readonly unique: boolean
    /** Known: its constraints let it be NULL. Absent: nothing says so. */
    readonly nullable?: true
    /** Values of the enum that it or its list holds. Absent: it holds another type. */
    readonly labels?: readonly string[]
    /** Of a column whose values are vectors or bits, where the column says so: the length of each. */
    readonly dimensions?: number
    /** Of a column of decimals, where it says how many digits they have. */
    readonly digits?: Digits
    /** Of a column of PostGIS. */
    readonly place?: Place
  }[]
  readonly primaryKey: readonly string[]
  /** Several columns each that identify a row only together, also of rows that a view shows. Absent: none is known. */
  readonly compositeKeys?: readonly (readonly string[])[]
  /** Its database has no types for times: they stand in texts, and are read from them. */
  readonly textTimes?: true
  /** A function stands behind it that may change settings of the session (`Statement.resets`). */
  readonly resets?: boolean
  /** Tables whose policies do not hold for rows of this view, and the owner of the view whom they exempt. Absent: none. */
  readonly bypasses?: readonly { readonly table: string; readonly owner: string }[]
}

export interface CatalogFunction {
  /** It may set the search_path of its transaction, so that names behind it mean something else. */
  readonly movesPath?: true
  readonly schema: string
  readonly name: string
  readonly kind: 'function' | 'procedure'
  readonly parameters: readonly {
    readonly name: string | null
    readonly type: string
    readonly hasDefault: boolean
    /** Values of the enum that it or its list takes. Absent: it takes another type. */
    readonly labels?: readonly string[]
  }[]
  readonly returns: {
    readonly set: boolean
    readonly kind: 'void' | 'scalar' | 'composite'
    readonly type: string
    readonly columns: readonly { readonly name: string; readonly type: string }[]
    /** Nothing declares its columns, and the database gives no rows to a caller that does not name them. */
    readonly opaque?: true
  }
}

/** What the `[database]` section of svc.toml says, after interpolation. */
export interface DatabaseConfig {
  readonly url: string
  readonly ssl_mode: 'disable' | 'allow' | 'prefer' | 'require'
  readonly pool_min: number
  readonly pool_max: number
  readonly connect_timeout_ms: number
  readonly idle_timeout_ms: number
  readonly prepared_statements: boolean
  readonly plan_cache_mode: 'auto' | 'force_generic_plan' | 'force_custom_plan'
  /** Folder of the scripts that stand in for functions where the database has none, relative to svc.toml. */
  readonly functions?: string
}

export interface DatabaseDriver {
  readonly name: string
  /** Does this driver speak this URL? By scheme. */
  accepts(url: string): boolean
  /** What the database speaks, for a compile that does not open one. Absent: `--offline` is refused. */
  dialect?(): Promise<Dialect>
  /**
   * Only drivers whose database is created by opening it (embedded ones): is it already there? Nothing is created.
   * @param baseDir as in `open`
   */
  exists?(url: string, baseDir: string): Promise<boolean>
  /**
   * Only together with `exists`: the absolute folder that holds the data, `null` = in memory.
   * @param baseDir as in `open`
   */
  folder?(url: string, baseDir: string): string | null
  /**
   * Opens pools; does not wait for the server. A database that is down answers SERVICE_UNAVAILABLE per statement and
   * is tried again by itself.
   * @param baseDir absolute path that relative paths in the URL start from (the folder of svc.toml)
   */
  open(config: DatabaseConfig, context: DriverContext): Promise<Database>
}

export interface DriverContext {
  readonly baseDir: string
  readonly signals: Signals
  /**
   * A read (`Statement.readOnly`) whose result is larger fails with ResultTooLarge, as soon as the driver can know: it
   * need not hold what nobody gets. A driver that cannot know before it holds all leaves it to the engine. Absent or 0 =
   * no bound.
   */
  readonly maxResultBytes?: number
  /** So many processes like this one serve together, each with its part of `pool_max`. Absent = 1. */
  readonly workers?: number
}
