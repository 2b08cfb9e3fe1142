import { type Session, type TransactionOptions, unknownOutcome } from '../../core/doors/driver.ts'
import { type Rows, SvcError } from '../../core/doors/plugin.ts'
import type { ChildConnection } from './child-connection.ts'
import { abortedError } from './driver-errors.ts'
import { toBound } from './parameters.ts'

/**
 * Runs work in a transaction on a SQLite connection. An error of `work` rolls back and is thrown again. BEGIN IMMEDIATE
 * is sent with the first statement, so that writers do not conflict later.
 * @param release gives the connection back after the transaction
 */
export async function runTransaction<T>(
  connection: ChildConnection,
  work: (session: Session) => Promise<T>,
  options: TransactionOptions,
  release: () => void,
): Promise<T> {
  const cancel = options.cancel ?? null
  const readOnly = options.readOnly === true
  const begin = readOnly ? 'DEFERRED' : 'IMMEDIATE'
  let begun = false
  let over = false
  let failed = false
  let last: Promise<unknown> = Promise.resolve()
  const session: Session = {
    query(statement, parameters) {
      const rows = last.then(async (): Promise<Rows> => {
        if (over) throw new SvcError('TRANSACTION_FAILED', 'The transaction is over; its session cannot be used.')
        if (failed) throw new SvcError('TRANSACTION_FAILED', 'A statement of the transaction had failed before.')
        const bound = toBound(parameters)
        const first = begun ? null : begin
        const settings = begun ? [] : (options.settings ?? [])
        begun = true
        try {
          const { name, text } = statement
          const run = {
            op: 'run',
            name,
            text,
            parameters: bound,
            readOnly,
            begin: first,
            settings,
            maxBytes: 0,
          } as const
          return await connection.request(run, cancel)
        } catch (error) {
          // SQLite would continue, but in PostgreSQL a failed statement undoes the whole transaction.
          failed = true
          throw error
        }
      })
      last = rows.catch(() => {})
      return rows
    },
  }
  let open = true
  try {
    const result = await work(session)
    await last
    over = true
    if (cancel?.aborted === true) throw abortedError(cancel)
    if (failed) {
      throw new SvcError('TRANSACTION_FAILED', 'A statement of the transaction had failed; nothing was written.')
    }
    if (begun) {
      // If the process ended before the COMMIT, everything is rolled back.
      const { broken } = connection
      await connection.request({ op: 'end', commit: true }).catch((error: unknown) => {
        throw connection.broken && !broken ? unknownOutcome(error) : error
      })
    }
    open = false
    release()
    return result
  } finally {
    over = true
    if (open) rollBack(connection, begun, release)
  }
}

/** Rolls back once the connection is idle: a statement of an aborted caller may still be running. */
function rollBack(connection: ChildConnection, begun: boolean, release: () => void): void {
  connection.onQuiet(() => {
    if (!begun || connection.broken) return release()
    connection.request({ op: 'end', commit: false }).then(release, () => {
      connection.kill()
      release()
    })
  })
}
