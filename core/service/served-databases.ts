import type { Config } from '../contract/config.ts'
import type { Database, DatabaseDriver, DriverContext } from '../contract/database.ts'
import type { Signals } from '../contract/signals.ts'
import type { OwnedContribution } from '../contract/write-contribution.ts'
import { checkDatabases, checkDialect, checkInserts, checkRoles } from '../engine/execute/check-dialect.ts'
import type { SchemaModel } from '../schema/model.ts'
import { openDatabase, openDatabases } from './open-database.ts'

/**
 * Open databases that replace the configured ones, passed by code that embeds svc. After a failed boot, that code
 * closes them.
 */
export interface OpenedDatabases {
  readonly database?: Database
  readonly databases?: ReadonlyMap<string, Database>
}

/** The databases of a service: it opens them during the boot, checks schemas against them, and closes them. */
export class ServedDatabases {
  readonly #passed: OpenedDatabases
  readonly #signals: Signals
  #opened: Database | null = null
  #others: ReadonlyMap<string, Database>
  #contributions: readonly OwnedContribution[] = []

  constructor(passed: OpenedDatabases, signals: Signals) {
    this.#passed = passed
    this.#signals = signals
    this.#others = passed.databases ?? new Map()
  }

  /** The database of `[database]`. */
  get main(): Database {
    if (this.#opened === null) throw new Error('The database is not open')
    return this.#opened
  }

  /** The databases of `[databases]`, by name. */
  get others(): ReadonlyMap<string, Database> {
    return this.#others
  }

  /** Opens the databases and checks the schema. @throws SvcError SVC_DATABASE_MISSING, SVC_CONFIG_INVALID, SVC_SCHEMA_INVALID */
  async open(
    drivers: readonly DatabaseDriver[],
    config: Pick<Config, 'database' | 'databases'>,
    context: DriverContext,
    schema: SchemaModel,
  ): Promise<Database> {
    const { database, databases } = this.#passed
    this.#opened = database ?? (await openDatabase(drivers, config.database, context))
    this.#others = databases ?? (await openDatabases(drivers, config.databases, context))
    this.check(schema)
    for (const { dialect } of [this.#opened, ...this.#others.values()]) checkRoles(config.database.role_claim, dialect)
    return this.#opened
  }

  /** Sets the contributions to writes, which this and later schemas must be able to store. @throws SvcError SVC_SCHEMA_INVALID */
  keep(contributions: readonly OwnedContribution[], schema: SchemaModel): void {
    this.#contributions = contributions
    this.check(schema)
  }

  /** Checks that the databases support a schema, at boot and at each reload. @throws SvcError SVC_SCHEMA_INVALID */
  check(schema: SchemaModel): SchemaModel {
    if (this.#opened === null) return schema
    return checkInserts(checkDatabases(checkDialect(schema, this.#opened.dialect), this.#others), this.#contributions)
  }

  /** After a failed boot, closes the databases that this object opened. Never rejects, so that the error of the boot is reported. */
  async discard(): Promise<void> {
    const { database, databases } = this.#passed
    const own = [
      ...(database === undefined && this.#opened !== null ? [this.#opened] : []),
      ...(databases === undefined ? this.#others.values() : []),
    ]
    const report = ({ message }: Error): void => this.#signals.emit({ type: 'warning', plugin: 'kernel', message })
    await Promise.all(own.map((each) => each.close().catch(report)))
  }

  /** Closes all databases, even if one fails. @throws the first error */
  async close(): Promise<void> {
    const all = [...(this.#opened === null ? [] : [this.#opened]), ...this.#others.values()]
    const ended = await Promise.allSettled(all.map((each) => each.close()))
    for (const end of ended) if (end.status === 'rejected') throw end.reason
  }
}
