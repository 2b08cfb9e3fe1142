import type { Database, StreamOptions, TransactionOptions } from '../../contract/database.ts'
import type { Setting } from '../../contract/setting.ts'
import { overlayDatabase } from '../../service/lifecycle/overlay-database.ts'

const READ_ONLY: Setting = Object.freeze({ name: 'transaction_read_only', value: 'on' })
const ALONE: readonly Setting[] = Object.freeze([READ_ONLY])

/**
 * Wraps a database so that all its transactions are read-only. The database then refuses writes by a function that a
 * view calls, by a plugin, or by a faulty statement of svc.
 */
export function readOnlyDatabase(database: Database): Database {
  const { readRow } = database
  const members: Partial<Database> = {
    query: (statement, parameters, cancel, settings) =>
      database.query(statement, parameters, cancel, withReadOnly(settings)),
    transaction: <T>(work: Parameters<typeof database.transaction<T>>[0], options: TransactionOptions) =>
      database.transaction(work, { ...options, readOnly: true }),
    stream: (statement, parameters, options: StreamOptions) =>
      database.stream(statement, parameters, { ...options, settings: withReadOnly(options.settings) }),
    async script() {
      throw new Error('The database is open for reading only.')
    },
    explain: (statement, parameters, settings) => database.explain(statement, parameters, withReadOnly(settings)),
    ...(readRow !== undefined && {
      readRow: <T>(...[statement, parameters, cancel, take, settings]: Parameters<typeof readRow<T>>) =>
        readRow.call(
          database,
          statement,
          parameters,
          cancel,
          take as never,
          withReadOnly(settings),
        ) as Promise<T | null>,
    }),
  }
  return overlayDatabase(database, members)
}

/** The role, if there is one, stays last. */
function withReadOnly(settings: readonly Setting[] | undefined): readonly Setting[] {
  if (settings === undefined || settings.length === 0) return ALONE
  return settings.some(({ name }) => name === READ_ONLY.name) ? settings : [READ_ONLY, ...settings]
}
