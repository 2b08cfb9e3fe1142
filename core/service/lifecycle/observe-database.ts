import type { Database, Session, StreamOptions, TransactionOptions } from '../../contract/database.ts'
import type { ObservedDatabase, StatementWork } from '../../contract/observer.ts'
import type { Statement } from '../../contract/statement.ts'
import type { Observe } from './observe.ts'
import { overlayDatabase } from './overlay-database.ts'

type Run = (work: ObservedStatement) => Promise<unknown>

/** A statement for observers. They see the members of {@link StatementWork}, but not the function that runs it. */
class ObservedStatement implements StatementWork {
  readonly database: ObservedDatabase
  readonly exchange: object | null
  readonly statement: Statement | null
  readonly within: boolean
  readonly #start: () => Promise<unknown>

  /** @param exchange the exchange, which is the `cancel` argument of the statement */
  constructor(
    database: ObservedDatabase,
    exchange: object | null | undefined,
    statement: Statement | null,
    start: () => Promise<unknown>,
    within = false,
  ) {
    this.database = database
    this.within = within
    this.exchange = exchange ?? null
    this.statement = statement
    this.#start = start
  }

  static run(work: ObservedStatement): Promise<unknown> {
    return work.#start()
  }
}

/**
 * Wraps a database so that observers of plugins see each statement.
 * @param observe wraps a function with the observers
 * @param name name of the database in reports to observers
 * @returns the database itself if no plugin observes statements
 */
export function observeDatabase(observe: Observe, database: Database, name = 'default'): Database {
  const run: Run = observe('statement', ObservedStatement.run)
  return run === ObservedStatement.run ? database : wrap(database, name, run)
}

function wrap(database: Database, name: string, run: Run): Database {
  const { readRow, kind } = database
  const of: ObservedDatabase = Object.freeze({
    name,
    kind,
    ...(database.planning !== undefined && { planning: (statement: Statement) => database.planning!(statement) }),
  })
  const observed: Partial<Record<PropertyKey, unknown>> = {
    query: (...args: Parameters<Database['query']>) =>
      run(new ObservedStatement(of, args[2], args[0], () => database.query(...args))),
    transaction: (work: (session: Session) => Promise<unknown>, options: TransactionOptions) => {
      const { cancel } = options
      const start = () => database.transaction((session) => work(observedSession(run, of, cancel, session)), options)
      return run(new ObservedStatement(of, cancel, null, start))
    },
    stream: (statement: Statement, parameters: never, options: StreamOptions) =>
      observedStream(run, of, options.cancel, statement, () => database.stream(statement, parameters, options)),
    ...(readRow !== undefined && {
      readRow: (...args: Parameters<typeof readRow>) =>
        run(new ObservedStatement(of, args[2], args[0], () => readRow.apply(database, args))),
    }),
  }
  return overlayDatabase(database, observed)
}

function observedSession(
  run: Run,
  of: ObservedDatabase,
  exchange: object | null | undefined,
  session: Session,
): Session {
  return {
    query: (statement, parameters) =>
      run(
        new ObservedStatement(of, exchange, statement, () => session.query(statement, parameters), true),
      ) as ReturnType<Session['query']>,
  }
}

/** Observes a stream from the request for its first batch until its iteration ends. */
async function* observedStream<T>(
  run: Run,
  of: ObservedDatabase,
  exchange: object | null,
  statement: Statement,
  open: () => AsyncIterable<T>,
): AsyncIterable<T> {
  let end = (_failure?: unknown): void => {}
  const over = new Promise<void>((resolve, reject) => {
    end = (failure) => (failure === undefined ? resolve() : reject(failure))
  })
  run(new ObservedStatement(of, exchange, statement, () => over)).catch(() => {})
  try {
    yield* open()
  } catch (error) {
    end(error)
    throw error
  } finally {
    end()
  }
}
